// SPDX-License-Identifier: LGPL-2.1-or-later
/* The store against a plain model, against memory that lies, and what its calls may not do. */
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "allocations.h"
#include "futex.h"
#include "monotonic.h"
#include "seeds.h"
#include "store/inside.h"

#define SLOTS	 300
#define NAME	 128
#define SEEDS	 40
#define ROUNDS	 50
#define PUTS	 20
#define DAMAGES	 5000
#define PATIENCE 10000 /* ms */

/* Its slot, or what was said instead */
static int find(const struct naohw_store *of, const char *name)
{
	size_t slot;
	int ret = naohw_store_find(of, name, &slot);

	return ret < 0 ? ret : (int)slot;
}

static struct naohw_store *store;

/* ---- somebody who makes his memory shorter at the worst moment, and seals it then ---- */

static bool shrinks;

int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, ...);

#ifdef SYS_fcntl64
#define FCNTL SYS_fcntl64
#else
#define FCNTL SYS_fcntl
#endif

static int call_fcntl(int fd, int command, long argument)
{
	if (command == F_GET_SEALS && shrinks) {
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(syscall(FCNTL, fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	}
	return (int)syscall(FCNTL, fd, command, argument);
}

#define WRAP_FCNTL(name)                                  \
	int name(int fd, int command, ...)                \
	{                                                 \
		va_list list;                             \
		int argument;                             \
                                                          \
		va_start(list, command);                  \
		argument = va_arg(list, int);             \
		va_end(list);                             \
		return call_fcntl(fd, command, argument); \
	}

/* It depends on the machine which of the two a compiler takes. */
WRAP_FCNTL(__wrap_fcntl)
WRAP_FCNTL(__wrap_fcntl64)

/* ---- what all tests need ---- */

static int setup(void **state)
{
	(void)state;
	store = NULL;
	shrinks = false;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	seeds_teardown();
	naohw_store_close(store);
	return 0;
}

static void create(const struct store_key *keys, size_t count)
{
	struct naohw_error err;

	if (store_create(keys, count, &store, &err) < 0)
		fail_msg("%s", err.message);
}

static struct naohw_value read_slot(const struct naohw_store *from, size_t slot)
{
	struct naohw_value value;

	assert_int_equal(naohw_store_read(from, slot, &value), 0);
	return value;
}

static struct naohw_value a_float(double number, enum naohw_state state, int64_t time)
{
	return (struct naohw_value){ .state = state, .time = time, .number = number };
}

static void put_text(size_t slot, const char *text)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH };

	snprintf(value.text, sizeof(value.text), "%s", text);
	store_put(store, slot, &value);
}

/* One of each type, and a constant */
enum { ANGLE, COUNT, PRESSED, WORD, LABEL, KINDS };
static const struct store_key kinds[KINDS] = {
	{ "Angle", NAOHW_KEY_FLOAT, false },  { "Count", NAOHW_KEY_INT, false },
	{ "Pressed", NAOHW_KEY_BOOL, false }, { "Word", NAOHW_KEY_STRING, false },
	{ "Label", NAOHW_KEY_STRING, true },
};

/* ---- against a model ---- */

struct model {
	unsigned int slots;
	struct store_key key[SLOTS];
	char name[SLOTS][NAME];
	struct naohw_value put[SLOTS];
	struct naohw_value seen[SLOTS]; /* after the last publishing */
};

static void make_keys(struct model *model)
{
	model->slots = 1 + chance(SLOTS);
	for (unsigned int i = 0; i < model->slots; i++) {
		unsigned int length = chance(NAME - 16);

		memset(model->name[i], 'x', length);
		snprintf(model->name[i] + length, 16, "%u", i);
		model->key[i].name = model->name[i];
		model->key[i].type = (enum naohw_key_type)chance(NAOHW_KEY_BOOL + 1);
		model->key[i].constant = chance(4) == 0;
		model->put[i] = (struct naohw_value){ .type = model->key[i].type };
		if (model->key[i].type == NAOHW_KEY_STRING)
			model->put[i].number = NAN;
		model->seen[i] = model->put[i];
	}
}

static void make_text(char *text)
{
	unsigned int length = chance(NAOHW_TEXT_SIZE);

	for (unsigned int i = 0; i < length; i++)
		text[i] = (char)(1 + chance(255));
	text[length] = '\0';
}

static void make_value(struct naohw_value *value, enum naohw_key_type type)
{
	*value = (struct naohw_value){ .type = type };
	value->state = (enum naohw_state)chance(NAOHW_STATE_FAULTY + 1);
	value->time = (int64_t)chance(1u << 31) << 31 | chance(1u << 31);
	value->integer = type == NAOHW_KEY_BOOL ? chance(2) :
						  chance(1u << 31) - (int64_t)(1u << 30);
	value->number = (double)value->integer;
	if (type == NAOHW_KEY_STRING)
		make_text(value->text);
	if (type == NAOHW_KEY_STRING)
		value->number = NAN;
	if (type == NAOHW_KEY_STRING || type == NAOHW_KEY_FLOAT)
		value->integer = 0;
}

static void check_value(const struct naohw_value *found, const struct naohw_value *expected)
{
	assert_int_equal(found->type, expected->type);
	assert_int_equal(found->state, expected->state);
	assert_int_equal(found->time, expected->time);
	assert_int_equal(found->integer, expected->integer);
	assert_memory_equal(&found->number, &expected->number, sizeof(double));
	assert_string_equal(found->text, expected->text);
}

