/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A vfio-user connection: messages from the client, and replies. No call blocks: a message may
 * arrive in any pieces, a client may read its replies late, and the device keeps running meanwhile.
 */
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
 * @fds: file descriptors of the message; a handler that keeps one stores -1 here
 * @fd_count: of @fds
 * @too_many_fds: more came than were announced; the rest is closed
 */
struct vfio_user_message {
	struct vfio_user_header header;
	_Alignas(8) uint8_t payload[VFIO_USER_PAYLOAD_MAX];
	size_t bytes;
	int fds[VFIO_USER_FDS_MAX];
	unsigned int fd_count;
	bool too_many_fds;
};

/**
 * struct vfio_user_connection - with one client
 * @socket: of it
 * @message: that is being received, or carried out
 * @received: bytes of it, with the header
 * @reply: header of the reply that is being sent
 * @payload: of the reply
 * @sent: bytes of both
 * @size: of both; 0 if none is being sent
 */
struct vfio_user_connection {
	int socket;
	struct vfio_user_message message;
	size_t received;
	struct vfio_user_header reply;
	const void *payload;
	size_t sent, size;
};

void vfio_user_connection_open(struct vfio_user_connection *connection, int socket);
/* Close the socket and the descriptors that were not kept. */
void vfio_user_connection_close(struct vfio_user_connection *connection);

/*
 * Receive the next command as far as it has arrived. 1 if it is complete; -EAGAIN if not; 0 if the
 * client has closed the connection; -EPROTO if it is not a message (the connection cannot be used
 * any more); or the error of recvmsg().
 */
int vfio_user_receive(struct vfio_user_connection *connection);

/* The command is done: close the descriptors that were not kept. */
void vfio_user_message_release(struct vfio_user_message *message);

/*
 * Reply to the command, unless it wants no reply: @error 0 and @bytes of @payload, or a
 * positive errno alone. @payload has to stay until vfio_user_send() returns 0, and no
 * command is received until then. Returns as vfio_user_send().
 */
int vfio_user_reply(struct vfio_user_connection *connection, int error, const void *payload,
		    size_t bytes);

/* Send what is left of the reply. 0; -EAGAIN if the client does not take it just now; an errno. */
int vfio_user_send(struct vfio_user_connection *connection);

#endif
