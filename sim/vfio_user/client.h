/* SPDX-License-Identifier: Apache-2.0 */
/* The client of one device: its connection, and the function that it sees. */
#ifndef VFIO_USER_CLIENT_H
#define VFIO_USER_CLIENT_H

#include <poll.h>
#include <stdbool.h>

#include "function.h"
#include "message.h"

/**
 * struct client - a device, and its client if there is one
 * @device: as librfsim has it
 * @function: the device as a client sees it
 * @connection: with the client
 * @connected: there is one
 * @greeted: the version message has come, and was right
 * @refusals: commands of this client that were refused
 */
struct client {
	struct rfsim_device *device;
	struct vfio_user_function *function;
	struct vfio_user_connection connection;
	bool connected, greeted;
	unsigned int refusals;
};

/* A client has come; @socket becomes the connection's. */
void client_connect(struct client *client, int socket);
void client_disconnect(struct client *client);

/* What the connection waits for: events of poll(). */
short client_events(const struct client *client);

/*
 * Process received commands and send replies as far as the socket allows. -EAGAIN: continue later;
 * else the connection ends: 0, or the error.
 */
int client_talk(struct client *client);

#endif