static void put_one(struct model *model, unsigned int i)
{
	make_value(&model->put[i], model->key[i].type);
	store_put(store, i, &model->put[i]);
	if (model->key[i].constant)
		model->seen[i] = model->put[i];
}

static void check_all(const struct model *model, const struct naohw_store *from,
		      const struct naohw_snapshot *snapshot)
{
	struct naohw_value value;

	for (unsigned int i = 0; i < model->slots; i++) {
		value = read_slot(from, i);
		check_value(&value, &model->seen[i]);
		assert_int_equal(naohw_snapshot_get(snapshot, i, &value), 0);
		check_value(&value, &model->seen[i]);
	}
}

/* Those who were told before a publishing know it from then on, and not before. */
static void one_round(struct model *model, const struct naohw_store *other,
		      struct naohw_snapshot *near, struct naohw_snapshot *far, unsigned int round)
{
	for (unsigned int i = chance(PUTS); i; i--)
		put_one(model, chance(model->slots));
	assert_int_equal(naohw_snapshot_take(near), 0);
	assert_int_equal(naohw_snapshot_sequence(near), round);
	check_all(model, store, near);
	assert_int_equal(naohw_store_publish(store), 0);
	memcpy(model->seen, model->put, sizeof(model->seen));
	assert_int_equal(naohw_snapshot_take(far), 0);
	assert_int_equal(naohw_store_sequence(other), round + 1);
	check_all(model, other, far);
}

static void any_store(void)
{
	static struct model model;
	struct naohw_snapshot *near, *far;
	struct naohw_store *other;

	make_keys(&model);
	create(model.key, model.slots);
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &other, NULL), 0);
	assert_int_equal(naohw_snapshot_new(store, &near, NULL), 0);
	assert_int_equal(naohw_snapshot_new(other, &far, NULL), 0);
	for (unsigned int round = 0; round < ROUNDS; round++)
		one_round(&model, other, near, far, round);
	for (unsigned int i = 0; i < model.slots; i++)
		assert_int_equal(find(other, model.name[i]), i);
	naohw_snapshot_free(near);
	naohw_snapshot_free(far);
	naohw_store_close(other);
	naohw_store_close(store);
	store = NULL;
}

static void it_is_as_its_model(void **state)
{
	(void)state;
	each_seed(SEEDS, any_store);
}

/* ---- names ---- */

static void names_of_one_hash_are_two_slots(void **state)
{
	static const struct store_key keys[] = {
		{ "Device/SubDeviceList/K2830/Value", NAOHW_KEY_FLOAT, false },
		{ "Device/SubDeviceList/K74449/Value", NAOHW_KEY_FLOAT, false },
	};

	(void)state;
	create(keys, 2);
	assert_int_equal(find(store, keys[0].name), 0);
	assert_int_equal(find(store, keys[1].name), 1);
	naohw_store_close(store);
	create(keys, 1);
	assert_int_equal(find(store, keys[1].name), -ENOENT);
}

static void names_are_found_and_no_others(void **state)
{
	static char name[5000][16];
	static struct store_key keys[5000];

	(void)state;
	for (unsigned int i = 0; i < 5000; i++) {
		snprintf(name[i], sizeof(name[i]), "Key/%u", i);
		keys[i] = (struct store_key){ name[i], NAOHW_KEY_FLOAT, i % 2 };
	}
	create(keys, 5000);
	for (unsigned int i = 0; i < 5000; i++) {
		assert_int_equal(find(store, name[i]), i);
		assert_string_equal(naohw_store_name(store, i), name[i]);
	}
	assert_int_equal(find(store, "Key/5000"), -ENOENT);
	assert_int_equal(find(store, "Key/"), -ENOENT);
	assert_int_equal(find(store, ""), -ENOENT);
	assert_int_equal(naohw_store_slot_count(store), 5000);
	assert_null(naohw_store_name(store, 5000));
}

static void a_store_may_be_empty(void **state)
{
	struct naohw_value value;

	(void)state;
	create(NULL, 0);
	assert_int_equal(naohw_store_publish(store), 0);
	assert_int_equal(find(store, "Angle"), -ENOENT);
	assert_int_equal(naohw_store_read(store, 0, &value), -EINVAL);
	assert_int_equal(naohw_store_sequence(store), 1);
}

static void too_many_keys_are_refused(void **state)
{
	struct store_key *keys = calloc(STORE_SLOTS + 1, sizeof(*keys));
	struct naohw_error err;

	(void)state;
	assert_non_null(keys);
	for (size_t i = 0; i < STORE_SLOTS + 1; i++)
		keys[i].name = "Key";
	assert_int_equal(store_create(keys, STORE_SLOTS + 1, &store, &err), -EINVAL);
	assert_says(&err, "more than a store has slots for");
	assert_int_equal(store_create(keys, 2, &store, &err), -EINVAL);
	assert_says(&err, "two keys have the same name");
	free(keys);
}

/* ---- values ---- */

static void nothing_is_there_before_it_is_published(void **state)
{
	struct naohw_value value = a_float(0.5, NAOHW_STATE_FRESH, 7);

	(void)state;
	create(kinds, KINDS);
	assert_int_equal(read_slot(store, ANGLE).state, NAOHW_STATE_ABSENT);
	assert_int_equal(read_slot(store, WORD).state, NAOHW_STATE_ABSENT);
	assert_string_equal(read_slot(store, WORD).text, "");
	store_put(store, ANGLE, &value);
	assert_int_equal(read_slot(store, ANGLE).state, NAOHW_STATE_ABSENT);
	assert_int_equal(naohw_store_publish(store), 0);
	assert_int_equal(read_slot(store, ANGLE).state, NAOHW_STATE_FRESH);
	assert_int_equal(read_slot(store, ANGLE).time, 7);
	assert_near(read_slot(store, ANGLE).number, 0.5, 0);
	assert_int_equal(naohw_store_read(store, KINDS, &value), -EINVAL);
}

