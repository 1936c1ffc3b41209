// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamixel bus on a UART
 *
 * Which way an RS485 transceiver points is the UART driver's business, by the
 * properties of the UART's own node.
 */
#include <linux/device.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/property.h>
#include <linux/serdev.h>

#include <linux/dxl/transport.h>

#include "line.h"

/* Factory setting of most of the maker's older servos. */
#define BAUD_DEFAULT	1000000

static int dxl_serdev_write(struct dxl_bus *bus, const u8 *data, size_t len)
{
	return serdev_device_write_buf(dxl_bus_priv(bus), data, len);
}

static void dxl_serdev_flush(struct dxl_bus *bus)
{
	serdev_device_write_flush(dxl_bus_priv(bus));
}

/*
 * Up to 6.12 at least serdev returns the rate asked for, whatever the UART made
 * of it: what this catches is a kernel that knows better.
 */
static int set_baud(struct serdev_device *serdev, u32 baud)
{
	u32 reached = serdev_device_set_baudrate(serdev, baud);

	if (dxl_baud_fits(reached, baud))
		return 0;

	dev_err(&serdev->dev, "UART cannot do %u baud, nearest is %u\n", baud,
		reached);

	return -EINVAL;
}

static int dxl_serdev_set_baud(struct dxl_bus *bus, u32 baud)
{
	struct serdev_device *serdev = dxl_bus_priv(bus);

	/* What the UART still holds would leave at the new rate. */
	serdev_device_wait_until_sent(serdev, HZ);

	return set_baud(serdev, baud);
}

static const struct dxl_transport_ops dxl_serdev_ops = {
	.write = dxl_serdev_write,
	.flush = dxl_serdev_flush,
	.set_baud = dxl_serdev_set_baud,
};

static size_t dxl_serdev_receive(struct serdev_device *serdev, const u8 *data,
				 size_t len)
{
	dxl_bus_receive(serdev_device_get_drvdata(serdev), data, len);

	return len;
}

static const struct serdev_device_ops dxl_serdev_device_ops = {
	.receive_buf = dxl_serdev_receive,
};

static int dxl_serdev_setup(struct serdev_device *serdev, u32 baud)
{
	int ret;

	/* The serdev core opens a port with hardware flow control on. */
	serdev_device_set_flow_control(serdev, false);
	ret = serdev_device_set_parity(serdev, SERDEV_PARITY_NONE);
	if (ret)
		return ret;

	return set_baud(serdev, baud);
}

static void dxl_serdev_put_bus(void *bus)
{
	dxl_bus_put(bus);
}

static int dxl_serdev_probe(struct serdev_device *serdev)
{
	struct device *dev = &serdev->dev;
	u32 baud = BAUD_DEFAULT;
	struct dxl_bus *bus;
	int ret;

	device_property_read_u32(dev, "current-speed", &baud);

	bus = dxl_bus_alloc(dev, &dxl_serdev_ops, serdev, baud);
	if (IS_ERR(bus))
		return dev_err_probe(dev, PTR_ERR(bus), "no bus\n");

	/* Before the port opens, as bytes may arrive until it is closed. */
	ret = devm_add_action_or_reset(dev, dxl_serdev_put_bus, bus);
	if (ret)
		return ret;

	serdev_device_set_drvdata(serdev, bus);
	serdev_device_set_client_ops(serdev, &dxl_serdev_device_ops);

	ret = devm_serdev_device_open(dev, serdev);
	if (ret)
		return dev_err_probe(dev, ret, "cannot open the UART\n");

	ret = dxl_serdev_setup(serdev, baud);
	if (ret)
		return ret;

	return dxl_bus_add(bus);
}

static void dxl_serdev_remove(struct serdev_device *serdev)
{
	dxl_bus_remove(serdev_device_get_drvdata(serdev));
}

static const struct of_device_id dxl_serdev_of_match[] = {
	{ .compatible = "robotis,dynamixel-bus" },
	{ }
};
MODULE_DEVICE_TABLE(of, dxl_serdev_of_match);

static struct serdev_device_driver dxl_serdev_driver = {
	.driver = {
		.name = "dxl-serdev",
		.of_match_table = dxl_serdev_of_match,
		.probe_type = PROBE_PREFER_ASYNCHRONOUS,
	},
	.probe = dxl_serdev_probe,
	.remove = dxl_serdev_remove,
};
module_serdev_device_driver(dxl_serdev_driver);

MODULE_DESCRIPTION("Dynamixel bus on a UART");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("DXL");
