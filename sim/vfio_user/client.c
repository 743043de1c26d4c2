// SPDX-License-Identifier: Apache-2.0
#include "client.h"

#include <errno.h>
#include <string.h>

#include "report.h"
#include "version.h"

/* Lines about commands of one client that were refused */
#define REFUSALS_SHOWN 16

void client_connect(struct client *client, int socket)
{
	vfio_user_connection_open(&client->connection, socket);
	client->connected = true;
	client->greeted = false;
	client->refusals = 0;
}

void client_disconnect(struct client *client)
{
	vfio_user_connection_close(&client->connection);
	client->connected = false;
}

short client_events(const struct client *client)
{
	return client->connection.size ? POLLOUT : POLLIN;
}

static int answer_version(struct client *client)
{
	struct vfio_user_message *message = &client->connection.message;
	int error = vfio_user_version_check(message);
	const void *reply;
	size_t bytes;
	int ret;

	vfio_user_message_release(message);
	reply = vfio_user_version_reply(&bytes);
	ret = vfio_user_reply(&client->connection, error, reply, bytes);
	client->greeted = true;
	return error ? -error : ret;
}

static int answer(struct client *client)
{
	struct vfio_user_message *message = &client->connection.message;
	const void *reply;
	size_t bytes;
	int error = vfio_user_function_command(client->function, message, &reply, &bytes);

	/* before the reply is sent */
	vfio_user_message_release(message);
	if (error && error != EINTR && client->refusals++ < REFUSALS_SHOWN)
		report(2, "command %u refused: %s", message->header.command, strerror(error));
	return vfio_user_reply(&client->connection, error, reply, bytes);
}

int client_talk(struct client *client)
{
	struct vfio_user_connection *connection = &client->connection;
	int ret;

	if (connection->size) {
		ret = vfio_user_send(connection);
		return ret ? ret : -EAGAIN;
	}
	ret = vfio_user_receive(connection);
	if (ret <= 0)
		return ret;
	ret = client->greeted ? answer(client) : answer_version(client);
	return ret ? ret : -EAGAIN;
}
