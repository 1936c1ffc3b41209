// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosted.h"

#include <errno.h>

/* ---- the robot ---- */

/* Never a client: neither of another naohwd nor of itself. */
static int open_dcm(struct hosted *hosted, struct naohw_error *err)
{
	struct naohw_dcm_settings *settings;
	int ret = naohw_dcm_settings_new(&settings);

	if (ret == 0)
		ret = leases_add_texts(hosted->robot, settings);
	if (ret < 0)
		return trouble(err, ret, "out of memory");
	naohw_dcm_settings_set_host(settings, 1);
	ret = naohw_dcm_open(hosted->robot, settings, &hosted->dcm, err);
	naohw_dcm_settings_free(settings);
	return ret;
}

int hosted_open(struct hosted *hosted, const struct options *options, struct naohw_error *err)
{
	struct naohw_error body;
	int ret = naohw_robot_open(options->robot, NULL, &hosted->robot, err);

	if (ret < 0)
		return ret;
	if (naohw_robot_body(hosted->robot, &body) == -EUCLEAN)
		log_warning("%s", body.message);
	ret = open_dcm(hosted, err);
	if (ret == 0)
		ret = guards_new(hosted->dcm, &hosted->guards, err);
	if (ret == 0)
		ret = leases_new(hosted->robot, hosted->dcm, &hosted->leases, err);
	if (ret < 0)
		return ret;
	leases_owe(hosted->leases, hosted->owed);
	hosted->owed = NULL;
	return plays_new(hosted->robot, hosted->dcm, hosted->leases, NAOHW_MOTIONS, &hosted->plays,
			 err);
}

void hosted_close(struct hosted *hosted)
{
	struct owed *owed = hosted->leases ? leases_owed(hosted->leases) : hosted->owed;

	plays_free(hosted->plays);
	leases_free(hosted->leases);
	guards_free(hosted->guards);
	naohw_dcm_close(hosted->dcm);
	naohw_robot_close(hosted->robot);
	*hosted = (struct hosted){ .owed = owed, .lola_moved = hosted->lola_moved };
}

/* ---- who looks at it and moves it ---- */

int hosted_serve(struct hosted *hosted, const struct options *options, struct loop *loop,
		 struct naohw_error *err)
{
	const struct rpc_host host = { loop, hosted->robot, hosted->dcm, hosted->leases,
				       hosted->plays };
	int ret = 0;

	if (options->lolas)
		ret = lola_open(loop, hosted->dcm, options->lola, options->lolas, &hosted->lola,
				err);
	if (hosted->lola) {
		lola_obey(hosted->lola, hosted->leases, &options->lola_end);
		lola_have_moved(hosted->lola, hosted->lola_moved);
	}
	if (ret == 0 && options->rpc.listen.path)
		ret = rpc_open(&host, &options->rpc, &hosted->rpc, err);
	return ret;
}

static void leave_lola(struct hosted *hosted)
{
	hosted->lola_moved = 0;
	if (!hosted->lola)
		return;
	lola_part(hosted->lola);
	hosted->lola_moved = lola_moved(hosted->lola);
	lola_close(hosted->lola);
	hosted->lola = NULL;
}

void hosted_leave(struct hosted *hosted)
{
	leases_only_hold(hosted->leases);
	rpc_close(hosted->rpc);
	/* It may have what a client held. */
	plays_free(hosted->plays);
	hosted->plays = NULL;
	leave_lola(hosted);
	hosted->rpc = NULL;
	/* Ends of leases that have had no room have it then. */
	(void)naohw_dcm_flush(hosted->dcm, NULL);
	leases_cycle(hosted->leases);
	(void)naohw_dcm_flush(hosted->dcm, NULL);
}

void hosted_cycle(struct hosted *hosted)
{
	/* A client that does not pass it on must not keep others asleep. */
	(void)naohw_store_wake(naohw_dcm_store(hosted->dcm));
	guards_cycle(hosted->guards);
	leases_cycle(hosted->leases);
	plays_cycle(hosted->plays);
	if (hosted->lola)
		lola_cycle(hosted->lola);
	if (hosted->rpc)
		rpc_cycle(hosted->rpc);
}
