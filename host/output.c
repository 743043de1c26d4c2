// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FILE *rf_output_open(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		fprintf(stderr, "ringfence: cannot write %s: %s\n", path, strerror(errno));
	return file;
}

/* The reason is that of the write that failed, which may have been long ago. */
static int complain(const char *name, int error)
{
	fprintf(stderr, "ringfence: cannot write %s: %s\n", name,
		error ? strerror(error) : "not all of it was taken");
	return -EIO;
}

int rf_output_close(FILE *file, const char *path)
{
	bool failed = ferror(file);
	int error = 0;

	if (fflush(file))
		error = errno;
	failed |= error;
	if (fclose(file) && !failed) {
		error = errno;
		failed = true;
	}
	return failed ? complain(path, error) : 0;
}

int rf_output_write(const char *path, const void *data, size_t bytes)
{
	FILE *file = rf_output_open(path);
	int error = 0;

	if (!file)
		return -EIO;
	setvbuf(file, NULL, _IONBF, 0);
	errno = 0;
	if (bytes && fwrite(data, 1, bytes, file) != bytes)
		error = errno ? errno : EIO;
	if (!error)
		return rf_output_close(file, path);
	fclose(file);
	return complain(path, error);
}

char *rf_output_path(const char *folder, const char *name, const char *ending)
{
	char *path;

	if (asprintf(&path, "%s/%s%s", folder, name, ending) >= 0)
		return path;
	fprintf(stderr, "ringfence: no memory for a name\n");
	return NULL;
}

void rf_output_begin(void)
{
	int file;

	/* Not for writing, so that what is printed to a closed output is missed. */
	for (file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0)
			exit(1);
}

int rf_output_end(int status)
{
	bool failed = ferror(stdout);
	int error = 0;

	if (fflush(stdout) || (!failed && close(STDOUT_FILENO)))
		error = errno;
	if (!failed && !error)
		return status;
	complain("standard output", error);
	return status ? status : 1;
}