static void texts_are_bounded(void **state)
{
	char text[NAOHW_TEXT_SIZE];

	(void)state;
	memset(text, 'w', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	create(kinds, KINDS);
	put_text(WORD, text);
	put_text(LABEL, text);
	assert_int_equal(naohw_store_publish(store), 0);
	assert_string_equal(read_slot(store, WORD).text, text);
	assert_string_equal(read_slot(store, LABEL).text, text);
	put_text(WORD, "w");
	assert_int_equal(naohw_store_publish(store), 0);
	assert_string_equal(read_slot(store, WORD).text, "w");
}

/* Of what somebody had in his memory behind the text nothing is for others to see. */
static void a_text_that_does_not_end_is_cut(void **state)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH };

	(void)state;
	memset(value.text, 'w', sizeof(value.text));
	create(kinds, KINDS);
	store_put(store, LABEL, &value);
	assert_int_equal(strlen(read_slot(store, LABEL).text), NAOHW_TEXT_SIZE - 1);
	memcpy(value.text, "a\0secret", 9);
	store_put(store, LABEL, &value);
	assert_memory_equal(read_slot(store, LABEL).text, "a\0\0\0\0\0\0\0\0", 9);
}

static void a_snapshot_stays(void **state)
{
	struct naohw_value value = a_float(1, NAOHW_STATE_FRESH, 1);
	struct naohw_snapshot *snapshot;

	(void)state;
	create(kinds, KINDS);
	assert_int_equal(naohw_snapshot_new(store, &snapshot, NULL), 0);
	assert_int_equal(naohw_snapshot_sequence(snapshot), 0);
	store_put(store, ANGLE, &value);
	naohw_store_publish(store);
	assert_int_equal(naohw_snapshot_take(snapshot), 0);
	for (unsigned int i = 2; i < 3 * STORE_FRAMES; i++) {
		value.number = i;
		store_put(store, ANGLE, &value);
		naohw_store_publish(store);
		assert_near(read_slot(store, ANGLE).number, i, 0);
	}
	assert_int_equal(naohw_snapshot_get(snapshot, ANGLE, &value), 0);
	assert_near(value.number, 1, 0);
	assert_int_equal(naohw_snapshot_sequence(snapshot), 1);
	assert_int_equal(naohw_snapshot_get(snapshot, KINDS, &value), -EINVAL);
	naohw_snapshot_free(snapshot);
}

/*
 * The writer begins to write over a frame when it has published one less than there are after
 * it. The stress test sees a check that is missing, but not one that is late by one.
 */
static void who_is_lapped_knows_it(void **state)
{
	uint64_t next;

	(void)state;
	create(kinds, KINDS);
	for (unsigned int i = 0; i < 10; i++)
		naohw_store_publish(store);
	next = store_newest(store) + 1;
	assert_ptr_equal(frame_of(store, next), frame_of(store, next - STORE_FRAMES));
	assert_true(store_lapped(store, next - STORE_FRAMES));
	assert_false(store_lapped(store, next - STORE_FRAMES + 1));
	assert_false(store_lapped(store, next - 1));
}

static void nothing_is_allocated(void **state)
{
	struct naohw_snapshot *snapshot;
	struct naohw_value value = a_float(1, NAOHW_STATE_FRESH, 1);
	unsigned int before;

	(void)state;
	create(kinds, KINDS);
	assert_int_equal(naohw_snapshot_new(store, &snapshot, NULL), 0);
	before = allocations();
	assert_true(before > 0);
	for (unsigned int i = 0; i < 100; i++) {
		store_put(store, ANGLE, &value);
		assert_int_equal(naohw_store_publish(store), 0);
		assert_int_equal(find(store, "Word"), WORD);
		assert_int_equal(naohw_store_read(store, WORD, &value), 0);
		assert_int_equal(naohw_snapshot_take(snapshot), 0);
		assert_int_equal(naohw_snapshot_get(snapshot, ANGLE, &value), 0);
	}
	assert_int_equal(allocations(), before);
	naohw_snapshot_free(snapshot);
}

/* ---- another process ---- */

static void nobody_else_can_write(void **state)
{
	int fd;

	(void)state;
	create(kinds, KINDS);
	fd = naohw_store_fd(store);
	assert_int_equal(pwrite(fd, "x", 1, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_ptr_equal(mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

static void who_reads_does_not_publish(void **state)
{
	struct naohw_store *other;

	(void)state;
	create(kinds, KINDS);
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &other, NULL), 0);
	assert_int_equal(naohw_store_generation(other), naohw_store_generation(store));
	assert_int_equal(naohw_store_publish(other), -EBADF);
	/* Nor does he end the store by going away. */
	naohw_store_close(other);
	assert_int_equal(naohw_store_check(store, PATIENCE), 0);
}

static void a_later_store_is_another(void **state)
{
	uint64_t first;

	(void)state;
	create(kinds, KINDS);
	first = naohw_store_generation(store);
	naohw_store_close(store);
	create(kinds, KINDS);
	assert_true(naohw_store_generation(store) > first);
}

/* However busy the machine is, once it looks in time; and before it never does. */
static void publishing_is_a_sign_of_life(void **state)
{
	int found = -EOWNERDEAD;

	(void)state;
	create(kinds, KINDS);
	usleep(30000);
	assert_int_equal(naohw_store_check(store, 20), -EOWNERDEAD);
	for (unsigned int i = 0; i < PATIENCE && found; i++) {
		assert_int_equal(naohw_store_publish(store), 0);
		found = naohw_store_check(store, 20);
	}
	assert_int_equal(found, 0);
}

static void an_end_is_seen(void **state)
{
	struct naohw_value value = a_float(0.5, NAOHW_STATE_FRESH, 1);
	struct naohw_store *other;

	(void)state;
	create(kinds, KINDS);
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &other, NULL), 0);
	store_put(store, ANGLE, &value);
	naohw_store_publish(store);
	naohw_store_close(store);
	store = NULL;
	assert_int_equal(naohw_store_check(other, PATIENCE), -ESHUTDOWN);
	assert_near(read_slot(other, ANGLE).number, 0.5, 0);
	naohw_store_close(other);
}

