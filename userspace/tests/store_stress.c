// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * store_stress [SNAPSHOTS [READERS]] -- a writer that publishes as fast as it can and readers
 * that take snapshots, so many in all: with all processors, on one of them, and from a writer
 * that is stopped wherever it happens to be. Each value of a frame follows from its number, so
 * that one of another frame is seen. Prints TAP. With ThreadSanitizer it also tells whether what
 * was written before a publishing is there for those who see that.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <naohw.h>

#include "store/inside.h"

#define NUMBERS	    4
#define TEXT	    NUMBERS /* the slot behind them */
#define SLOTS	    (NUMBERS + 1)
#define READERS_MAX 16
#define SAID	    (1u << 22)
#define SELDOM	    8
#define STOPS	    500
/* A system call at the end of each frame is where most signals find it. */
#define STOPS_MOST (20 * STOPS)
#define LOOKS	    100 /* at what a writer has left when it was stopped */

struct reader {
	pthread_t thread;
	const struct naohw_store *store;
	struct naohw_store *own; /* it has mapped the memory once more; or NULL */
	unsigned long snapshots;
	unsigned long torn;
	unsigned long overtaken;
};

static struct naohw_store *store;
static atomic_bool ended;
static int tests, failed;

/* Neither atomic nor locked: only the order of the store's words lets others read it. */
static uint64_t said[SAID];

static void die(const char *what)
{
	fprintf(stderr, "store_stress: %s\n", what);
	exit(1);
}

/* ---- what is in a frame ---- */

static int letter_of(uint64_t sequence)
{
	return 'a' + (int)(sequence % 26);
}

static void put_frame(uint64_t sequence)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = (int64_t)sequence };

	for (size_t i = 0; i < NUMBERS; i++) {
		value.number = (double)(sequence * (i + 1));
		store_put(store, i, &value);
	}
	memset(value.text, letter_of(sequence), NAOHW_TEXT_SIZE - 1);
	store_put(store, TEXT, &value);
}

static bool is_of(const struct naohw_value *value, size_t slot, uint64_t sequence)
{
	if (value->time != (int64_t)sequence)
		return false;
	if (slot < NUMBERS)
		return value->number == (double)(sequence * (slot + 1));
	/* One of each word of it, but before the first frame */
	for (size_t i = 0; sequence && i < NAOHW_TEXT_SIZE; i += sizeof(uint64_t))
		if (value->text[i] != letter_of(sequence))
			return false;
	return true;
}

static void create(void)
{
	static const char *const names[SLOTS] = { "0", "1", "2", "3", "text" };
	struct store_key keys[SLOTS];

	for (size_t i = 0; i < SLOTS; i++)
		keys[i] = (struct store_key){ names[i],
					      i == TEXT ? NAOHW_KEY_STRING : NAOHW_KEY_FLOAT,
					      false };
	if (store_create(keys, SLOTS, &store, NULL) < 0)
		die("no store");
}

static void write_frame(uint64_t sequence)
{
	put_frame(sequence);
	if (sequence < SAID)
		said[sequence] = ~sequence;
	naohw_store_publish(store);
}

/* ---- readers ---- */

static bool is_whole(const struct naohw_snapshot *snapshot)
{
	struct naohw_value value;

	for (size_t i = 0; i < SLOTS; i++) {
		naohw_snapshot_get(snapshot, i, &value);
		if (!is_of(&value, i, naohw_snapshot_sequence(snapshot)))
			return false;
	}
	return true;
}

static bool is_good_slot(struct reader *reader, size_t slot)
{
	struct naohw_value value;

	if (naohw_store_read(reader->store, slot, &value) < 0) {
		reader->overtaken++;
		return true;
	}
	return is_of(&value, slot, (uint64_t)value.time);
}

/* Through another mapping a sanitizer does not know that it is the same memory. */
static bool is_as_said(const struct reader *reader)
{
	uint64_t sequence = naohw_store_sequence(reader->store);

	if (reader->own || sequence == 0 || sequence >= SAID)
		return true;
	return said[sequence] == ~sequence;
}

static void take(struct reader *reader, struct naohw_snapshot *snapshot)
{
	uint64_t before = naohw_snapshot_sequence(snapshot);

	if (naohw_snapshot_take(snapshot) < 0) {
		reader->overtaken++;
		return;
	}
	reader->snapshots++;
	if (!is_whole(snapshot) || naohw_snapshot_sequence(snapshot) < before)
		reader->torn++;
}

/* What is not a snapshot */
static void look_elsewhere(struct reader *reader)
{
	if (!is_as_said(reader))
		reader->torn++;
	if (!is_good_slot(reader, reader->snapshots / SELDOM % SLOTS))
		reader->torn++;
}

static void *read_on(void *data)
{
	struct reader *reader = data;
	unsigned long wanted = reader->snapshots;
	struct naohw_snapshot *snapshot;

	if (naohw_snapshot_new(reader->store, &snapshot, NULL) < 0)
		die("no snapshot");
	for (reader->snapshots = 0; reader->snapshots < wanted;) {
		take(reader, snapshot);
		if (reader->snapshots % SELDOM == 0)
			look_elsewhere(reader);
	}
	naohw_snapshot_free(snapshot);
	return NULL;
}

