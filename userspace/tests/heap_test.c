// SPDX-License-Identifier: LGPL-2.1-or-later
/* What an open NAO takes of the heap, with frames, store, a snapshot and a pose. */
#include "support.h"

#include "fake_iio.h"
#include "heap.h"
#include "nao.h"

/* A NAO in UML may have 2,048 KiB: there are its boards' channels besides, and libiio's buffers. */
#define LIMIT (1830 * 1024)

struct nao {
	struct naohw_robot *robot;
	struct naohw_frame *frame;
	struct naohw_store *store;
	struct naohw_snapshot *snapshot;
	struct naohw_pose *pose;
};

static void open_nao(struct nao *nao)
{
	struct naohw_error err;

	if (naohw_robot_open(NAO_ROBOT, NULL, &nao->robot, &err) < 0 ||
	    naohw_frame_open(nao->robot, NULL, &nao->frame, &err) < 0 ||
	    naohw_store_open(nao->robot, nao->frame, &nao->store, &err) < 0 ||
	    naohw_snapshot_new(nao->store, &nao->snapshot, &err) < 0 ||
	    naohw_pose_open(nao->robot, NULL, &nao->pose, &err) < 0)
		fail_msg("%s", err.message);
}

static void close_nao(struct nao *nao)
{
	naohw_pose_close(nao->pose);
	naohw_snapshot_free(nao->snapshot);
	naohw_store_close(nao->store);
	naohw_frame_close(nao->frame);
	naohw_robot_close(nao->robot);
}

/* All that the fake has are in frames and poses. */
static void check_joints(const struct nao *nao)
{
	unsigned int seen = 0, driven = 0;

	for (size_t i = 0; i < naohw_robot_joint_count(nao->robot); i++) {
		seen += naohw_frame_has(nao->frame, i, NAOHW_QUANTITY_POSITION) == 1;
		driven += naohw_pose_has(nao->pose, i) == 1;
	}
	assert_int_equal(seen, NAO_BUSES * NAO_JOINTS);
	assert_int_equal(driven, NAO_BUSES * NAO_JOINTS);
}

static int setup(void **state)
{
	struct naohw_error err;

	(void)state;
	if (nao_make(&err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

/*
 * The context is the fake's, which takes nothing of the heap. What libxml2 makes for itself once
 * is not the robot's: the first one is not looked at.
 */
static void an_open_nao_is_small(void **state)
{
	struct nao nao;
	size_t before, during;

	(void)state;
	open_nao(&nao);
	check_joints(&nao);
	close_nao(&nao);
	before = heap_in_use();
	open_nao(&nao);
	during = heap_in_use();
	close_nao(&nao);
	print_message("%zu bytes of the heap, of at most %d\n", during - before, LIMIT);
	assert_in_range(during - before, 1, LIMIT - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(an_open_nao_is_small, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