/* A descriptor goes to another process as one goes through a socket. */
union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static struct msghdr message(struct iovec *iov, union control *control)
{
	return (struct msghdr){ .msg_iov = iov,
				.msg_iovlen = 1,
				.msg_control = control,
				.msg_controllen = sizeof(*control) };
}

static void send_fd(int socket, int fd)
{
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	union control control = { 0 };
	struct msghdr msg = message(&iov, &control);

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	if (sendmsg(socket, &msg, 0) != 1)
		_exit(1);
}

static int receive_fd(int socket)
{
	char byte;
	struct iovec iov = { &byte, 1 };
	union control control = { 0 };
	struct msghdr msg = message(&iov, &control);
	int fd;

	assert_int_equal(recvmsg(socket, &msg, 0), 1);
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}

static void write_for_ever(int socket)
{
	struct naohw_value value = a_float(0, NAOHW_STATE_FRESH, 1);

	if (store_create(kinds, KINDS, &store, NULL) < 0)
		_exit(1);
	for (send_fd(socket, naohw_store_fd(store));; usleep(1000)) {
		value.number++;
		store_put(store, ANGLE, &value);
		naohw_store_publish(store);
	}
}

/* Wait for it, with an end. */
static int checked(const struct naohw_store *other, unsigned int limit_ms, int expected)
{
	int found = 0;

	for (unsigned int i = 0; i < PATIENCE; i++) {
		found = naohw_store_check(other, limit_ms);
		if (found == expected)
			break;
		usleep(1000);
	}
	return found;
}

static void wait_for_values(const struct naohw_store *other, uint64_t count)
{
	for (unsigned int i = 0; i < PATIENCE && naohw_store_sequence(other) < count; i++)
		usleep(1000);
	assert_true(naohw_store_sequence(other) >= count);
}

/* One that writes for ever, and its store. */
static pid_t fork_writer(int pair[2], struct naohw_store **its)
{
	pid_t writer;
	int fd;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	writer = fork();
	if (writer == 0)
		write_for_ever(pair[1]);
	assert_true(writer > 0);
	fd = receive_fd(pair[0]);
	assert_int_equal(naohw_store_attach(fd, its, NULL), 0);
	close(fd);
	return writer;
}

static void a_death_is_seen(void **state)
{
	struct naohw_store *other;
	double last;
	int pair[2];
	pid_t writer;

	(void)state;
	writer = fork_writer(pair, &other);
	wait_for_values(other, 20);
	assert_int_equal(checked(other, PATIENCE, 0), 0);
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	assert_int_equal(checked(other, 20, -EOWNERDEAD), -EOWNERDEAD);
	/* What it said last stays there. */
	last = read_slot(other, ANGLE).number;
	assert_near(last, (double)naohw_store_sequence(other), 1);
	naohw_store_close(other);
	close(pair[0]);
	close(pair[1]);
}

/* ---- waiting ---- */

static void what_is_there_is_not_waited_for(void **state)
{
	uint64_t sequence = 0;

	(void)state;
	create(kinds, KINDS);
	assert_int_equal(naohw_store_wait(store, &sequence, 0), -ETIMEDOUT);
	assert_int_equal(sequence, 0);
	naohw_store_publish(store);
	naohw_store_publish(store);
	assert_int_equal(naohw_store_wait(store, &sequence, 0), 0);
	assert_int_equal(sequence, 2);
	assert_int_equal(naohw_store_wait(store, &sequence, 5), -ETIMEDOUT);
	assert_int_equal(sequence, 2);
}

/* Another process, which has the descriptor alone, answers each publishing with a byte. */
static void wait_for_ever(int socket)
{
	struct naohw_store *other;
	uint64_t sequence = 0;
	char byte;
	int ret;

	if (naohw_store_attach(receive_fd(socket), &other, NULL) < 0)
		_exit(1);
	while ((ret = naohw_store_wait(other, &sequence, PATIENCE)) == 0) {
		byte = (char)sequence;
		if (write(socket, &byte, 1) != 1)
			_exit(1);
	}
	_exit(-ret);
}

static pid_t fork_waiter(int *socket)
{
	int pair[2];
	pid_t waiter;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	waiter = fork();
	if (waiter == 0)
		wait_for_ever(pair[1]);
	assert_true(waiter > 0);
	close(pair[1]);
	send_fd(pair[0], naohw_store_fd(store));
	*socket = pair[0];
	return waiter;
}

