// SPDX-License-Identifier: Apache-2.0
/*
 * rf-vfio-user: a simulated Ringfence device as a PCIe function of a virtual machine.
 * One client at a time, each with a device and a world of its own, so that no state of one client
 * is visible to the next. The clock runs only while the device is not idle, so an idle device costs
 * no CPU time.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../device_string.h"
#include "function.h"
#include "report.h"
#include "ringfence_version.h"
#include "stop.h"
#include "version.h"

/* Cycles between two polls of the socket */
#define STEP 64

/* Lines about commands of one client that were refused */
#define REFUSALS_SHOWN 16

static const char usage[] =
	"Usage: rf-vfio-user [OPTION...] SOCKET\n"
	"\n"
	"Serves a simulated Ringfence device over vfio-user on the UNIX socket SOCKET, to one\n"
	"client after another, until it is interrupted. The client is QEMU 10.1 or newer;\n"
	"rf-vfio-user(1) and docs/guest.md have its arguments.\n"
	"\n"
	"  --device DEVICE  \"sim:\" or a device string, such as sim:seed=7,random\n"
	"                   (docs/device-string.md); files that it names are of the first client,\n"
	"                   those of the next are FILE.2, FILE.3 and so on; default:\n"
	"                   $RINGFENCE_DEVICE, else \"sim:\"\n"
	"  --once           end when the first client has gone\n"
	"  --strict         DMA outside the client's memory is an error, too\n"
	"  --help           this text\n"
	"  --version        the version\n"
	"\n"
	"Exit status: 0; 1 if a device broke a rule of PCIe or the server failed; 2 for wrong\n"
	"arguments.\n";

struct options {
	const char *socket;
	const char *device;
	struct rfsim_string string;
	bool once;
	bool strict;
};

/* What the client's device is; 2: it is refused. */
static int choose_device(struct options *options)
{
	char problem[RFSIM_STRING_PROBLEM];

	if (!options->device)
		options->device = getenv("RINGFENCE_DEVICE");
	if (!options->device)
		options->device = RFSIM_STRING_PREFIX;
	if (!rfsim_string_parse(options->device, &options->string, problem)) {
		if (options->string.devices == 1 && !options->string.device)
			return 0;
		snprintf(problem, sizeof(problem),
			 "a server has one device; leave out device= and devices=, and start a "
			 "server for each");
	}
	fprintf(stderr, "rf-vfio-user: cannot open %s: %s\n", options->device, problem);
	return 2;
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option names[] = {
		{ "once", no_argument, NULL, 'o' },    { "device", required_argument, NULL, 'd' },
		{ "strict", no_argument, NULL, 'S' },  { "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' }, { 0 },
	};
	int name;

	memset(options, 0, sizeof(*options));
	while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (name) {
		case 'o':
			options->once = true;
			break;
		case 'd':
			options->device = optarg;
			break;
		case 'S':
			options->strict = true;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		case 'v':
			puts("rf-vfio-user (Ringfence) " RF_VERSION);
			exit(0);
		default:
			fputs("try rf-vfio-user --help\n", stderr);
			return 2;
		}
	}
	if (optind + 1 != argc) {
		fputs("rf-vfio-user: exactly one SOCKET, please; try --help\n", stderr);
		return 2;
	}
	options->socket = argv[optind];
	return choose_device(options);
}

/* --- one client ------------------------------------------------------------------------ */

/**
 * struct session - a client and its device
 * @world: of the device
 * @device: as librfsim has it
 * @function: the device as the client sees it
 * @connection: with the client
 * @greeted: the version message has come, and was right
 * @refusals: commands that were refused
 */
struct session {
	struct rfsim_world *world;
	struct rfsim_device *device;
	struct vfio_user_function *function;
	struct vfio_user_connection connection;
	bool greeted;
	unsigned int refusals;
};

static int answer_version(struct session *session)
{
	struct vfio_user_message *message = &session->connection.message;
	int error = vfio_user_version_check(message);
	const void *reply;
	size_t bytes;
	int ret;

	vfio_user_message_release(message);
	reply = vfio_user_version_reply(&bytes);
	ret = vfio_user_reply(&session->connection, error, reply, bytes);
	session->greeted = true;
	return error ? -error : ret;
}

static int answer(struct session *session)
{
	struct vfio_user_message *message = &session->connection.message;
	const void *reply;
	size_t bytes;
	int error = vfio_user_function_command(session->function, message, &reply, &bytes);

	/* before the reply is sent */
	vfio_user_message_release(message);
	if (error && error != EINTR && session->refusals++ < REFUSALS_SHOWN)
		report(2, "command %u refused: %s", message->header.command, strerror(error));
	return vfio_user_reply(&session->connection, error, reply, bytes);
}

/*
 * Process received commands and send replies as far as the socket allows. -EAGAIN: continue later;
 * else the connection ends: 0, or the error.
 */
static int talk(struct session *session)
{
	struct vfio_user_connection *connection = &session->connection;
	int ret;

	if (connection->size) {
		ret = vfio_user_send(connection);
		return ret ? ret : -EAGAIN;
	}
	ret = vfio_user_receive(connection);
	if (ret <= 0)
		return ret;
	ret = session->greeted ? answer(session) : answer_version(session);
	return ret ? ret : -EAGAIN;
}

