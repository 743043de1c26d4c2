/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sockets, one for each device, and the loop that serves them: one client at a time at each, and
 * one world after another. The clock runs only while a device of the world is not idle, so idle
 * devices cost no CPU time.
 */
#ifndef VFIO_USER_SERVER_H
#define VFIO_USER_SERVER_H

#include "device_string.h"

/**
 * struct server - what a server was asked for
 * @string: its devices
 * @paths: of the sockets, as many as devices
 * @once: end when the clients of the first world have gone
 * @strict: DMA outside the client's memory is an error
 * @sockets: that listen there; -1: none
 */
struct server {
	struct rfsim_string string;
	char **paths;
	bool once, strict;
	int sockets[RFSIM_STRING_DEVICES];
};

/* Listen at all of them. 0, or an error and a line on stderr. */
int server_open(struct server *server);
void server_close(struct server *server);

/*
 * Serve until the process is told to stop. 0, or an error and a line on stderr. *good becomes false
 * if a device broke a rule, or its files are not complete.
 */
int server_run(struct server *server, bool *good);

#endif
