// SPDX-License-Identifier: Apache-2.0
/* rf-vfio-user: simulated Ringfence devices as PCIe functions of a virtual machine. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "ringfence_version.h"
#include "server.h"
#include "stop.h"

static const char usage[] =
	"Usage: rf-vfio-user [OPTION...] SOCKET...\n"
	"\n"
	"Serves simulated Ringfence devices over vfio-user on UNIX sockets, one SOCKET for each\n"
	"device, until it is interrupted. A device has one client at a time: QEMU 10.1 or newer;\n"
	"rf-vfio-user(1) and docs/guest.md have its arguments. When the last client has gone, the\n"
	"next one gets new devices.\n"
	"\n"
	"  --device DEVICE  \"sim:\" or a device string, such as sim:seed=7,random\n"
	"                   (docs/device-string.md); with devices=2 there are two devices of one\n"
	"                   machine. Files that it names are of the first clients, those of the\n"
	"                   next are FILE.2, FILE.3 and so on; with link=gen1x1 each is behind a\n"
	"                   PCIe link; default: $RINGFENCE_DEVICE, else\n"
	"                   \"sim:\"\n"
	"  --once           end when the first clients have gone\n"
	"  --strict         DMA outside the client's memory is an error, too\n"
	"  --help           this text\n"
	"  --version        the version\n"
	"\n"
	"Exit status: 0; 1 if a device broke a rule of PCIe or the server failed; 2 for wrong\n"
	"arguments.\n";

/* @name: NULL for what the environment says. 2: it is refused. */
static int choose_device(struct rfsim_string *string, const char *name, int sockets)
{
	char problem[RFSIM_STRING_PROBLEM];
	int error;

	if (!name)
		name = getenv("RINGFENCE_DEVICE");
	if (!name)
		name = RFSIM_STRING_PREFIX;
	error = rfsim_string_parse(name, string, problem);
	if (!error && string->device) {
		snprintf(problem, sizeof(problem),
			 "'device=%u': a server has all devices of its world; leave the word out",
			 string->device);
		error = -EINVAL;
	}
	if (error) {
		fprintf(stderr, "rf-vfio-user: cannot open %s: %s\n", name, problem);
		return 2;
	}
	if (sockets == (int)string->devices)
		return 0;
	fprintf(stderr,
		"rf-vfio-user: %s is %u device%s: one SOCKET for each, please, not %d; try "
		"--help\n",
		name, string->devices, string->devices > 1 ? "s" : "", sockets);
	return 2;
}

static int parse(int argc, char **argv, struct server *server)
{
	static const struct option names[] = {
		{ "once", no_argument, NULL, 'o' },    { "device", required_argument, NULL, 'd' },
		{ "strict", no_argument, NULL, 'S' },  { "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' }, { 0 },
	};
	const char *device = NULL;
	int name;

	while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (name) {
		case 'o':
			server->once = true;
			break;
		case 'd':
			device = optarg;
			break;
		case 'S':
			server->strict = true;
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
	server->paths = argv + optind;
	return choose_device(&server->string, device, argc - optind);
}

int main(int argc, char **argv)
{
	struct server server = { 0 };
	bool good = true;
	int error;

	error = parse(argc, argv, &server);
	if (error)
		return error;
	error = stop_on_signals();
	if (error) {
		fprintf(stderr, "rf-vfio-user: %s\n", strerror(-error));
		return 1;
	}
	if (server_open(&server))
		return 1;
	error = server_run(&server, &good);
	server_close(&server);
	if (report_error()) {
		fprintf(stderr, "rf-vfio-user: standard output: %s\n", strerror(report_error()));
		good = false;
	}
	return error || !good ? 1 : 0;
}
