// SPDX-License-Identifier: Apache-2.0
/*
 * rf-vfio-user as a client sees it: this program is the client, in the manner of QEMU.
 * The server is started anew for each test; its path is the only argument.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ringfence_hw.h"
#include "vfio_user/protocol.h"

#define COMMAND 0x04
#define COMMAND_ENABLE 0x6
#define BAR0 0x10
#define EXPRESS_RESET (1u << 15)
#define MSIX_ENABLE (1u << 15)
#define MAP_ADDRESS 0x40000000ull
#define MAP_BYTES 0x10000u
#define PATIENCE 10000 /* ms; only a failure waits so long */

struct server {
	char folder[32];
	char path[64];
	pid_t pid;
	int client;
	uint16_t id;
};

static const char *program;

/* --- client ------------------------------------------------------------------------------- */

static int connect_client(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	if (connect(client, (struct sockaddr *)&address, sizeof(address))) {
		close(client);
		return -1;
	}
	return client;
}

static void send_header(int client, const struct vfio_user_header *header, const int *fds,
			unsigned int fd_count)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = { 0 };
	struct iovec vector = { (void *)header, sizeof(*header) };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };

	if (fd_count) {
		struct cmsghdr *rights;

		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
		rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, fd_count * sizeof(int));
	}
	assert_int_equal(sendmsg(client, &message, MSG_NOSIGNAL), sizeof(*header));
}

static void send_command(struct server *server, unsigned int command, uint32_t flags,
			 const void *payload, size_t bytes, const int *fds, unsigned int fd_count)
{
	const struct vfio_user_header header = {
		.id = ++server->id,
		.command = command,
		.bytes = sizeof(header) + bytes,
		.flags = flags,
	};

	send_header(server->client, &header, fds, fd_count);
	if (bytes)
		assert_int_equal(send(server->client, payload, bytes, MSG_NOSIGNAL), bytes);
}

static void receive_all(int client, void *data, size_t bytes)
{
	if (bytes) /* to receive nothing blocks too */
		assert_int_equal(recv(client, data, bytes, MSG_WAITALL), bytes);
}

/* Send, and wait for the answer: 0 and exactly @reply_bytes, or an error. */
static int call(struct server *server, unsigned int command, const void *payload, size_t bytes,
		void *reply, size_t reply_bytes, const int *fds, unsigned int fd_count)
{
	struct vfio_user_header header;

	send_command(server, command, VFIO_USER_TYPE_COMMAND, payload, bytes, fds, fd_count);
	receive_all(server->client, &header, sizeof(header));
	assert_int_equal(header.id, server->id);
	assert_int_equal(header.command, command);
	assert_int_equal(header.flags & VFIO_USER_TYPE_MASK, VFIO_USER_TYPE_REPLY);
	if (header.flags & VFIO_USER_ERROR) {
		assert_int_equal(header.bytes, sizeof(header));
		assert_int_not_equal(header.error, 0);
		return header.error;
	}
	assert_int_equal(header.bytes, sizeof(header) + reply_bytes);
	receive_all(server->client, reply, reply_bytes);
	return 0;
}

static void greet(struct server *server)
{
	const struct vfio_user_version version = { 0, 0 };
	struct vfio_user_header header;
	char reply[512];

	send_command(server, VFIO_USER_VERSION, 0, &version, sizeof(version), NULL, 0);
	receive_all(server->client, &header, sizeof(header));
	assert_int_equal(header.flags, VFIO_USER_TYPE_REPLY);
	assert_in_range(header.bytes, sizeof(header) + 5, sizeof(header) + sizeof(reply));
	receive_all(server->client, reply, header.bytes - sizeof(header));
	assert_int_equal(reply[header.bytes - sizeof(header) - 1], 0);
	assert_non_null(strstr(reply + sizeof(version), "\"write_multiple\":true"));
}

/* --- accesses ------------------------------------------------------------------------------ */

static int region_read(struct server *server, uint32_t region, uint64_t offset, void *data,
		       uint32_t bytes)
{
	const struct vfio_user_region_access access = { offset, region, bytes };
	uint8_t *reply = malloc(sizeof(access) + bytes);
	int error = call(server, VFIO_USER_REGION_READ, &access, sizeof(access), reply,
			 sizeof(access) + bytes, NULL, 0);

	if (!error)
		memcpy(data, reply + sizeof(access), bytes);
	free(reply);
	return error;
}

