// SPDX-License-Identifier: Apache-2.0
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "report.h"
#include "session.h"
#include "stop.h"

/* Cycles between two polls of the sockets */
#define STEP 64

/* --- sockets ----------------------------------------------------------------------------- */

static int open_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener < 0)
		return -errno;
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 1)) {
		int error = -errno;

		close(listener);
		return error;
	}
	return listener;
}

int server_open(struct server *server)
{
	unsigned int i;

	memset(server->sockets, 0xff, sizeof(server->sockets));
	for (i = 0; i < server->string.devices; i++) {
		server->sockets[i] = open_socket(server->paths[i]);
		if (server->sockets[i] < 0) {
			fprintf(stderr, "rf-vfio-user: %s: %s\n", server->paths[i],
				strerror(-server->sockets[i]));
			server_close(server);
			return server->sockets[i];
		}
	}
	return 0;
}

void server_close(struct server *server)
{
	unsigned int i;

	for (i = 0; i < RFSIM_STRING_DEVICES; i++) {
		if (server->sockets[i] < 0)
			continue;
		close(server->sockets[i]);
		unlink(server->paths[i]);
	}
}

/* --- clients ----------------------------------------------------------------------------- */

/* A client is there, unless it has gone again. 0, or an error and a line on stderr. */
static int admit(struct session *session, struct client *client, int listener)
{
	int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (socket < 0 && errno != EINTR && errno != EAGAIN && errno != ECONNABORTED) {
		int error = -errno;

		fprintf(stderr, "rf-vfio-user: %s\n", strerror(-error));
		return error;
	}
	if (socket < 0)
		return 0;
	client_connect(client, socket);
	session->connected++;
	session->used = true;
	return 0;
}

/* @reason: why it had to go; 0: it went. */
static int dismiss(struct session *session, struct client *client, int reason)
{
	const char *colon = reason ? ": " : "", *text = reason ? strerror(-reason) : "";

	if (session->count == 1)
		report(1, "client gone%s%s", colon, text);
	else
		report(1, "client of device %u gone%s%s", rfsim_device_index(client->device), colon,
		       text);
	return session_leave(session, client);
}

/* Its socket is ready. */
static int attend(struct session *session, struct client *client, int listener)
{
	int ret;

	if (!client->connected)
		return admit(session, client, listener);
	ret = client_talk(client);
	return ret == -EAGAIN ? 0 : dismiss(session, client, ret);
}

/* --- worlds ------------------------------------------------------------------------------ */

/* Wait for the sockets, or not if the clock has to run. Returns as stop_wait(). */
static int wait_for_sockets(const struct server *server, const struct session *session, bool idle,
			    struct pollfd *polled)
{
	unsigned int i;

	for (i = 0; i < session->count; i++) {
		const struct client *client = &session->clients[i];

		polled[i].fd = client->connected ? client->connection.socket : server->sockets[i];
		polled[i].events = client->connected ? client_events(client) : POLLIN;
	}
	return stop_wait(polled, session->count, idle ? -1 : 0);
}

/* Until its last client has gone. */
static int serve_world(const struct server *server, struct session *session)
{
	struct pollfd polled[RFSIM_STRING_DEVICES + 1];
	unsigned int i;
	int error = 0;

	while (!error && !stop_requested() && (session->connected || !session->used)) {
		bool idle = rfsim_idle(session->world);
		int ready = wait_for_sockets(server, session, idle, polled);

		if (ready < 0)
			return ready;
		if (!ready && !idle)
			rfsim_step(session->world, STEP);
		for (i = 0; ready && i < session->count && !error; i++)
			if (polled[i].revents)
				error = attend(session, &session->clients[i], server->sockets[i]);
	}
	return error;
}

static void tell_places(const struct server *server)
{
	unsigned int i;

	for (i = 0; i < server->string.devices; i++)
		report(1, "waiting at %s", server->paths[i]);
}

int server_run(struct server *server, bool *good)
{
	struct session session;
	unsigned int number;
	int error = 0;

	for (number = 1; !error && !stop_requested(); number++) {
		error = session_open(&session, &server->string, number);
		if (error)
			break;
		if (number == 1)
			tell_places(server);
		error = serve_world(server, &session);
		*good &= session_close(&session, server->strict);
		if (server->once)
			break;
	}
	return error;
}