static int status_of(pid_t process)
{
	int status;

	assert_int_equal(waitpid(process, &status, 0), process);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define SOON 100000000 /* ns */

/* Most often it sleeps by then. */
static void let_it_sleep(void)
{
	usleep(20000);
}

static void each_publishing_wakes_another_process(void **state)
{
	unsigned int soon = 0;
	pid_t waiter;
	int socket;

	(void)state;
	create(kinds, KINDS);
	waiter = fork_waiter(&socket);
	for (int i = 1; i <= 10; i++) {
		int64_t begin;
		char byte;

		let_it_sleep();
		begin = monotonic_ns();
		naohw_store_publish(store);
		assert_int_equal(read(socket, &byte, 1), 1);
		assert_int_equal(byte, i);
		soon += monotonic_ns() - begin < SOON;
	}
	/* Whoever is not woken looks by himself, and later than that. */
	assert_true(soon >= 5);
	naohw_store_close(store);
	store = NULL;
	assert_int_equal(status_of(waiter), ESHUTDOWN);
	close(socket);
}

static void a_killed_writer_ends_the_wait(void **state)
{
	struct naohw_store *other;
	uint64_t sequence = 0;
	int pair[2], ret;
	pid_t writer;

	(void)state;
	writer = fork_writer(pair, &other);
	for (unsigned int i = 0; i < 20; i++)
		assert_int_equal(naohw_store_wait(other, &sequence, PATIENCE), 0);
	assert_true(sequence >= 20);
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	do
		ret = naohw_store_wait(other, &sequence, PATIENCE);
	while (ret == 0);
	assert_int_equal(ret, -EOWNERDEAD);
	naohw_store_close(other);
	close(pair[0]);
	close(pair[1]);
}

/* Many more than the writer rings awake by itself, which are WRITER_RINGS */
#define SLEEPERS     200
#define WRITER_RINGS 32

static atomic_uint asleep, rung;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

static bool is_wait(long number, long what)
{
	return number == FUTEX_CALL && what == FUTEX_WAIT_BITSET;
}

/* The library's are of futexes, and have all six arguments. */
long __wrap_syscall(long number, ...)
{
	long argument[6], ret;
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	asleep += is_wait(number, argument[1]);
	ret = __real_syscall(number, argument[0], argument[1], argument[2], argument[3],
			     argument[4], argument[5]);
	rung += is_wait(number, argument[1]) && ret == 0;
	return ret;
}

/* A busy machine takes its time to begin that many threads. */
static void let_all_sleep(void)
{
	for (unsigned int i = 0; i < PATIENCE && asleep < SLEEPERS; i++)
		usleep(1000);
	assert_true(asleep >= SLEEPERS);
	let_it_sleep();
}

static void *sleep_once(void *data)
{
	uint64_t sequence = 0;

	return naohw_store_wait(store, &sequence, PATIENCE) == 0 ? data : NULL;
}

static void sleepers_wake_each_other(void **state)
{
	pthread_t sleeper[SLEEPERS];
	char woken;
	void *end;

	(void)state;
	create(kinds, KINDS);
	asleep = 0;
	rung = 0;
	for (unsigned int i = 0; i < SLEEPERS; i++)
		assert_int_equal(pthread_create(&sleeper[i], NULL, sleep_once, &woken), 0);
	let_all_sleep();
	naohw_store_publish(store);
	for (unsigned int i = 0; i < SLEEPERS; i++) {
		pthread_join(sleeper[i], &end);
		assert_non_null(end);
	}
	assert_true(rung > WRITER_RINGS);
}

/* A program of somebody's own, whose threads do not pass on what they have been rung for */
static void *sleep_alone(void *data)
{
	store_bell *bell = &store->header->bell;
	int64_t longest = monotonic_ns() + (int64_t)PATIENCE * 1000000;

	futex_sleep(bell, atomic_load(bell), longest, FUTEX_OF_ALL, FUTEX_ANYBODY);
	return data;
}

static void who_sleeps_behind_those_is_woken(void **state)
{
	pthread_t sleeper[SLEEPERS];
	int woken = 0;

	(void)state;
	create(kinds, KINDS);
	asleep = 0;
	for (unsigned int i = 0; i < SLEEPERS; i++)
		assert_int_equal(pthread_create(&sleeper[i], NULL, sleep_alone, NULL), 0);
	let_all_sleep();
	naohw_store_publish(store);
	/* All but those that publishing has woken */
	woken = naohw_store_wake(store);
	assert_true(woken > SLEEPERS / 4);
	for (unsigned int i = 0; i < SLEEPERS; i++)
		pthread_join(sleeper[i], NULL);
}

/* Whoever waits sleeps, and does not look again and again. */
static void who_waits_sleeps(void **state)
{
	uint64_t sequence = 0;

	(void)state;
	create(kinds, KINDS);
	asleep = 0;
	assert_int_equal(naohw_store_wait(store, &sequence, 50), -ETIMEDOUT);
	assert_in_range(asleep, 1, 10);
}

/* ---- closing under who waits ---- */

static void *wait_in_vain(void *data)
{
	uint64_t sequence = naohw_store_sequence(data);

	return (void *)(intptr_t)naohw_store_wait(data, &sequence, PATIENCE);
}

static void close_under_sleepers(struct naohw_store *of)
{
	pthread_t sleeper[4];
	void *ret;

	asleep = 0;
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&sleeper[i], NULL, wait_in_vain, of), 0);
	for (unsigned int i = 0; i < PATIENCE && asleep < 4; i++)
		usleep(1000);
	naohw_store_close(of);
	for (unsigned int i = 0; i < 4; i++) {
		pthread_join(sleeper[i], &ret);
		assert_int_equal((intptr_t)ret, -ESHUTDOWN);
	}
}

static void closing_ends_all_waits(void **state)
{
	(void)state;
	create(kinds, KINDS);
	close_under_sleepers(store);
	store = NULL;
}