static size_t write_request(uint8_t *request, uint32_t region, uint64_t offset, const void *data,
			    uint32_t bytes)
{
	const struct vfio_user_region_access access = { offset, region, bytes };

	memcpy(request, &access, sizeof(access));
	memcpy(request + sizeof(access), data, bytes);
	return sizeof(access) + bytes;
}

static int region_write(struct server *server, uint32_t region, uint64_t offset, const void *data,
			uint32_t bytes)
{
	struct vfio_user_region_access reply;
	uint8_t request[64];
	size_t size = write_request(request, region, offset, data, bytes);

	return call(server, VFIO_USER_REGION_WRITE, request, size, &reply, sizeof(reply), NULL, 0);
}

static uint32_t config_read(struct server *server, unsigned int offset, unsigned int bytes)
{
	uint32_t value = 0;

	assert_int_equal(region_read(server, VFIO_USER_REGION_CONFIG, offset, &value, bytes), 0);
	return value;
}

static void config_write(struct server *server, unsigned int offset, unsigned int bytes,
			 uint32_t value)
{
	assert_int_equal(region_write(server, VFIO_USER_REGION_CONFIG, offset, &value, bytes), 0);
}

static uint64_t register_read(struct server *server, uint64_t offset)
{
	uint64_t value = 0;

	assert_int_equal(region_read(server, 0, offset, &value, sizeof(value)), 0);
	return value;
}

static void register_write(struct server *server, uint64_t offset, uint64_t value)
{
	assert_int_equal(region_write(server, 0, offset, &value, sizeof(value)), 0);
}

static unsigned int find_capability(struct server *server, unsigned int id)
{
	unsigned int offset = config_read(server, 0x34, 1);

	while (offset && config_read(server, offset, 1) != id)
		offset = config_read(server, offset + 1, 1);
	assert_int_not_equal(offset, 0);
	return offset;
}

static int set_interrupts(struct server *server, uint32_t flags, uint32_t start, uint32_t count,
			  const int *fds, unsigned int fd_count)
{
	const struct vfio_user_set_interrupts set = { .argsz = sizeof(set),
						      .flags = flags,
						      .interrupt = VFIO_USER_INTERRUPT_MSIX,
						      .start = start,
						      .count = count };

	return call(server, VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), NULL, 0, fds, fd_count);
}

static void enable(struct server *server)
{
	config_write(server, COMMAND, 2, COMMAND_ENABLE);
}

static void enable_msix(struct server *server)
{
	config_write(server, find_capability(server, 0x11) + 2, 2, MSIX_ENABLE);
}

static void listen_to(struct server *server, uint32_t vector, int eventfd)
{
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_EVENTFD | VFIO_USER_SET_TRIGGER,
					vector, 1, &eventfd, 1),
			 0);
}

static bool signalled(int eventfd, int milliseconds)
{
	struct pollfd poll_event = { .fd = eventfd, .events = POLLIN };
	uint64_t count;

	if (poll(&poll_event, 1, milliseconds) != 1)
		return false;
	assert_int_equal(read(eventfd, &count, sizeof(count)), sizeof(count));
	return true;
}

static int map_memory(struct server *server, uint64_t address, uint64_t bytes, uint64_t file_bytes,
		      uint32_t flags)
{
	const struct vfio_user_dma_map map = { .argsz = sizeof(map),
					       .flags = flags,
					       .address = address,
					       .bytes = bytes };
	int file = memfd_create("guest", MFD_CLOEXEC);
	int error;

	assert_int_equal(ftruncate(file, file_bytes), 0);
	error = call(server, VFIO_USER_DMA_MAP, &map, sizeof(map), NULL, 0, &file, 1);
	close(file);
	return error;
}

static int unmap_memory(struct server *server, uint64_t address, uint64_t bytes, uint32_t flags)
{
	const struct vfio_user_dma_unmap unmap = { .argsz = sizeof(unmap),
						   .flags = flags,
						   .address = address,
						   .bytes = bytes };
	struct vfio_user_dma_unmap reply;

	return call(server, VFIO_USER_DMA_UNMAP, &unmap, sizeof(unmap), &reply, sizeof(reply), NULL,
		    0);
}

/* --- a server for each test ------------------------------------------------------------------ */

static void reconnect(struct server *server)
{
	if (server->client >= 0)
		close(server->client);
	server->client = connect_client(server->path);
	assert_true(server->client >= 0);
	greet(server);
}

