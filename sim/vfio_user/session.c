// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dma.h"
#include "report.h"

/* --- files ------------------------------------------------------------------------------- */

/* FILE, FILE.2, FILE.3 and so on */
static int number_path(char path[RFSIM_STRING_PATH], unsigned int number)
{
	size_t used = strlen(path);

	if (!used || number == 1)
		return 0;
	if ((size_t)snprintf(path + used, RFSIM_STRING_PATH - used, ".%u", number) >=
	    RFSIM_STRING_PATH - used)
		return -ENAMETOOLONG;
	return 0;
}

static int number_files(struct rfsim_string *string, unsigned int number)
{
	int error = number_path(string->wave, number);

	if (!error)
		error = number_path(string->timeline, number);
	if (!error)
		error = number_path(string->page, number);
	if (!error)
		error = number_path(string->record, number);
	return error;
}

/* --- a world ------------------------------------------------------------------------------ */

static int complain(int error)
{
	fprintf(stderr, "rf-vfio-user: %s\n", strerror(-error));
	return error;
}

static int create_world(struct session *session, const struct rfsim_string *string,
			unsigned int number)
{
	struct rfsim_string ours = *string;
	char problem[RFSIM_STRING_PROBLEM];
	struct rfsim_device *first;
	int error = number_files(&ours, number);

	if (error)
		return complain(error);
	ours.config.iommu = true;
	error = rfsim_string_create(&ours, &session->world, &first, problem);
	if (error)
		fprintf(stderr, "rf-vfio-user: %s\n", problem);
	return error;
}

static void destroy_functions(struct session *session)
{
	unsigned int i;

	for (i = 0; i < session->count; i++)
		if (session->clients[i].function)
			vfio_user_function_destroy(session->clients[i].function);
	vfio_user_dma_guard(NULL);
}

static int create_functions(struct session *session)
{
	int error = vfio_user_dma_guard(session->world);
	unsigned int i;

	for (i = 0; i < session->count && !error; i++) {
		struct client *client = &session->clients[i];

		client->device = rfsim_world_device(session->world, i);
		error = vfio_user_function_create(client->device, &client->function);
	}
	return error ? complain(error) : 0;
}

/* 0, or an error and a line on stderr. */
static int destroy_world(struct session *session)
{
	char problem[RFSIM_STRING_PROBLEM];
	int error = rfsim_string_close(rfsim_world_device(session->world, 0), problem);

	if (error)
		fprintf(stderr, "rf-vfio-user: %s\n", problem);
	destroy_functions(session);
	rfsim_world_destroy(session->world);
	free(session->clients);
	return error;
}

int session_open(struct session *session, const struct rfsim_string *string, unsigned int number)
{
	int error;

	*session = (struct session){ .count = string->devices };
	session->clients = calloc(session->count, sizeof(*session->clients));
	if (!session->clients)
		return complain(-ENOMEM);
	error = create_world(session, string, number);
	if (error) {
		free(session->clients);
		return error;
	}
	error = create_functions(session);
	if (error)
		destroy_world(session);
	return error;
}

int session_leave(struct session *session, struct client *client)
{
	int error;

	client_disconnect(client);
	if (!--session->connected)
		return 0;
	vfio_user_function_destroy(client->function);
	client->function = NULL;
	error = rfsim_device_replug(client->device);
	if (!error)
		error = vfio_user_function_create(client->device, &client->function);
	return error ? complain(error) : 0;
}

bool session_close(struct session *session, bool strict)
{
	const char *verdict = rfsim_world_check(session->world);
	bool broken = false;
	unsigned int rule, i;

	for (rule = 0; rule < RFSIM_RULE_COUNT; rule++)
		if (rfsim_violations(session->world, rule) &&
		    (rule != RFSIM_RULE_UNMAPPED || strict))
			broken = true;
	if (broken)
		fprintf(stderr, "rf-vfio-user: the device broke a rule: %s\n", verdict);
	else if (verdict)
		report(2, "DMA outside the client's memory: %s", verdict);
	for (i = 0; i < session->count; i++)
		if (session->clients[i].connected)
			client_disconnect(&session->clients[i]);
	return !destroy_world(session) && !broken;
}
