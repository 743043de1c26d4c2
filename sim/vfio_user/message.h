/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a vfio-user connection: receiving, and answering. */
#ifndef VFIO_USER_MESSAGE_H
#define VFIO_USER_MESSAGE_H

#include <stdbool.h>

#include "protocol.h"

#define VFIO_USER_PAYLOAD_MAX (VFIO_USER_TRANSFER_MAX + 64u)

/**
 * struct vfio_user_message - one message from the client
 * @header: as received
 * @payload: what follows it
 * @bytes: of @payload
 * @fds: file descriptors that came along; whoever keeps one stores -1 here
 * @fd_count: of @fds
 */
struct vfio_user_message {
	struct vfio_user_header header;
	_Alignas(8) uint8_t payload[VFIO_USER_PAYLOAD_MAX];
	size_t bytes;
	int fds[VFIO_USER_FDS_MAX];
	unsigned int fd_count;
};

/*
 * The next command. 1; 0 if the client has closed the connection; -EPROTO if it sends
 * what is no message (the connection is of no more use); -EINTR; or what recvmsg() said.
 */
int vfio_user_receive(int socket, struct vfio_user_message *message);

/* Closes the descriptors that nobody kept. */
void vfio_user_message_release(struct vfio_user_message *message);

/*
 * Answer a command, unless it asked for none: @error 0 and @bytes of @payload, or a
 * positive errno alone. 0 or a negative errno of sendmsg().
 */
int vfio_user_reply(int socket, const struct vfio_user_message *message, int error,
		    const void *payload, size_t bytes);

#endif
