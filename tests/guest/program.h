/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of the guest's tests have in common. */
#ifndef GUEST_PROGRAM_H
#define GUEST_PROGRAM_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ringfence.h"

#define SECOND 1000000000ull
#define TIMEOUT (20 * SECOND)

/* A check of the program; it ends with the first that fails. */
#define CHECK(condition, ...)                                     \
	do {                                                      \
		if (!(condition)) {                               \
			printf("%s:%d: ", __func__, __LINE__);    \
			printf(__VA_ARGS__);                      \
			printf(" (errno %s)\n", strerror(errno)); \
			exit(1);                                  \
		}                                                 \
	} while (0)

/* Passes it on, and closes it here. */
static inline void send_fd(int socket, int fd)
{
	union {
		char space[CMSG_SPACE(sizeof(fd))];
		struct cmsghdr aligned;
	} control = { 0 };
	char byte = 0;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	CHECK(sendmsg(socket, &message, 0) == 1, "sendmsg");
	close(fd);
}

static inline int receive_fd(int socket)
{
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr aligned;
	} control;
	char byte;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int fd;

	CHECK(recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1, "recvmsg");
	CHECK(CMSG_FIRSTHDR(&message), "no file descriptor");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

/* A descriptor of a fence */
static inline int share(struct rf_fence *fence, uint32_t flags)
{
	int fd = -1, error = rf_fence_to_fd(fence, flags, &fd);

	CHECK(!error, "share: %s", strerror(-error));
	return fd;
}

struct check {
	const char *name;
	void (*run)(void);
};

/* The check that the argument names; the exit status of the program. */
static inline int run_check(int argc, char **argv, const struct check *checks, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (argc == 2 && !strcmp(argv[1], checks[i].name)) {
			checks[i].run();
			return 0;
		}
	}
	fprintf(stderr, "no check of that name\n");
	return 2;
}

#endif /* GUEST_PROGRAM_H */
