// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * registers ROUNDS -- has threads of two processes keep patterns in the vector registers, over
 * system calls, page faults, signals and each other, and prints how often one was not there any
 * more, and how many signals came meanwhile:
 *
 *   lost=      of a process
 *   signals=   the same
 *
 * Where there is no AVX it says so, and ends with 77.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS		3
#define PAGE		4096
#define SPIN		1000
#define TICK_US		5000
#define NO_AVX		77

struct kept {
	uint64_t first[4], last[4];
};

static unsigned long rounds;
static atomic_ulong lost, signals;
static _Thread_local volatile sig_atomic_t is_keeping;

/* From setting to looking: a call, a page that is touched for the first time, and some time */
__attribute__((target("avx"))) static void keep(uint64_t pattern, long call, char *page,
						struct kept *kept)
{
	unsigned long spin = SPIN;

	__asm__ volatile("vmovq %[pattern], %%xmm0\n\t"
			 "vpunpcklqdq %%xmm0, %%xmm0, %%xmm0\n\t"
			 "vinsertf128 $1, %%xmm0, %%ymm0, %%ymm0\n\t"
			 "vmovaps %%ymm0, %%ymm15\n\t"
			 "syscall\n\t"
			 "movb $1, (%[page])\n\t"
			 "1: dec %[spin]\n\t"
			 "jnz 1b\n\t"
			 "vmovups %%ymm0, (%[first])\n\t"
			 "vmovups %%ymm15, (%[last])\n\t"
			 "vzeroupper"
			 : "+&a"(call), [spin] "+&r"(spin)
			 : [pattern] "r"(pattern), [page] "r"(page), [first] "r"(kept->first),
			   [last] "r"(kept->last)
			 : "rcx", "r11", "xmm0", "xmm15", "memory", "cc");
}

static void check(uint64_t pattern, const struct kept *kept)
{
	for (int i = 0; i < 4; i++)
		lost += (kept->first[i] != pattern) + (kept->last[i] != pattern);
}

static void *work(void *data)
{
	uint64_t pattern = (uint64_t)(uintptr_t)data * 0x0101010101010101u + (uint64_t)getpid();
	char *pages = mmap(NULL, rounds * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kept kept;

	if (pages == MAP_FAILED)
		exit(EXIT_FAILURE);
	for (unsigned long i = 0; i < rounds; i++) {
		is_keeping = 1;
		keep(pattern + i, i % 2 ? SYS_sched_yield : SYS_getppid, pages + i * PAGE, &kept);
		is_keeping = 0;
		check(pattern + i, &kept);
	}

	return NULL;
}

/* Has other values in the registers itself */
static void at_signal(int signal)
{
	(void)signal;
	signals += is_keeping;
	__asm__ volatile("pcmpeqd %%xmm0, %%xmm0\n\t"
			 "pcmpeqd %%xmm15, %%xmm15" : : : "xmm0", "xmm15");
}

static int work_in_threads(void)
{
	const struct itimerval tick = { { 0, TICK_US }, { 0, TICK_US } };
	struct sigaction action = { .sa_handler = at_signal, .sa_flags = SA_RESTART };
	pthread_t thread[THREADS];

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &tick, NULL);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)(i + 1)))
			return EXIT_FAILURE;
	/* To this one signals come. */
	work((void *)(uintptr_t)(THREADS + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("lost=%lu\nsignals=%lu\n", lost, signals);

	return lost || !signals ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	int status, other = EXIT_FAILURE;
	pid_t child;

	rounds = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	if (!rounds) {
		fputs("usage: registers ROUNDS\n", stderr);
		return 2;
	}
	if (!__builtin_cpu_supports("avx")) {
		fputs("this processor has no AVX\n", stderr);
		return NO_AVX;
	}
	child = fork();
	if (child < 0)
		return EXIT_FAILURE;
	status = work_in_threads();
	if (!child)
		return status;
	waitpid(child, &other, 0);

	return status || other ? EXIT_FAILURE : EXIT_SUCCESS;
}
