/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A board's buzzer, the input device "LABEL buzzer". It is silent when a descriptor of it is closed. */
#ifndef NAOHW_BUZZER_H
#define NAOHW_BUZZER_H

/* What a board makes a tone of, in Hz; less is silence. */
#define BUZZER_HZ_MIN 21
#define BUZZER_HZ_MAX 65535

/*
 * Return: a descriptor, or as input_open(). close() ends the tone, and so does the end of the
 * program.
 */
int buzzer_open(const char *label);

/* Have it make a tone, in place of the one before. Return: 0; -ENODEV it is gone; -EACCES */
int buzzer_sound(int fd, int hz);

#endif
