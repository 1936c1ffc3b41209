/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program itself, end to end: started as a user does. Waits are for things to
 * happen and always end; how long they take is not part of any test.
 */
#ifndef DXLSIM_TESTS_SCENE_H
#define DXLSIM_TESTS_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/types.h>

#define PATIENCE_MS	20000

struct scene {
	char dir[32];
	char overlay[64];
	char bus[64];
	char control[64];
	char log[64];
	char scenario[64];
	pid_t pid;
	int in;			/* the program's standard input and output */
	int out;
};

struct scene *scene_new(const char *tree);
void scene_free(struct scene *scene);
int scene_set_up(void **state);
int scene_tear_down(void **state);

#define SCENE_TEST(f) \
	cmocka_unit_test_setup_teardown(f, scene_set_up, scene_tear_down)

void launch_on(struct scene *scene, const char *const *args, const int to[2]);
void launch(struct scene *scene, const char *const *args);
void await_start(struct scene *scene);
void start(struct scene *scene, const char *const *args);
int wait_for_end(struct scene *scene);
int stop(struct scene *scene, int signal);
char *log_text(const struct scene *scene);

int dial(const char *path);
void take(int fd, void *bytes, size_t len);
void give(int fd, const void *bytes, size_t len);
void ping(int in, int out);
void move(int in, int out);

const char *command(int fd, const char *line);
void settle(int control);
void await_answer(int control, const char *line, const char *expected);
void await_count(int control, const char *line);

void nap_ms(long ms);
void nap(void);
bool exists(const char *path);

#endif
