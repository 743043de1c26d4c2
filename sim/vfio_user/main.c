// SPDX-License-Identifier: Apache-2.0
/*
 * rf-vfio-user: a simulated Ringfence device as a PCIe function of a virtual machine.
 * One client at a time, one after another; the clock runs only while the device has
 * something to do, so an idle device costs no CPU.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "function.h"

/* Cycles between two looks at the socket */
#define STEP 64

static const char capabilities[] = "{\"capabilities\":{\"max_msg_fds\":8,"
				   "\"max_data_xfer_size\":1048576,\"pgsizes\":4096,"
				   "\"max_dma_maps\":65535,\"write_multiple\":true}}";

static const char usage[] =
	"usage: rf-vfio-user [OPTION...] SOCKET\n"
	"\n"
	"Serves a simulated Ringfence device over vfio-user on the UNIX socket SOCKET, to one\n"
	"client after another, until it is interrupted. For QEMU 10.1 or newer:\n"
	"\n"
	"  qemu-system-x86_64 -machine q35,memory-backend=ram -m 1G \\\n"
	"    -object memory-backend-memfd,id=ram,size=1G,share=on ... \\\n"
	"    -device '{\"driver\":\"vfio-user-pci\",\"socket\":{\"path\":\"SOCKET\",\"type\":\"unix\"}}'\n"
	"\n"
	"  --once         end when the first client has gone\n"
	"  --random       random latencies, back-pressure and orders\n"
	"  --seed N       of every random choice, default 1\n"
	"  --trace FILE   write a wave (FST) of the device\n"
	"  --help         this text\n"
	"\n"
	"Exit status: 0; 1 if the device broke a rule of PCIe or the server failed; 2 for wrong\n"
	"arguments.\n";

struct options {
	const char *socket;
	const char *trace;
	uint64_t seed;
	bool once;
	bool random;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option names[] = {
		{ "once", no_argument, NULL, 'o' },	  { "random", no_argument, NULL, 'r' },
		{ "seed", required_argument, NULL, 's' }, { "trace", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },	  { 0 },
	};
	char *end;
	int name;

	*options = (struct options){ .seed = 1 };
	while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (name) {
		case 'o':
			options->once = true;
			break;
		case 'r':
			options->random = true;
			break;
		case 's':
			errno = 0;
			options->seed = strtoull(optarg, &end, 0);
			if (errno || !*optarg || *end || *optarg == '-') {
				fprintf(stderr, "rf-vfio-user: --seed %s is no number\n", optarg);
				return 2;
			}
			break;
		case 't':
			options->trace = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
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
	return 0;
}

/* --- one client ------------------------------------------------------------------------ */

/* The first message: 0 or a positive errno. */
static int check_version(const struct vfio_user_message *message)
{
	const struct vfio_user_version *version = (const void *)message->payload;

	if (message->header.command != VFIO_USER_VERSION)
		return EPROTO;
	if (message->bytes < sizeof(*version) || version->major != 0)
		return EINVAL;
	if (message->bytes > sizeof(*version) && message->payload[message->bytes - 1])
		return EINVAL;
	return 0;
}

static int answer_version(int client, struct vfio_user_message *message)
{
	uint8_t reply[sizeof(struct vfio_user_version) + sizeof(capabilities)] = { 0 };
	int error = check_version(message);
	int ret;

	memcpy(reply + sizeof(struct vfio_user_version), capabilities, sizeof(capabilities));
	ret = vfio_user_reply(client, message, error, reply, sizeof(reply));
	return error ? -error : ret;
}

static int answer(struct vfio_user_function *function, int client,
		  struct vfio_user_message *message)
{
	const void *reply;
	size_t bytes;
	int error = vfio_user_function_command(function, message, &reply, &bytes);

	if (error)
		fprintf(stderr, "rf-vfio-user: command %u refused: %s\n", message->header.command,
			strerror(error));
	return vfio_user_reply(client, message, error, reply, bytes);
}

/* Until the client goes: 0, or why it had to go. */
static int serve(struct rfsim_world *world, struct vfio_user_function *function, int client,
		 struct vfio_user_message *message)
{
	struct pollfd poll_client = { .fd = client, .events = POLLIN };
	bool greeted = false;
	int ret;

	while (!stopped) {
		bool idle = rfsim_idle(world);

		ret = poll(&poll_client, 1, idle ? -1 : 0);
		if (ret < 0 && errno != EINTR)
			return -errno;
		if (ret <= 0) {
			if (!idle)
				rfsim_step(world, STEP);
			continue;
		}
		ret = vfio_user_receive(client, message);
		if (ret == -EINTR)
			continue;
		if (ret <= 0)
			return ret;
		ret = greeted ? answer(function, client, message) : answer_version(client, message);
		vfio_user_message_release(message);
		if (ret)
			return ret;
		greeted = true;
	}
	return 0;
}

/* --- the server ------------------------------------------------------------------------ */

static int open_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int server;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server < 0)
		return -errno;
	if (bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 1)) {
		int error = -errno;

		close(server);
		return error;
	}
	return server;
}

static int run(const struct options *options, struct rfsim_world *world,
	       struct vfio_user_function *function, int server)
{
	struct vfio_user_message *message = malloc(sizeof(*message));
	int error = 0;

	if (!message)
		return -ENOMEM;
	printf("rf-vfio-user: waiting at %s\n", options->socket);
	fflush(stdout);
	while (!stopped && !error) {
		int client = accept4(server, NULL, NULL, SOCK_CLOEXEC);
		int reason;

		if (client < 0 && errno == EINTR)
			continue;
		if (client < 0) {
			error = -errno;
			break;
		}
		reason = serve(world, function, client, message);
		close(client);
		printf("rf-vfio-user: client gone%s%s\n", reason ? ": " : "",
		       reason ? strerror(-reason) : "");
		fflush(stdout);
		error = vfio_user_function_disconnect(function);
		if (options->once)
			break;
	}
	free(message);
	return error;
}

static int serve_device(const struct options *options, struct rfsim_world *world, int server)
{
	struct vfio_user_function *function;
	struct rfsim_device *device;
	int error = rfsim_device_create(world, &device);

	if (!error && options->trace)
		error = rfsim_trace(device, options->trace);
	if (!error)
		error = vfio_user_function_create(world, device, &function);
	if (error)
		return error;
	error = run(options, world, function, server);
	vfio_user_function_destroy(function);
	return error;
}

int main(int argc, char **argv)
{
	const struct sigaction action = { .sa_handler = stop };
	struct rfsim_config config;
	struct rfsim_world *world;
	struct options options;
	const char *violation;
	int server, error;

	error = parse(argc, argv, &options);
	if (error)
		return error;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);

	server = open_socket(options.socket);
	if (server < 0) {
		fprintf(stderr, "rf-vfio-user: %s: %s\n", options.socket, strerror(-server));
		return 1;
	}
	rfsim_config_init(&config);
	if (options.random)
		rfsim_config_random(&config, options.seed);
	config.seed = options.seed;
	error = rfsim_world_create(&config, &world);
	if (!error) {
		error = serve_device(&options, world, server);
		violation = rfsim_world_check(world);
		if (violation)
			fprintf(stderr, "rf-vfio-user: the device broke a rule: %s\n", violation);
		if (error)
			fprintf(stderr, "rf-vfio-user: %s\n", strerror(-error));
		error = error || violation;
		rfsim_world_destroy(world);
	}
	close(server);
	unlink(options.socket);
	return error ? 1 : 0;
}