/* Its writer goes on, and its memory is only read here. */
static void closing_ends_those_for_another_process(void **state)
{
	struct naohw_store *other;

	(void)state;
	create(kinds, KINDS);
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &other, NULL), 0);
	close_under_sleepers(other);
	assert_int_equal(naohw_store_check(store, PATIENCE), 0);
}

/* ---- a writer that is begun anew ---- */

static void publish_angle(double number, unsigned int times)
{
	struct naohw_value value = a_float(number, NAOHW_STATE_FRESH, 1);

	store_put(store, ANGLE, &value);
	for (; times; times--)
		naohw_store_publish(store);
}

static void end_writer(void)
{
	naohw_store_close(store);
	store = NULL;
}

static void another_takes_its_place(void **state)
{
	struct naohw_snapshot *snapshot;
	struct naohw_store *other;
	struct naohw_value value;
	uint64_t generation, sequence = 2;

	(void)state;
	create(kinds, KINDS);
	publish_angle(1, 2);
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &other, NULL), 0);
	assert_int_equal(naohw_snapshot_new(other, &snapshot, NULL), 0);
	generation = naohw_store_generation(other);
	end_writer();
	assert_int_equal(naohw_store_wait(other, &sequence, PATIENCE), -ESHUTDOWN);
	create(kinds, KINDS);
	publish_angle(2, 1);
	assert_int_equal(store_follow(other, naohw_store_fd(store), NULL), 0);
	assert_true(naohw_store_generation(other) > generation);
	assert_int_equal(naohw_store_wait(other, &sequence, 0), 0);
	assert_int_equal(sequence, 1);
	assert_int_equal(naohw_snapshot_take(snapshot), 0);
	assert_int_equal(naohw_snapshot_get(snapshot, ANGLE, &value), 0);
	assert_near(value.number, 2, 0);
	/* Its descriptor is for who comes next. */
	assert_int_equal(lseek(naohw_store_fd(other), 0, SEEK_END), other->size);
	publish_angle(3, 1);
	assert_near(read_slot(other, ANGLE).number, 3, 0);
	naohw_snapshot_free(snapshot);
	naohw_store_close(other);
}

static void one_of_other_slots_does_not(void **state)
{
	struct store_key keys[KINDS];
	struct naohw_store *other;
	struct naohw_error err;

	(void)state;
	create(kinds, KINDS);
	publish_angle(1, 1);
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &other, NULL), 0);
	end_writer();
	memcpy(keys, kinds, sizeof(keys));
	keys[ANGLE].name = "Ankle";
	create(keys, KINDS);
	publish_angle(2, 1);
	assert_int_equal(store_follow(other, naohw_store_fd(store), &err), -ESTALE);
	assert_says(&err, "others than before");
	end_writer();
	create(kinds, KINDS - 1);
	assert_int_equal(store_follow(other, naohw_store_fd(store), NULL), -ESTALE);
	assert_int_equal(store_follow(other, -1, NULL), -EBADF);
	assert_near(read_slot(other, ANGLE).number, 1, 0);
	naohw_store_close(other);
}

/*
 * Frames of one number modulo STORE_FRAMES, a few later than those that a reader has begun with:
 * it must not take them for ones of the same store.
 */
static void who_reads_meanwhile_is_lapped(void **state)
{
	struct naohw_store *other;
	uint64_t sequence;

	(void)state;
	create(kinds, KINDS);
	publish_angle(1, 3);
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &other, NULL), 0);
	sequence = store_newest(other);
	end_writer();
	create(kinds, KINDS);
	publish_angle(2, 5);
	assert_int_equal(store_follow(other, naohw_store_fd(store), NULL), 0);
	assert_true(store_lapped(other, sequence));
	naohw_store_close(other);
}

/* ---- memory that lies ---- */

static unsigned char good[1 << 14];
static size_t good_size;

/* Each type, some names, and something in each */
static void make_good(void)
{
	struct naohw_value value = a_float(0.5, NAOHW_STATE_FRESH, 1);

	create(kinds, KINDS);
	store_put(store, ANGLE, &value);
	put_text(WORD, "word");
	put_text(LABEL, "label");
	naohw_store_publish(store);
	good_size = (size_t)lseek(naohw_store_fd(store), 0, SEEK_END);
	assert_in_range(good_size, 1, sizeof(good));
	assert_int_equal(pread(naohw_store_fd(store), good, good_size, 0), good_size);
}

static int attach_sealed(const unsigned char *bytes, size_t size, int seals,
			 struct naohw_store **other, struct naohw_error *err)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	ret = naohw_store_attach(fd, other, err);
	close(fd);
	return ret;
}

static int attach(const unsigned char *bytes, size_t size, struct naohw_store **other,
		  struct naohw_error *err)
{
	return attach_sealed(bytes, size, F_SEAL_SHRINK, other, err);
}

static void check_refused(const unsigned char *bytes, size_t size, const char *says)
{
	struct naohw_store *other;
	struct naohw_error err;

	assert_int_equal(attach(bytes, size, &other, &err), -EINVAL);
	assert_says(&err, says);
}

static void what_is_no_store_is_refused(void **state)
{
	struct naohw_store *other;
	struct naohw_error err;
	int pair[2];

	(void)state;
	make_good();
	assert_int_equal(attach(good, good_size, &other, &err), 0);
	assert_string_equal(read_slot(other, LABEL).text, "label");
	naohw_store_close(other);
	assert_int_equal(attach_sealed(good, good_size, F_SEAL_GROW, &other, &err), -EINVAL);
	assert_says(&err, "not sealed");
	assert_int_equal(naohw_store_attach(-1, &other, &err), -EBADF);
	assert_int_equal(pipe(pair), 0);
	assert_int_equal(naohw_store_attach(pair[0], &other, &err), -EINVAL);
	close(pair[0]);
	close(pair[1]);
}

