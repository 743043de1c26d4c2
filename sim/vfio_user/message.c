// SPDX-License-Identifier: Apache-2.0
#include "message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void vfio_user_connection_open(struct vfio_user_connection *connection, int socket)
{
	connection->socket = socket;
	connection->received = 0;
	connection->size = 0;
	connection->message.fd_count = 0;
	connection->message.too_many_fds = false;
}

void vfio_user_connection_close(struct vfio_user_connection *connection)
{
	vfio_user_message_release(&connection->message);
	close(connection->socket);
}

/* --- receiving ------------------------------------------------------------------------ */

/* The kernel passes no more than the control buffer holds, and then sets MSG_CTRUNC. */
static void take_descriptors(struct vfio_user_message *message, struct msghdr *header)
{
	struct cmsghdr *control;
	size_t i, count;
	int fd;

	message->too_many_fds |= !!(header->msg_flags & MSG_CTRUNC);
	for (control = CMSG_FIRSTHDR(header); control; control = CMSG_NXTHDR(header, control)) {
		if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
			continue;
		count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(fd);
		for (i = 0; i < count; i++) {
			memcpy(&fd, CMSG_DATA(control) + i * sizeof(fd), sizeof(fd));
			if (message->fd_count < VFIO_USER_FDS_MAX) {
				message->fds[message->fd_count++] = fd;
			} else {
				message->too_many_fds = true;
				close(fd);
			}
		}
	}
}

/* Descriptors may come with any piece. */
static ssize_t receive_piece(struct vfio_user_connection *connection, void *to, size_t bytes)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(connection->message.fds))];
	struct iovec vector = { to, bytes };
	struct msghdr header = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(connection->socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (got < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	take_descriptors(&connection->message, &header);
	connection->received += got;
	return got;
}

static bool is_command(const struct vfio_user_header *header)
{
	return header->bytes >= sizeof(*header) &&
	       header->bytes - sizeof(*header) <= VFIO_USER_PAYLOAD_MAX &&
	       (header->flags & VFIO_USER_TYPE_MASK) == VFIO_USER_TYPE_COMMAND;
}

int vfio_user_receive(struct vfio_user_connection *connection)
{
	struct vfio_user_message *message = &connection->message;
	struct vfio_user_header *header = &message->header;
	ssize_t got;

	while (connection->received < sizeof(*header)) {
		got = receive_piece(connection, (uint8_t *)header + connection->received,
				    sizeof(*header) - connection->received);
		if (got <= 0)
			return got;
	}
	if (!is_command(header))
		return -EPROTO;
	while (connection->received < header->bytes) {
		got = receive_piece(connection,
				    message->payload + connection->received - sizeof(*header),
				    header->bytes - connection->received);
		if (got <= 0)
			return got;
	}
	message->bytes = connection->received - sizeof(*header);
	connection->received = 0;
	return 1;
}

void vfio_user_message_release(struct vfio_user_message *message)
{
	unsigned int i;

	for (i = 0; i < message->fd_count; i++)
		if (message->fds[i] >= 0)
			close(message->fds[i]);
	message->fd_count = 0;
	message->too_many_fds = false;
}

/* --- sending ---------------------------------------------------------------------------- */

int vfio_user_send(struct vfio_user_connection *connection)
{
	const size_t head = sizeof(connection->reply);

	while (connection->sent < connection->size) {
		size_t of_head = connection->sent < head ? head - connection->sent : 0;
		size_t of_payload = connection->sent < head ? 0 : connection->sent - head;
		struct iovec vectors[] = {
			{ (uint8_t *)&connection->reply + head - of_head, of_head },
			{ (uint8_t *)connection->payload + of_payload,
			  connection->size - head - of_payload },
		};
		struct msghdr header = { .msg_iov = vectors, .msg_iovlen = 2 };
		ssize_t sent = sendmsg(connection->socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent < 0)
			return errno == EINTR || errno == EAGAIN ? -EAGAIN : -errno;
		connection->sent += sent;
	}
	connection->size = 0;
	return 0;
}

int vfio_user_reply(struct vfio_user_connection *connection, int error, const void *payload,
		    size_t bytes)
{
	const struct vfio_user_header *command = &connection->message.header;

	if (command->flags & VFIO_USER_NO_REPLY)
		return 0;
	if (error)
		bytes = 0;
	connection->reply = (struct vfio_user_header){
		.id = command->id,
		.command = command->command,
		.bytes = sizeof(connection->reply) + bytes,
		.flags = VFIO_USER_TYPE_REPLY | (error ? VFIO_USER_ERROR : 0),
		.error = error,
	};
	connection->payload = payload;
	connection->sent = 0;
	connection->size = connection->reply.bytes;
	return vfio_user_send(connection);
}