static int start(void **state)
{
	struct server *server = calloc(1, sizeof(*server));
	char line[128];
	int output[2];

	strcpy(server->folder, "/tmp/rf-vfio-user.XXXXXX");
	assert_non_null(mkdtemp(server->folder));
	snprintf(server->path, sizeof(server->path), "%s/socket", server->folder);
	assert_int_equal(pipe(output), 0);
	server->pid = fork();
	if (!server->pid) {
		dup2(output[1], STDOUT_FILENO);
		execl(program, program, "--random", "--seed", "7", server->path, NULL);
		_exit(127);
	}
	close(output[1]);
	/* "waiting at" is its first line */
	assert_true(read(output[0], line, sizeof(line)) > 0);
	close(output[0]);
	server->client = -1;
	reconnect(server);
	*state = server;
	return 0;
}

/* The server ends well when it is told to: no rule broken, the socket gone. */
static int end(void **state)
{
	struct server *server = *state;
	int status;

	kill(server->pid, SIGTERM);
	assert_int_equal(waitpid(server->pid, &status, 0), server->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(access(server->path, F_OK), -1);
	rmdir(server->folder);
	close(server->client);
	free(server);
	return 0;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void tells_what_it_is(void **state)
{
	const struct vfio_user_device_info ask = { .argsz = sizeof(ask) };
	struct vfio_user_device_info info;
	struct server *server = *state;
	uint8_t config[4096];
	uint32_t i;

	assert_int_equal(call(server, VFIO_USER_DEVICE_GET_INFO, &ask, sizeof(ask), &info,
			      sizeof(info), NULL, 0),
			 0);
	assert_int_equal(info.flags, VFIO_USER_DEVICE_RESETS | VFIO_USER_DEVICE_PCI);
	assert_int_equal(info.regions, VFIO_USER_REGIONS);
	for (i = 0; i < VFIO_USER_REGIONS; i++) {
		const struct vfio_user_region_info ask_region = { .argsz = sizeof(ask_region),
								  .region = i };
		struct vfio_user_region_info region;

		assert_int_equal(call(server, VFIO_USER_DEVICE_GET_REGION_INFO, &ask_region,
				      sizeof(ask_region), &region, sizeof(region), NULL, 0),
				 0);
		/* readable and writable, and never mappable: posted writes stay posted */
		assert_int_equal(region.flags, region.bytes ? 3 : 0);
		if (i == 0)
			assert_int_equal(region.bytes, RF_BAR0_BYTES);
		if (i == 4)
			assert_int_equal(region.bytes, RF_BAR4_BYTES);
		if (i == VFIO_USER_REGION_CONFIG)
			assert_int_equal(region.bytes, sizeof(config));
	}
	assert_int_equal(region_read(server, VFIO_USER_REGION_CONFIG, 0, config, sizeof(config)),
			 0);
	assert_int_equal(config[0] | config[1] << 8, RF_VENDOR_ID);
	assert_int_equal(config_read(server, 2, 2), RF_DEVICE_ID);
}

static void offers_msix_alone(void **state)
{
	const uint32_t counts[VFIO_USER_INTERRUPTS] = { 0, 0, RF_MSIX_VECTORS, 1, 0 };
	struct server *server = *state;
	uint32_t i;

	for (i = 0; i < VFIO_USER_INTERRUPTS; i++) {
		const struct vfio_user_interrupt_info ask = { .argsz = sizeof(ask),
							      .interrupt = i };
		struct vfio_user_interrupt_info info;

		assert_int_equal(call(server, VFIO_USER_DEVICE_GET_IRQ_INFO, &ask, sizeof(ask),
				      &info, sizeof(info), NULL, 0),
				 0);
		assert_int_equal(info.count, counts[i]);
	}
}

static void bars_are_sized_and_remembered(void **state)
{
	struct server *server = *state;

	config_write(server, BAR0, 4, ~0u);
	config_write(server, BAR0 + 4, 4, ~0u);
	assert_int_equal(config_read(server, BAR0, 4), (uint32_t)(~(RF_BAR0_BYTES - 1) | 4));
	assert_int_equal(config_read(server, BAR0 + 4, 4), ~0u);
	config_write(server, BAR0, 4, 0xfe000000);
	config_write(server, BAR0 + 4, 4, 1);
	assert_int_equal(config_read(server, BAR0, 4), 0xfe000004);
	/* wherever the guest puts it, it stays reachable through its region */
	enable(server);
	register_write(server, RF_REG_DEVICE_SCRATCH, 0x123456789abcdef0);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0x123456789abcdef0);
}

static void memory_space_is_off_until_enabled(void **state)
{
	struct server *server = *state;

	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), ~0ull);
	enable(server);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
}

