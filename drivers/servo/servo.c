// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamixel servos as IIO devices
 *
 * One driver for all models, see model_list.h. A servo that does not answer
 * when its driver binds keeps its device and is set up on the first access that
 * it answers.
 */
#include <linux/device.h>
#include <linux/devm-helpers.h>
#include <linux/err.h>
#include <linux/iio/iio.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/pm.h>
#include <linux/property.h>

#include <linux/dxl/cycle.h>

#include "team.h"

static void release(void *servo)
{
	dxl_servo_release(servo);
}

static void leave_team(void *servo)
{
	dxl_team_remove(servo);
}

static int servo_setup(struct dxl_servo *servo, struct dxl_device *ddev)
{
	struct device *dev = &ddev->dev;

	servo->ddev = ddev;
	servo->model = dxl_device_get_match_data(ddev);
	if (!servo->model)
		return -ENODEV;

	device_property_read_string(dev, "label", &servo->label);
	dxl_servo_init(servo);

	return devm_mutex_init(dev, &servo->lock);
}

static int servo_probe(struct dxl_device *ddev)
{
	struct device *dev = &ddev->dev;
	struct iio_dev *indio_dev;
	struct dxl_servo *servo;
	int ret;

	indio_dev = devm_iio_device_alloc(dev, sizeof(*servo));
	if (!indio_dev)
		return -ENOMEM;

	servo = iio_priv(indio_dev);
	ret = servo_setup(servo, ddev);
	if (ret)
		return ret;
	dxl_set_drvdata(ddev, servo);

	ret = dxl_servo_ready(servo);
	if (ret == -ENODEV)
		return ret;
	if (ret)
		dev_warn(dev, "no answer of a %s: %pe\n",
			 dxl_servo_name(servo), ERR_PTR(ret));

	/* A servo that nobody drives any more must not hold on to its goal. */
	ret = devm_add_action_or_reset(dev, release, servo);
	if (ret)
		return ret;

	ret = dxl_servo_channels(indio_dev);
	if (ret)
		return ret;
	indio_dev->name = dxl_servo_name(servo);
	indio_dev->modes = INDIO_DIRECT_MODE;
	ret = devm_dxl_buffer_setup(indio_dev, &dxl_servo_buffer_ops);
	if (ret)
		return ret;

	/* Accesses through the IIO device may tell the team of a change. */
	ret = dxl_team_add(servo);
	if (ret)
		return ret;
	ret = devm_add_action_or_reset(dev, leave_team, servo);
	if (ret)
		return ret;
	/* It may have been left watching a bus on which nobody speaks to it any more. */
	if (servo->configured && !dxl_servo_layout(servo)->watches)
		dxl_bus_watchdog_set(servo);
	ret = devm_delayed_work_autocancel(dev, &servo->ask, dxl_servo_ask);
	if (ret)
		return ret;
	ret = dxl_servo_join_frames(servo);
	if (ret)
		return ret;

	return devm_iio_device_register(dev, indio_dev) ?:
	       devm_dxl_torque_publish(servo, indio_dev);
}

static void servo_lost(struct dxl_device *ddev)
{
	dxl_torque_notify(dxl_get_drvdata(ddev));
}

static void servo_returned(struct dxl_device *ddev)
{
	dxl_torque_notify(dxl_get_drvdata(ddev));
	dxl_servo_returned(dxl_get_drvdata(ddev));
}

static void servo_doubted(struct dxl_device *ddev)
{
	dxl_servo_doubted(dxl_get_drvdata(ddev));
}

/* At once, as others may hold what the rest has to wait for: it gets no pose any more. */
static void let_go(struct dxl_servo *servo)
{
	dxl_torque_tell(servo, TORQUE_TAKEN);
	dxl_stream_release(servo);
}

static void let_all_go(struct dxl_servo *servo)
{
	dxl_stream_trip(servo->team);
	let_go(servo);
}

static void servo_shutdown(struct dxl_device *ddev)
{
	let_all_go(dxl_get_drvdata(ddev));
}

/* Before its attributes go, which waits for whoever reads them. The others go on. */
static void servo_remove(struct dxl_device *ddev)
{
	let_go(dxl_get_drvdata(ddev));
}

/* Nobody watches over the robot meanwhile. Its torque is given back by hand. */
static int servo_suspend(struct device *dev)
{
	let_all_go(dxl_get_drvdata(to_dxl_device(dev)));

	return 0;
}

/* It may have been without power meanwhile. */
static int servo_resume(struct device *dev)
{
	struct dxl_servo *servo = dxl_get_drvdata(to_dxl_device(dev));

	dxl_servo_returned(servo);
	if (!READ_ONCE(servo->configured))
		dev_warn(dev, "does not answer after the machine slept\n");

	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(servo_pm_ops, servo_suspend, servo_resume);

/* --- what the driver binds to --- */

#define DXL_SERVO(_protocol, _number, _compatible, ...)			\
	{								\
		.compatible = _compatible,				\
		.data = &dxl_servo_models[DXL_SERVO_INDEX(_protocol,	\
							  _number)],	\
	},

static const struct of_device_id servo_of_match[] = {
#include "model_list.h"
	{ }
};
MODULE_DEVICE_TABLE(of, servo_of_match);

#undef DXL_SERVO
#define DXL_SERVO(_protocol, _number, ...)				\
	{								\
		.protocol = DXL_PROTOCOL_##_protocol,			\
		.model_number = 0x##_number,				\
		.data = &dxl_servo_models[DXL_SERVO_INDEX(_protocol,	\
							  _number)],	\
	},

static const struct dxl_device_id servo_ids[] = {
#include "model_list.h"
	{ }
};

/*
 * The kernel's modpost makes no aliases of a table of this bus. So here is what
 * a MODULE_ALIAS() for each row would leave.
 */
#undef DXL_SERVO
#define DXL_SERVO(_protocol, _number, ...) \
	"alias=dxl:p" #_protocol "m" #_number "\0"

static const char servo_aliases[] __used __section(".modinfo") __aligned(1) =
#include "model_list.h"
;

static struct dxl_driver servo_driver = {
	.driver = {
		.name = "dxl-servo",
		.of_match_table = servo_of_match,
		.pm = pm_sleep_ptr(&servo_pm_ops),
		.probe_type = PROBE_PREFER_ASYNCHRONOUS,
	},
	.id_table = servo_ids,
	.probe = servo_probe,
	.remove = servo_remove,
	.lost = servo_lost,
	.returned = servo_returned,
	.doubted = servo_doubted,
	.shutdown = servo_shutdown,
};

static int __init servo_init(void)
{
	int ret = dxl_leases_init();

	if (ret)
		return ret;

	ret = dxl_driver_register(&servo_driver);
	if (ret)
		dxl_leases_exit();

	return ret;
}
module_init(servo_init);

static void __exit servo_exit(void)
{
	dxl_teams_let_go();
	dxl_driver_unregister(&servo_driver);
	dxl_leases_exit();
}
module_exit(servo_exit);

MODULE_DESCRIPTION("Dynamixel servos");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("DXL");