/* A size that was asked for before the seals were says nothing. */
static void who_shrinks_it_before_he_seals_it_is_refused(void **state)
{
	struct naohw_store *other;
	struct naohw_error err;

	(void)state;
	make_good();
	shrinks = true;
	assert_int_equal(attach_sealed(good, good_size, 0, &other, &err), -EINVAL);
	assert_says(&err, "too short");
}

static void other_sizes_are_refused(void **state)
{
	static unsigned char longer[sizeof(good) + 64];

	(void)state;
	make_good();
	memcpy(longer, good, good_size);
	check_refused(longer, good_size + 64, "its size");
	check_refused(longer, good_size - 1, "its size");
	check_refused(longer, sizeof(struct store_header), "its size");
	check_refused(longer, sizeof(struct store_header) - 1, "too short");
	check_refused(longer, 1, "too short");
	check_refused(longer, 0, "too short");
}

static void what_is_far_too_long_is_not_mapped(void **state)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct naohw_store *other;
	struct naohw_error err;

	(void)state;
	assert_int_equal(ftruncate(fd, STORE_SIZE + 1), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_int_equal(naohw_store_attach(fd, &other, &err), -EINVAL);
	assert_says(&err, "too long");
	close(fd);
}

/* The largest that there can be is no longer than that. */
static void the_largest_store_can_be_mapped(void **state)
{
	const struct store_counts most = { STORE_SLOTS, STORE_NAMES, STORE_SLOTS * WORDS_MAX,
					   STORE_SLOTS * WORDS_MAX };

	(void)state;
	assert_true(layout_of(&most).size <= STORE_SIZE);
}

#define HEADER(member) offsetof(struct store_header, member)
#define ENTRY(number, member)                                                  \
	(sizeof(struct store_header) + (number) * sizeof(struct store_entry) + \
	 offsetof(struct store_entry, member))

static void lies_are_refused(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
		const char *says;
	} lies[] = {
		{ HEADER(magic), 0, "no store" },
		{ HEADER(magic) + 4, 0x6e61, "no store" },
		{ HEADER(version), STORE_VERSION + 1, "another version" },
		{ HEADER(frames), 0, "another version" },
		{ HEADER(frames), UINT32_MAX, "another version" },
		{ HEADER(size), 0, "its size" },
		{ HEADER(size) + 4, 1, "its size" },
		{ HEADER(counts.slots), UINT32_MAX, "too many" },
		{ HEADER(counts.slots), STORE_SLOTS + 1, "too many" },
		{ HEADER(counts.slots), 0x10000000, "too many" },
		{ HEADER(counts.slots), STORE_SLOTS, "its size" },
		{ HEADER(counts.slots), 0, "not need" },
		{ HEADER(counts.names), UINT32_MAX, "too many" },
		{ HEADER(counts.names), STORE_NAMES, "its size" },
		{ HEADER(counts.names), 0, "its size" },
		{ HEADER(counts.constant_words), UINT32_MAX, "not need" },
		{ HEADER(counts.constant_words), 0x20000000, "not need" },
		{ HEADER(counts.frame_words), UINT32_MAX, "not need" },
		{ HEADER(counts.frame_words), 0x80000001, "not need" },
		{ HEADER(counts.frame_words), 0, "its size" },
		{ ENTRY(0, name), UINT32_MAX, "outside of the names" },
		{ ENTRY(0, name), 4096, "outside of the names" },
		{ ENTRY(0, name), 1, "do not follow" },
		{ ENTRY(1, name), 0, "do not follow" },
		{ ENTRY(1, name), 1, "do not follow" },
		{ ENTRY(KINDS - 1, name), 0, "do not follow" },
		{ ENTRY(0, type), NAOHW_KEY_BOOL + 1, "a type that" },
		{ ENTRY(0, type), UINT32_MAX, "a type that" },
		{ ENTRY(KINDS - 2, at), 10, "outside of the values" },
		{ ENTRY(0, at), UINT32_MAX, "outside of the values" },
		{ ENTRY(0, at), UINT32_MAX - 2, "outside of the values" },
		{ ENTRY(KINDS - 1, at), 1, "outside of the values" },
	};
	static unsigned char bytes[sizeof(good)];

	(void)state;
	make_good();
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		memcpy(bytes, good, good_size);
		memcpy(bytes + lies[i].at, &lies[i].value, sizeof(lies[i].value));
		check_refused(bytes, good_size, lies[i].says);
	}
}

/* All names that begin in one text of 4 MB would be read to its end, one after the other. */
static void names_do_not_overlap(void **state)
{
	const struct store_key keys[] = { { "one", NAOHW_KEY_INT, true },
					  { "two", NAOHW_KEY_INT, true } };
	struct store_layout layout;

	(void)state;
	create(keys, 2);
	layout = layout_of(&store->counts);
	good_size = layout.size;
	assert_int_equal(pread(naohw_store_fd(store), good, good_size, 0), good_size);
	good[layout.names + 3] = 'x';
	check_refused(good, good_size, "do not follow");
	memcpy(good + layout.names, "two", 4);
	check_refused(good, good_size, "the same name");
}

