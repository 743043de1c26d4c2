// SPDX-License-Identifier: Apache-2.0
#include "message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void take_descriptors(struct vfio_user_message *message, struct msghdr *header)
{
	struct cmsghdr *control;

	for (control = CMSG_FIRSTHDR(header); control; control = CMSG_NXTHDR(header, control)) {
		size_t bytes = control->cmsg_len - CMSG_LEN(0);

		if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
			continue;
		memcpy(message->fds, CMSG_DATA(control), bytes);
		message->fd_count = bytes / sizeof(int);
	}
}

/* Descriptors come with the first byte. Number of bytes, fewer only at the end. */
static ssize_t receive_header(int socket, struct vfio_user_message *message)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(message->fds))];
	struct iovec vector = { &message->header, sizeof(message->header) };
	struct msghdr header = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(socket, &header, MSG_WAITALL | MSG_CMSG_CLOEXEC);

	if (got > 0)
		take_descriptors(message, &header);
	return got;
}

int vfio_user_receive(int socket, struct vfio_user_message *message)
{
	ssize_t got;

	message->bytes = 0;
	message->fd_count = 0;
	got = receive_header(socket, message);
	if (got <= 0)
		return got ? -errno : 0;
	if (got != sizeof(message->header) || message->header.bytes < sizeof(message->header) ||
	    message->header.bytes - sizeof(message->header) > sizeof(message->payload) ||
	    (message->header.flags & VFIO_USER_TYPE_MASK) != VFIO_USER_TYPE_COMMAND) {
		vfio_user_message_release(message);
		return -EPROTO;
	}
	while (message->bytes < message->header.bytes - sizeof(message->header)) {
		got = recv(socket, message->payload + message->bytes,
			   message->header.bytes - sizeof(message->header) - message->bytes, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			vfio_user_message_release(message);
			return got ? -errno : 0;
		}
		message->bytes += got;
	}
	return 1;
}

void vfio_user_message_release(struct vfio_user_message *message)
{
	unsigned int i;

	for (i = 0; i < message->fd_count; i++)
		if (message->fds[i] >= 0)
			close(message->fds[i]);
	message->fd_count = 0;
}

static int send_all(int socket, const void *data, size_t bytes)
{
	const uint8_t *next = data;

	while (bytes) {
		ssize_t sent = send(socket, next, bytes, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		next += sent;
		bytes -= sent;
	}
	return 0;
}

int vfio_user_reply(int socket, const struct vfio_user_message *message, int error,
		    const void *payload, size_t bytes)
{
	struct vfio_user_header header = message->header;
	int ret;

	if (header.flags & VFIO_USER_NO_REPLY)
		return 0;
	if (error)
		bytes = 0;
	header.bytes = sizeof(header) + bytes;
	header.flags = VFIO_USER_TYPE_REPLY | (error ? VFIO_USER_ERROR : 0);
	header.error = error;
	ret = send_all(socket, &header, sizeof(header));
	return ret ? ret : send_all(socket, payload, bytes);
}
