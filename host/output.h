/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outputs. The file that a path names is written in place, also the target of a link, a FIFO or a
 * device; it is not replaced by another file. Every write error is reported on stderr by the last
 * call for the output at the latest. What was written before the error stays.
 */
#ifndef RF_OUTPUT_H
#define RF_OUTPUT_H

#include <stdio.h>

/* To write to, from the beginning. NULL, and a line on stderr. */
FILE *rf_output_open(const char *path);
/* 0; -EIO and a line on stderr: not all of it was written. */
int rf_output_close(FILE *file, const char *path);
/* All at once. */
int rf_output_write(const char *path, const void *data, size_t bytes);
/* "FOLDER/NAME" and the ending, for free(); NULL, and a line on stderr. */
char *rf_output_path(const char *folder, const char *name, const char *ending);

/*
 * At the beginning of a program: what is closed of standard input and output does not get the
 * number of a file that is opened later.
 */
void rf_output_begin(void);
/* At its end, with its status: 1 and a line on stderr if stdout was not all written. */
int rf_output_end(int status);

#endif