/* Every other one as if it were another process. */
static void begin_reader(struct reader *reader, bool own, unsigned long snapshots)
{
	*reader = (struct reader){ .store = store, .snapshots = snapshots };
	if (own && naohw_store_attach(naohw_store_fd(store), &reader->own, NULL) < 0)
		die("cannot attach");
	if (own)
		reader->store = reader->own;
	if (pthread_create(&reader->thread, NULL, read_on, reader))
		die("no thread");
}

/* ---- tests ---- */

static void report(const char *name, const struct reader *sum, uint64_t frames)
{
	tests++;
	failed += sum->torn > 0;
	printf("%s %d - %s: %lu snapshots of %llu frames, %lu torn, %lu overtaken\n",
	       sum->torn ? "not ok" : "ok", tests, name, sum->snapshots,
	       (unsigned long long)frames, sum->torn, sum->overtaken);
	fflush(stdout);
}

static void *write_on(void *data)
{
	uint64_t *sequence = data;

	while (!atomic_load(&ended))
		write_frame(++*sequence);
	return NULL;
}

static void add(struct reader *sum, const struct reader *reader)
{
	sum->snapshots += reader->snapshots;
	sum->torn += reader->torn;
	sum->overtaken += reader->overtaken;
}

static void race(const char *name, unsigned long snapshots, unsigned int readers)
{
	struct reader reader[READERS_MAX], sum = { 0 };
	uint64_t sequence = 0;
	pthread_t writer;

	create();
	atomic_store(&ended, false);
	if (pthread_create(&writer, NULL, write_on, &sequence))
		die("no thread");
	for (unsigned int i = 0; i < readers; i++)
		begin_reader(&reader[i], i % 2, snapshots / readers + 1);
	for (unsigned int i = 0; i < readers; i++) {
		pthread_join(reader[i].thread, NULL);
		naohw_store_close(reader[i].own);
		add(&sum, &reader[i]);
	}
	atomic_store(&ended, true);
	pthread_join(writer, NULL);
	naohw_store_close(store);
	report(name, &sum, sequence);
}

/* A frame that was begun and not published: its first word is there, its last is not. */
static bool is_in_the_middle(void)
{
	uint64_t next = naohw_store_sequence(store) + 1;
	const store_word *frame = frame_of(store, store_newest(store) + 1);
	uint32_t text = store->slot[TEXT].at;

	return word_read(&frame[WORD_TIME]) == next && word_read(&frame[text + WORD_TIME]) != next;
}

static void stop(pid_t writer)
{
	int status;

	kill(writer, SIGSTOP);
	if (waitpid(writer, &status, WUNTRACED) != writer || !WIFSTOPPED(status))
		die("the writer has not stopped");
}

static pid_t fork_writer(void)
{
	pid_t writer = fork();

	if (writer < 0)
		die("no process");
	for (uint64_t sequence = 1; writer == 0; sequence++) {
		put_frame(sequence);
		naohw_store_publish(store);
	}
	return writer;
}

static void read_a_stopped_one(void)
{
	struct naohw_snapshot *snapshot;
	struct reader reader = { 0 };
	unsigned int middle = 0;
	pid_t writer;

	create();
	reader.store = store;
	writer = fork_writer();
	if (naohw_snapshot_new(store, &snapshot, NULL) < 0)
		die("no snapshot");
	for (unsigned int i = 0; i < STOPS || (!middle && i < STOPS_MOST); i++) {
		usleep(500 + (unsigned int)rand() % 500);
		stop(writer);
		middle += is_in_the_middle();
		for (unsigned int j = 0; j < LOOKS; j++)
			take(&reader, snapshot);
		kill(writer, SIGCONT);
	}
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	/* With nobody who writes, nobody is overtaken, however often that one stands still. */
	reader.torn += reader.overtaken;
	if (!middle)
		die("the writer was never stopped in the middle of a frame");
	report("a writer that is stopped", &reader, naohw_snapshot_sequence(snapshot));
	printf("# %u of %u times in the middle of a frame\n", middle, STOPS);
	naohw_snapshot_free(snapshot);
	naohw_store_close(store);
}

static void use_one_processor(void)
{
	cpu_set_t all, one;
	int first = 0;

	if (sched_getaffinity(0, sizeof(all), &all) < 0)
		die("which processors are there?");
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		die("cannot stay on one processor");
}

int main(int argc, char **argv)
{
	unsigned long snapshots = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
	unsigned long readers = argc > 2 ? strtoul(argv[2], NULL, 10) : 2;

	if (!snapshots || !readers || readers > READERS_MAX)
		die("usage: store_stress [SNAPSHOTS [READERS]]");
	printf("1..3\n");
	read_a_stopped_one();
	race("on all processors", snapshots / 2, (unsigned int)readers);
	use_one_processor();
	race("on one processor", snapshots / 2, (unsigned int)readers);
	return failed > 0;
}