/* Whatever is in memory, a reader ends, within his memory; sanitizers look after that. */
static void read_all(struct naohw_store *other)
{
	struct naohw_snapshot *snapshot;
	struct naohw_value value;

	assert_int_equal(naohw_snapshot_new(other, &snapshot, NULL), 0);
	(void)naohw_snapshot_take(snapshot);
	for (size_t i = 0; i < naohw_store_slot_count(other); i++) {
		(void)find(other, naohw_store_name(other, i));
		(void)naohw_store_read(other, i, &value);
		assert_true(strlen(value.text) < NAOHW_TEXT_SIZE);
		assert_in_range(value.state, NAOHW_STATE_ABSENT, NAOHW_STATE_FAULTY);
		(void)naohw_snapshot_get(snapshot, i, &value);
	}
	(void)naohw_store_check(other, 1);
	naohw_snapshot_free(snapshot);
}

static unsigned int taken; /* of damaged stores */

static void any_damage(void)
{
	static unsigned char bytes[sizeof(good)];
	struct naohw_store *other;

	memcpy(bytes, good, good_size);
	for (unsigned int i = 0; i <= chance(4); i++)
		bytes[chance((unsigned int)good_size)] = (unsigned char)chance(256);
	if (attach(bytes, good_size, &other, NULL) < 0)
		return;
	taken++;
	read_all(other);
	naohw_store_close(other);
}

static void no_bytes_make_a_reader_run_away(void **state)
{
	(void)state;
	make_good();
	taken = 0;
	each_seed(DAMAGES, any_damage);
	if (!getenv("NAOHW_SEED"))
		assert_in_range(taken, 100, DAMAGES - 1);
}

/* Names without an end: the last byte of them is no NUL. */
static void names_have_an_end(void **state)
{
	struct naohw_store *other;
	struct store_counts counts;
	size_t end;

	(void)state;
	make_good();
	memcpy(&counts, good + HEADER(counts), sizeof(counts));
	end = layout_of(&counts).names + counts.names;
	memset(good + end - 1, 'x', layout_of(&counts).constants - end + 1);
	assert_int_equal(attach(good, good_size, &other, NULL), 0);
	assert_string_equal(naohw_store_name(other, KINDS - 1), "Labelx");
	naohw_store_close(other);
}

/* Values are not checked once: they change. */
static void wrong_values_are_still_values(void **state)
{
	static const uint64_t seven = 7;
	struct naohw_store *other;
	struct store_counts counts;
	struct store_layout layout;
	size_t frame;

	(void)state;
	make_good();
	memcpy(&counts, good + HEADER(counts), sizeof(counts));
	layout = layout_of(&counts);
	frame = layout.frames + store_newest(store) % STORE_FRAMES * layout.frame_size;
	memset(good + layout.constants, 'x', TEXT_WORDS * sizeof(store_word));
	memcpy(good + frame + (PRESSED * NUMBER_WORDS + WORD_VALUE) * sizeof(store_word), &seven,
	       sizeof(seven));
	assert_int_equal(attach(good, good_size, &other, NULL), 0);
	assert_int_equal(strlen(read_slot(other, LABEL).text), NAOHW_TEXT_SIZE - 1);
	assert_int_equal(read_slot(other, LABEL).state, NAOHW_STATE_ABSENT);
	assert_int_equal(read_slot(other, PRESSED).integer, 1);
	assert_int_equal(read_slot(other, PRESSED).type, NAOHW_KEY_BOOL);
	naohw_store_close(other);
}

int main(void)
{
#define STORE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		STORE_TEST(it_is_as_its_model),
		STORE_TEST(names_of_one_hash_are_two_slots),
		STORE_TEST(names_are_found_and_no_others),
		STORE_TEST(a_store_may_be_empty),
		STORE_TEST(too_many_keys_are_refused),
		STORE_TEST(nothing_is_there_before_it_is_published),
		STORE_TEST(texts_are_bounded),
		STORE_TEST(a_text_that_does_not_end_is_cut),
		STORE_TEST(a_snapshot_stays),
		STORE_TEST(who_is_lapped_knows_it),
		STORE_TEST(nothing_is_allocated),
		STORE_TEST(nobody_else_can_write),
		STORE_TEST(who_reads_does_not_publish),
		STORE_TEST(a_later_store_is_another),
		STORE_TEST(publishing_is_a_sign_of_life),
		STORE_TEST(an_end_is_seen),
		STORE_TEST(a_death_is_seen),
		STORE_TEST(what_is_there_is_not_waited_for),
		STORE_TEST(each_publishing_wakes_another_process),
		STORE_TEST(a_killed_writer_ends_the_wait),
		STORE_TEST(sleepers_wake_each_other),
		STORE_TEST(who_sleeps_behind_those_is_woken),
		STORE_TEST(who_waits_sleeps),
		STORE_TEST(closing_ends_all_waits),
		STORE_TEST(closing_ends_those_for_another_process),
		STORE_TEST(another_takes_its_place),
		STORE_TEST(one_of_other_slots_does_not),
		STORE_TEST(who_reads_meanwhile_is_lapped),
		STORE_TEST(what_is_no_store_is_refused),
		STORE_TEST(who_shrinks_it_before_he_seals_it_is_refused),
		STORE_TEST(other_sizes_are_refused),
		STORE_TEST(what_is_far_too_long_is_not_mapped),
		STORE_TEST(the_largest_store_can_be_mapped),
		STORE_TEST(lies_are_refused),
		STORE_TEST(names_do_not_overlap),
		STORE_TEST(no_bytes_make_a_reader_run_away),
		STORE_TEST(names_have_an_end),
		STORE_TEST(wrong_values_are_still_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