static void posted_writes_are_not_answered(void **state)
{
	struct vfio_user_one_write many[3] = { 0 };
	const struct vfio_user_write_multi multi = { .count = 3 };
	struct server *server = *state;
	uint8_t request[256];
	uint64_t value = 1;
	size_t size;
	unsigned int i;

	enable(server);
	size = write_request(request, 0, RF_REG_DEVICE_SCRATCH, &value, sizeof(value));
	send_command(server, VFIO_USER_REGION_WRITE, VFIO_USER_NO_REPLY, request, size, NULL, 0);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 1);

	for (i = 0; i < 3; i++) {
		many[i].access = (struct vfio_user_region_access){ RF_REG_DEVICE_SCRATCH, 0, 8 };
		value = 10 + i;
		memcpy(many[i].data, &value, sizeof(value));
	}
	memcpy(request, &multi, sizeof(multi));
	memcpy(request + sizeof(multi), many, sizeof(many));
	send_command(server, VFIO_USER_REGION_WRITE_MULTI, VFIO_USER_NO_REPLY, request,
		     sizeof(multi) + sizeof(many), NULL, 0);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 12);
}

static void vectors_become_eventfds(void **state)
{
	struct server *server = *state;
	int events[RF_MSIX_VECTORS];
	unsigned int i, k;

	enable(server);
	enable_msix(server);
	for (i = 0; i < RF_MSIX_VECTORS; i++) {
		events[i] = eventfd(0, EFD_CLOEXEC);
		listen_to(server, i, events[i]);
	}
	for (i = 0; i < RF_MSIX_VECTORS; i++) {
		register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1u << i);
		assert_true(signalled(events[i], PATIENCE));
		for (k = 0; k < RF_MSIX_VECTORS; k++)
			assert_false(signalled(events[k], 0));
	}
	for (i = 0; i < RF_MSIX_VECTORS; i++)
		close(events[i]);
}

/* What nobody listens to pends in the device, and comes when somebody does again. */
static void a_vector_without_eventfd_pends(void **state)
{
	struct server *server = *state;
	int event = eventfd(0, EFD_CLOEXEC);

	enable(server);
	enable_msix(server);
	listen_to(server, 1, event);
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_EVENTFD | VFIO_USER_SET_TRIGGER, 1, 1,
					NULL, 0),
			 0);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 2);
	register_read(server, RF_REG_DEVICE_SCRATCH);
	assert_false(signalled(event, 0));
	listen_to(server, 1, event);
	assert_true(signalled(event, PATIENCE));
	close(event);
}

static void vectors_are_all_disabled_at_once(void **state)
{
	struct server *server = *state;
	int event = eventfd(0, EFD_CLOEXEC);

	enable(server);
	enable_msix(server);
	listen_to(server, 0, event);
	assert_int_equal(
		set_interrupts(server, VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER, 0, 0, NULL, 0),
		0);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	register_read(server, RF_REG_DEVICE_SCRATCH);
	assert_false(signalled(event, 0));
	close(event);
}

/* Whichever way it is reset: its registers are new, and BARs and vectors work on. */
static void check_reset(struct server *server, bool by_config)
{
	int event = eventfd(0, EFD_CLOEXEC);

	enable(server);
	listen_to(server, 2, event);
	register_write(server, RF_REG_DEVICE_SCRATCH, 5);
	if (by_config)
		config_write(server, find_capability(server, 0x10) + 8, 2, EXPRESS_RESET);
	else
		assert_int_equal(call(server, VFIO_USER_DEVICE_RESET, NULL, 0, NULL, 0, NULL, 0),
				 0);
	assert_int_equal(config_read(server, COMMAND, 2) & COMMAND_ENABLE, 0);
	enable(server);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
	enable_msix(server);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 4);
	assert_true(signalled(event, PATIENCE));
	close(event);
}

static void function_level_reset_by_the_guest(void **state)
{
	check_reset(*state, true);
}

static void reset_by_the_hypervisor(void **state)
{
	check_reset(*state, false);
}

