/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A world with a device for each socket. It lives from its creation, before its first client, until
 * the last of its clients has gone, so that no state of one guest is visible to the next. The
 * devices have one clock, and each the memory of its own client.
 */
#ifndef VFIO_USER_SESSION_H
#define VFIO_USER_SESSION_H

#include "client.h"
#include "device_string.h"

/**
 * struct session - a world and its clients
 * @world: of all devices
 * @count: of @clients
 * @clients: one for each device
 * @connected: clients that are there
 * @used: there was a client
 */
struct session {
	struct rfsim_world *world;
	unsigned int count;
	struct client *clients;
	unsigned int connected;
	bool used;
};

/*
 * The @number-th world of this process, counted from 1; from the second on its files are FILE.2,
 * FILE.3 and so on. 0, or an error and a line on stderr.
 */
int session_open(struct session *session, const struct rfsim_string *string, unsigned int number);

/*
 * The client of this device has gone. If others are there, a new device takes the place of its
 * device. 0, or an error and a line on stderr.
 */
int session_leave(struct session *session, struct client *client);

/*
 * False, and a line on stderr: a device broke a rule, or its files are not complete. DMA outside the
 * client's memory is caused by the client: it is printed, and breaks a rule with @strict only.
 */
bool session_close(struct session *session, bool strict);

#endif
