// SPDX-License-Identifier: Apache-2.0
/*
 * The files of a wave. Verilator's writer of FST unlinks what it is given a name of and makes
 * a file in its place, checks no write, and maps temporary files, so that a full disk is a
 * SIGBUS. Its calls of the C library are led here when it is built (sim.mk, objcopy): the
 * file that the name stands for is written to, if it can be written at random places;
 * temporary files are memory; and a write that fails is remembered.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wave_file.h"

/* Of the calls since wave_file_begin() in this thread, the first error. */
static _Thread_local int first_error;

static void remember(int error)
{
	if (!first_error)
		first_error = -error;
}

void wave_file_begin(void)
{
	first_error = 0;
}

int wave_file_error(void)
{
	return first_error;
}

/* A temporary file; there is no disk that could be full. */
FILE *rfsim_wave_tmpfile(void)
{
	int descriptor = memfd_create("ringfence-wave", MFD_CLOEXEC);
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+b");

	if (!file) {
		remember(errno);
		if (descriptor >= 0)
			close(descriptor);
	}
	return file;
}

/* A FIFO would be waited for, and a device has no places to come back to. */
static int open_wave(const char *path)
{
	int descriptor = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
	struct stat status;
	int error = 0;

	if (descriptor < 0)
		return -errno;
	if (fstat(descriptor, &status))
		error = errno;
	else if (!S_ISREG(status.st_mode))
		error = ESPIPE;
	else if (ftruncate(descriptor, 0))
		error = errno;
	if (!error)
		return descriptor;
	close(descriptor);
	return -error;
}

static bool ends_with(const char *text, const char *ending)
{
	size_t length = strlen(text), rest = strlen(ending);

	return length >= rest && !strcmp(text + length - rest, ending);
}

FILE *rfsim_wave_fopen(const char *path, const char *mode)
{
	FILE *file;
	int descriptor;

	if (strcmp(mode, "w+b"))
		return fopen(path, mode);
	/* The hierarchy, which becomes part of the wave at its end. */
	if (ends_with(path, ".hier"))
		return rfsim_wave_tmpfile();
	descriptor = open_wave(path);
	if (descriptor < 0) {
		remember(-descriptor);
		return NULL;
	}
	file = fdopen(descriptor, mode);
	if (!file) {
		remember(errno);
		close(descriptor);
	}
	return file;
}

/*
 * The missing part of an incompletely written temporary file reads as 0. Its error is reported
 * when it is closed.
 */
void *rfsim_wave_mmap(void *address, size_t bytes, int access, int flags, int descriptor,
		      off_t offset)
{
	struct stat status;

	if (!fstat(descriptor, &status) && status.st_size < offset + (off_t)bytes) {
		flags = MAP_PRIVATE | MAP_ANONYMOUS;
		descriptor = -1;
		offset = 0;
	}
	return mmap(address, bytes, access, flags, descriptor, offset);
}

/* What is to be unlinked are the names above. */
int rfsim_wave_unlink(const char *path)
{
	(void)path;
	return 0;
}

/* ferror() stays set after a failed write, but errno is not kept. */
static atomic_int reasons[1024]; /* by descriptor */

static atomic_int *reason_of(FILE *file)
{
	return &reasons[(unsigned int)fileno(file) % (sizeof(reasons) / sizeof(reasons[0]))];
}

int rfsim_wave_fflush(FILE *file)
{
	int result = fflush(file);

	if (result)
		atomic_store(reason_of(file), errno);
	return result;
}

int rfsim_wave_fclose(FILE *file)
{
	int error = 0;

	rfsim_wave_fflush(file);
	if (ferror(file))
		error = atomic_load(reason_of(file)) ? atomic_load(reason_of(file)) : EIO;
	atomic_store(reason_of(file), 0);
	if (fclose(file) && !error)
		error = errno;
	if (error)
		remember(error);
	return error ? EOF : 0;
}