static void memory_is_mapped_and_unmapped(void **state)
{
	const uint32_t both = VFIO_USER_DMA_READ | VFIO_USER_DMA_WRITE;
	const struct vfio_user_dma_map rom = { .argsz = sizeof(rom),
					       .flags = VFIO_USER_DMA_READ,
					       .address = 0xfffc0000,
					       .bytes = 0x40000 };
	struct server *server = *state;

	assert_int_equal(map_memory(server, MAP_ADDRESS, MAP_BYTES, MAP_BYTES, both), 0);
	assert_int_equal(map_memory(server, MAP_ADDRESS + 4096, 4096, 4096, both), EEXIST);
	/* abutting, as QEMU cuts memory */
	assert_int_equal(map_memory(server, MAP_ADDRESS + MAP_BYTES, 4096, 4096, both), 0);
	assert_int_equal(map_memory(server, MAP_ADDRESS * 2, 8192, 4096, both), EINVAL);
	assert_int_equal(map_memory(server, ~0ull - 4095, 8192, 8192, both), EINVAL);
	assert_int_equal(call(server, VFIO_USER_DMA_MAP, &rom, sizeof(rom), NULL, 0, NULL, 0), 0);
	/* a mapping is not cut */
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, 4096, 0), EINVAL);
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, MAP_BYTES, 0), 0);
	assert_int_equal(map_memory(server, MAP_ADDRESS, MAP_BYTES, MAP_BYTES, both), 0);
	/* several at once, as an emulated IOMMU forgets them; and nothing, without complaint */
	assert_int_equal(unmap_memory(server, 0, MAP_ADDRESS + 4096, 0), EINVAL);
	assert_int_equal(unmap_memory(server, 0, 2 * MAP_ADDRESS, 0), 0);
	assert_int_equal(unmap_memory(server, 0, 2 * MAP_ADDRESS, 0), 0);
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, ~0ull, 0), EINVAL);
	assert_int_equal(map_memory(server, MAP_ADDRESS, MAP_BYTES, MAP_BYTES, both), 0);
	assert_int_equal(map_memory(server, MAP_ADDRESS + MAP_BYTES, 4096, 4096, both), 0);
	assert_int_equal(unmap_memory(server, 0, 0, VFIO_USER_DMA_UNMAP_ALL), 0);
	assert_int_equal(map_memory(server, MAP_ADDRESS, MAP_BYTES, MAP_BYTES, both), 0);
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, MAP_BYTES, 0), 0);
}

static void malformed_commands_are_refused(void **state)
{
	static const uint16_t commands[] = {
		VFIO_USER_DMA_MAP,
		VFIO_USER_DMA_UNMAP,
		VFIO_USER_DEVICE_GET_REGION_INFO,
		VFIO_USER_DEVICE_GET_IRQ_INFO,
		VFIO_USER_DEVICE_SET_IRQS,
		VFIO_USER_REGION_READ,
		VFIO_USER_REGION_WRITE,
		VFIO_USER_REGION_WRITE_MULTI,
	};
	const struct vfio_user_write_multi huge = { .count = ~0ull };
	struct server *server = *state;
	uint8_t byte = 0;
	uint32_t word;
	unsigned int i;

	enable(server);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		assert_int_equal(call(server, commands[i], &byte, 1, NULL, 0, NULL, 0), EINVAL);
	assert_int_equal(call(server, 6, NULL, 0, NULL, 0, NULL, 0), ENOTSUP);
	assert_int_equal(call(server, 16, NULL, 0, NULL, 0, NULL, 0), ENOTSUP);
	assert_int_equal(call(server, 0xffff, NULL, 0, NULL, 0, NULL, 0), ENOTSUP);
	assert_int_equal(
		call(server, VFIO_USER_REGION_WRITE_MULTI, &huge, sizeof(huge), NULL, 0, NULL, 0),
		EINVAL);
	/* behind the end, across it, in no region, and too long */
	assert_int_equal(region_read(server, 0, RF_BAR0_BYTES, &word, 4), EINVAL);
	assert_int_equal(region_read(server, 0, RF_BAR0_BYTES - 2, &word, 4), EINVAL);
	assert_int_equal(region_read(server, 0, ~0ull - 1, &word, 4), EINVAL);
	assert_int_equal(region_read(server, 1, 0, &word, 4), EINVAL);
	assert_int_equal(region_read(server, 9, 0, &word, 4), EINVAL);
	assert_int_equal(region_write(server, VFIO_USER_REGION_CONFIG, 4094, &word, 4), EINVAL);
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER,
					RF_MSIX_VECTORS, 1, NULL, 0),
			 EINVAL);
	assert_int_equal(
		set_interrupts(server, VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER, ~0u, 2, NULL, 0),
		EINVAL);
	/* and it still works */
	register_write(server, RF_REG_DEVICE_SCRATCH, 3);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 3);
}

