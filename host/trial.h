/* SPDX-License-Identifier: Apache-2.0 */
/* A command is run with a device string, as often as one likes: what sweep and shrink share. */
#ifndef RF_TRIAL_H
#define RF_TRIAL_H

#include <stdint.h>

#define RF_TRIAL_OK "ok"
#define RF_TRIAL_OUTCOME 160 /* bytes of an outcome, with its end */

/* The command behind "--" in a command line; *argc is reduced to what is before. NULL: none. */
char **rf_trial_command(int *argc, char **argv);

/*
 * Run @command, found in PATH, with RINGFENCE_DEVICE=@device, and end it after so many @seconds.
 * Its output is not shown. @outcome: RF_TRIAL_OK for status 0, else a line: the status and the last
 * line of its output, a signal, or that it did not end. 0; -errno and a line on stderr if it cannot
 * be run.
 */
int rf_trial_run(char **command, const char *device, uint64_t seconds,
		 char outcome[RF_TRIAL_OUTCOME]);

/* RINGFENCE_DEVICE=... COMMAND..., quoted for a shell, and a newline, on stdout. */
void rf_trial_print(char **command, const char *device);

#endif