/* Until the client goes: 0, or why it had to go. */
static int serve(struct session *session)
{
	int ret = -EAGAIN;

	while (ret == -EAGAIN && !stop_requested()) {
		const struct vfio_user_connection *connection = &session->connection;
		bool idle = rfsim_idle(session->world);
		int ready = stop_wait(connection->socket, connection->size ? POLLOUT : POLLIN,
				      idle ? -1 : 0);

		if (ready < 0)
			return ready;
		if (ready)
			ret = talk(session);
		else if (!idle)
			rfsim_step(session->world, STEP);
	}
	return ret == -EAGAIN ? 0 : ret;
}

/* --- a device for each ------------------------------------------------------------------- */

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

static int open_session(const struct options *options, unsigned int number, struct session *session)
{
	struct rfsim_string string = options->string;
	char problem[RFSIM_STRING_PROBLEM];
	int error;

	session->greeted = false;
	session->refusals = 0;
	error = number_path(string.wave, number);
	if (!error)
		error = number_path(string.timeline, number);
	if (!error)
		error = number_path(string.page, number);
	if (!error)
		error = number_path(string.record, number);
	if (error)
		strcpy(problem, strerror(-error));
	else
		error = rfsim_string_create(&string, &session->world, &session->device, problem);
	if (error) {
		fprintf(stderr, "rf-vfio-user: %s\n", problem);
		return error;
	}
	error = vfio_user_function_create(session->world, session->device, &session->function);
	if (error) {
		rfsim_string_close(session->device, problem);
		rfsim_world_destroy(session->world);
		fprintf(stderr, "rf-vfio-user: %s\n", strerror(-error));
	}
	return error;
}

/*
 * Did the device follow the rules, and are its files complete? DMA outside the client's memory is
 * caused by the client: it is printed, and an error of the run with --strict only.
 */
static bool close_session(const struct options *options, struct session *session)
{
	const char *verdict = rfsim_world_check(session->world);
	char problem[RFSIM_STRING_PROBLEM];
	int error = rfsim_string_close(session->device, problem);
	bool broken = false;
	unsigned int rule;

	for (rule = 0; rule < RFSIM_RULE_COUNT; rule++)
		if (rfsim_violations(session->world, rule) &&
		    (rule != RFSIM_RULE_UNMAPPED || options->strict))
			broken = true;
	if (broken)
		fprintf(stderr, "rf-vfio-user: the device broke a rule: %s\n", verdict);
	else if (verdict)
		report(2, "DMA outside the client's memory: %s", verdict);
	vfio_user_function_destroy(session->function);
	rfsim_world_destroy(session->world);
	if (error)
		fprintf(stderr, "rf-vfio-user: %s\n", problem);
	return !broken && !error;
}

/* --- the server ------------------------------------------------------------------------ */

static int open_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int server;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (server < 0)
		return -errno;
	if (bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 1)) {
		int error = -errno;

		close(server);
		return error;
	}
	return server;
}

/* The socket of the next client; -EAGAIN if the server shall end. */
static int accept_client(int server)
{
	int client, ready;

	while (!stop_requested()) {
		ready = stop_wait(server, POLLIN, -1);
		if (ready < 0)
			return ready;
		if (!ready)
			continue;
		client = accept4(server, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (client >= 0)
			return client;
		if (errno != EINTR && errno != EAGAIN && errno != ECONNABORTED)
			return -errno;
	}
	return -EAGAIN;
}

static int serve_client(struct session *session, int server)
{
	int client = accept_client(server);
	int reason;

	if (client < 0)
		return client;
	vfio_user_connection_open(&session->connection, client);
	reason = serve(session);
	vfio_user_connection_close(&session->connection);
	report(1, "client gone%s%s", reason ? ": " : "", reason ? strerror(-reason) : "");
	return 0;
}

/* 0, or an error and a line on stderr; *good is false if a device broke a rule. */
static int run(const struct options *options, int server, bool *good)
{
	struct session *session = malloc(sizeof(*session));
	unsigned int number;
	int error = 0;

	if (!session)
		return -ENOMEM;
	for (number = 1; !error && !stop_requested(); number++) {
		error = open_session(options, number, session);
		if (error)
			break;
		if (number == 1)
			report(1, "waiting at %s", options->socket);
		error = serve_client(session, server);
		if (error && error != -EAGAIN)
			fprintf(stderr, "rf-vfio-user: %s\n", strerror(-error));
		*good &= close_session(options, session);
		if (options->once)
			break;
	}
	free(session);
	return error == -EAGAIN ? 0 : error;
}

int main(int argc, char **argv)
{
	struct options options;
	bool good = true;
	int server, error;

	error = parse(argc, argv, &options);
	if (error)
		return error;
	error = stop_on_signals();
	if (error) {
		fprintf(stderr, "rf-vfio-user: %s\n", strerror(-error));
		return 1;
	}
	server = open_socket(options.socket);
	if (server < 0) {
		fprintf(stderr, "rf-vfio-user: %s: %s\n", options.socket, strerror(-server));
		return 1;
	}
	error = run(&options, server, &good);
	close(server);
	unlink(options.socket);
	if (report_error()) {
		fprintf(stderr, "rf-vfio-user: standard output: %s\n", strerror(report_error()));
		good = false;
	}
	return error || !good ? 1 : 0;
}