/* The connection ends, and the next client is served. */
static void check_hang_up(struct server *server, const struct vfio_user_header *header)
{
	uint8_t byte;

	send_header(server->client, header, NULL, 0);
	assert_int_equal(recv(server->client, &byte, 1, 0), 0);
	reconnect(server);
}

static void what_is_no_message_ends_the_connection(void **state)
{
	struct server *server = *state;

	check_hang_up(server, &(struct vfio_user_header){ .bytes = 4 });
	check_hang_up(server, &(struct vfio_user_header){ .bytes = ~0u });
	check_hang_up(server, &(struct vfio_user_header){ .bytes = 16, .flags = 1 });
	enable(server);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
}

static void a_client_greets_first(void **state)
{
	struct vfio_user_header header = { .command = VFIO_USER_DEVICE_GET_INFO,
					   .bytes = sizeof(header) };
	struct server *server = *state;
	uint8_t byte;

	close(server->client);
	server->client = connect_client(server->path);
	send_header(server->client, &header, NULL, 0);
	receive_all(server->client, &header, sizeof(header));
	assert_int_equal(header.error, EPROTO);
	assert_int_equal(recv(server->client, &byte, 1, 0), 0);
	reconnect(server);
}

/* In the midst of a message, with memory mapped and vectors armed. */
static void a_client_that_dies_leaves_nothing(void **state)
{
	const struct vfio_user_header cut = { .command = VFIO_USER_REGION_WRITE, .bytes = 100 };
	struct server *server = *state;
	int event = eventfd(0, EFD_CLOEXEC);

	enable(server);
	enable_msix(server);
	listen_to(server, 0, event);
	assert_int_equal(map_memory(server, MAP_ADDRESS, MAP_BYTES, MAP_BYTES, 3), 0);
	register_write(server, RF_REG_DEVICE_SCRATCH, 9);
	send_header(server->client, &cut, NULL, 0);

	reconnect(server);
	assert_int_equal(config_read(server, COMMAND, 2) & COMMAND_ENABLE, 0);
	enable(server);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
	enable_msix(server);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	register_read(server, RF_REG_DEVICE_SCRATCH);
	assert_false(signalled(event, 0));
	assert_int_equal(map_memory(server, MAP_ADDRESS, MAP_BYTES, MAP_BYTES, 3), 0);
	close(event);
}

/* User and system time of the server, in clock ticks. */
static unsigned long cpu_time(pid_t pid)
{
	unsigned long user, system;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file,
				"%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
				&user, &system),
			 2);
	fclose(file);
	return user + system;
}

static void idle_costs_no_cpu(void **state)
{
	struct server *server = *state;
	unsigned long before;

	enable(server);
	register_write(server, RF_REG_DEVICE_SCRATCH, 1);
	register_read(server, RF_REG_DEVICE_SCRATCH);
	usleep(100000);
	before = cpu_time(server->pid);
	usleep(500000);
	assert_in_range(cpu_time(server->pid), before, before + 1);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		TEST(tells_what_it_is),
		TEST(offers_msix_alone),
		TEST(bars_are_sized_and_remembered),
		TEST(memory_space_is_off_until_enabled),
		TEST(posted_writes_are_not_answered),
		TEST(vectors_become_eventfds),
		TEST(a_vector_without_eventfd_pends),
		TEST(vectors_are_all_disabled_at_once),
		TEST(function_level_reset_by_the_guest),
		TEST(reset_by_the_hypervisor),
		TEST(memory_is_mapped_and_unmapped),
		TEST(malformed_commands_are_refused),
		TEST(what_is_no_message_ends_the_connection),
		TEST(a_client_greets_first),
		TEST(a_client_that_dies_leaves_nothing),
		TEST(idle_costs_no_cpu),
	};
#undef TEST

	if (argc != 2) {
		fprintf(stderr, "usage: %s RF-VFIO-USER\n", argv[0]);
		return 2;
	}
	program = argv[1];
	signal(SIGPIPE, SIG_IGN);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("vfio_user", tests, NULL, NULL);
}
