// SPDX-License-Identifier: Apache-2.0
/*
 * rf-vfio-user as a client sees it: this program is the client, in the manner of QEMU.
 * The server is started anew for each test. Arguments: its path, and which tests.
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
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ringfence_hw.h"
#include "vfio_user_client.h"

static const char *program;

/* --- a server for each test ------------------------------------------------------------------ */

static void reconnect(struct server *server)
{
	if (server->client >= 0)
		close(server->client);
	server->client = connect_client(server->path);
	assert_true(server->client >= 0);
	greet(server);
}

static int start_server(void **state, bool errors_unread)
{
	struct server *server = calloc(1, sizeof(*server));
	int output[2], errors[2];
	char line[128];

	strcpy(server->folder, "/tmp/rf-vfio-user.XXXXXX");
	assert_non_null(mkdtemp(server->folder));
	snprintf(server->path, sizeof(server->path), "%s/socket", server->folder);
	assert_int_equal(pipe(output), 0);
	assert_int_equal(pipe2(errors, O_CLOEXEC), 0);
	server->pid = fork();
	if (!server->pid) {
		dup2(output[1], STDOUT_FILENO);
		if (errors_unread)
			dup2(errors[1], STDERR_FILENO);
		execl(program, program, "--device", "sim:seed=7,random", server->path, NULL);
		_exit(127);
	}
	close(output[1]);
	close(errors[1]);
	server->errors = errors[0];
	/* "waiting at" is its first line */
	assert_true(read(output[0], line, sizeof(line)) > 0);
	close(output[0]);
	server->client = -1;
	reconnect(server);
	*state = server;
	return 0;
}

static int start(void **state)
{
	return start_server(state, false);
}

static int start_unread(void **state)
{
	return start_server(state, true);
}

/* The server ends well when it is told to: no rule broken, the socket gone. */
static int end(void **state)
{
	struct server *server = *state;
	int status;

	kill(server->pid, SIGTERM);
	status = wait_for_end(server->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(access(server->path, F_OK), -1);
	rmdir(server->folder);
	close(server->client);
	close(server->errors);
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

/* A vector without an eventfd pends in the device, and is delivered when it has one. */
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

/* --- clients that stall ------------------------------------------------------------------------ */

/* Half a header; a header and half a message; answers that are not read; requests that take hours. */
static void cut_header(struct server *server)
{
	assert_int_equal(send(server->client, "\1\0\12\0", 4, MSG_NOSIGNAL), 4);
}

static void cut_message(struct server *server)
{
	const struct vfio_user_header cut = { .command = VFIO_USER_REGION_WRITE, .bytes = 100 };

	send_header(server->client, &cut, NULL, 0);
}

static void untaken_answers(struct server *server)
{
	const struct vfio_user_region_access access = { 0, 2, 1 << 20 };
	unsigned int i;

	enable(server);
	for (i = 0; i < 8; i++)
		send_command(server, VFIO_USER_REGION_READ, 0, &access, sizeof(access), NULL, 0);
}

static void endless_orders(struct server *server)
{
	enum { COUNT = 40000 };
	const size_t bytes =
		sizeof(struct vfio_user_write_multi) + COUNT * sizeof(struct vfio_user_one_write);
	struct vfio_user_write_multi *multi = calloc(1, bytes);
	struct vfio_user_one_write *one = (void *)(multi + 1);
	const uint16_t reset = EXPRESS_RESET;
	unsigned int i;

	multi->count = COUNT;
	one->access = (struct vfio_user_region_access){ find_capability(server, 0x10) + 8,
							VFIO_USER_REGION_CONFIG, sizeof(reset) };
	memcpy(one->data, &reset, sizeof(reset));
	for (i = 1; i < COUNT; i++)
		one[i] = one[0];
	send_command(server, VFIO_USER_REGION_WRITE_MULTI, 0, multi, bytes, NULL, 0);
	free(multi);
}

/* SIGTERM comes while the server waits for the client, or works for it. */
static void ends_although_a_header_is_cut(void **state)
{
	cut_header(*state);
	usleep(100000);
}

static void ends_although_a_message_is_cut(void **state)
{
	cut_message(*state);
	usleep(100000);
}

static void ends_although_answers_are_not_taken(void **state)
{
	untaken_answers(*state);
	usleep(300000);
}

static void ends_although_there_is_work_for_hours(void **state)
{
	endless_orders(*state);
	usleep(300000);
}

/* The counter of an eventfd is full, and its owner does not read it. */
static void ends_although_an_eventfd_is_full(void **state)
{
	const uint64_t full = UINT64_MAX - 1;
	struct server *server = *state;
	int event = eventfd(0, EFD_CLOEXEC);
	unsigned int i;

	enable(server);
	enable_msix(server);
	assert_int_equal(write(event, &full, sizeof(full)), sizeof(full));
	listen_to(server, 0, event);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	for (i = 0; i < 100; i++) /* it is raised meanwhile */
		assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
	close(event);
}

/* The log of the server about a client with invalid requests is not read. */
static void nonsense_without_end_does_not_stall_it(void **state)
{
	struct server *server = *state;
	unsigned int i;

	for (i = 0; i < 4000; i++)
		assert_int_equal(call(server, 16, &i, sizeof(i), NULL, 0, NULL, 0), ENOTSUP);
	for (i = 0; i < 20; i++)
		reconnect(server);
	enable(server);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
}

static void send_bytes(int client, const void *data, size_t bytes, size_t piece)
{
	size_t sent;

	for (sent = 0; sent < bytes; sent += piece) {
		if (piece > bytes - sent)
			piece = bytes - sent;
		assert_int_equal(send(client, (const uint8_t *)data + sent, piece, MSG_NOSIGNAL),
				 piece);
		usleep(2000);
	}
}

/* However it is cut, and descriptors with the first piece of it. */
static void a_message_may_come_in_pieces(void **state)
{
	const struct vfio_user_dma_map map = { .argsz = sizeof(map),
					       .flags = 3,
					       .address = MAP_ADDRESS,
					       .bytes = MAP_BYTES };
	struct vfio_user_header header = { .id = 77,
					   .command = VFIO_USER_DMA_MAP,
					   .bytes = sizeof(header) + sizeof(map) };
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec vector = { &header, 3 };
	struct msghdr first = { .msg_iov = &vector,
				.msg_iovlen = 1,
				.msg_control = control,
				.msg_controllen = sizeof(control) };
	struct cmsghdr *rights = CMSG_FIRSTHDR(&first);
	struct server *server = *state;
	int file = memfd_create("guest", MFD_CLOEXEC);

	assert_int_equal(ftruncate(file, MAP_BYTES), 0);
	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(rights), &file, sizeof(int));
	assert_int_equal(sendmsg(server->client, &first, MSG_NOSIGNAL), 3);
	usleep(2000);
	send_bytes(server->client, (uint8_t *)&header + 3, sizeof(header) - 3, 1);
	send_bytes(server->client, &map, sizeof(map), 5);
	receive_all(server->client, &header, sizeof(header));
	assert_int_equal(header.id, 77);
	assert_int_equal(header.flags, VFIO_USER_TYPE_REPLY);
	/* it is mapped, so the descriptor was there */
	assert_int_equal(map_memory(server, MAP_ADDRESS, 4096, 4096, 3), EEXIST);
	close(file);
}

/* --- what comes first ---------------------------------------------------------------------------- */

static int propose(struct server *server, uint16_t major, const void *text, size_t bytes,
		   const int *fds, unsigned int fd_count)
{
	const struct vfio_user_version version = { major, 0 };
	uint8_t *request = malloc(sizeof(version) + bytes);
	struct vfio_user_header header;
	char reply[512];

	if (server->client >= 0)
		close(server->client);
	server->client = connect_client(server->path);
	assert_true(server->client >= 0);
	memcpy(request, &version, sizeof(version));
	if (bytes)
		memcpy(request + sizeof(version), text, bytes);
	send_command(server, VFIO_USER_VERSION, 0, request, sizeof(version) + bytes, fds, fd_count);
	free(request);
	receive_all(server->client, &header, sizeof(header));
	assert_int_equal(header.command, VFIO_USER_VERSION);
	if (header.flags & VFIO_USER_ERROR) {
		/* and hangs up */
		assert_int_equal(recv(server->client, reply, 1, 0), 0);
		return header.error;
	}
	assert_in_range(header.bytes, sizeof(header) + 5, sizeof(header) + sizeof(reply));
	receive_all(server->client, reply, header.bytes - sizeof(header));
	return 0;
}

static void a_proposal_is_checked(void **state)
{
#define CAPABILITIES(text) "{\"capabilities\":{" text "}}"
	static const char *const right[] = {
		"{}",
		" { \"capabilities\" : { } } \n",
		"{\"other\":[1,2.5e-3,\"\\u00fc\",null,{\"a\":[[]]}],\"capabilities\":{}}",
		"{\"name\":\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x9f\"}",
		CAPABILITIES("\"max_msg_fds\":16,\"max_data_xfer_size\":1048576,"
			     "\"max_dma_maps\":65535,\"pgsizes\":4096,\"write_multiple\":true,"
			     "\"migration\":{\"max_bitmap_size\":268435456,\"pgsize\":4096},"
			     "\"twin_socket\":{\"supported\":false},\"new\":\"thing\""),
		CAPABILITIES("\"max_msg_fds\":0,\"pgsizes\":18446744073709551615"),
		CAPABILITIES("\"max_msg_fds\":1024"),
	};
	static const char *const wrong[] = {
		"",
		"{",
		"\"",
		"{}}",
		"{} {}",
		"[]",
		"null",
		"{\"a\":1,}",
		"{'a':1}",
		"{\"a\" 1}",
		"{\"a\":01}",
		"{\"a\":+1}",
		"{\"a\":1.}",
		"{\"a\":tru}",
		"{\"a\":\"\t\"}",
		"{\"a\":\"\\x\"}",
		"{\"a\":\"\\u12g4\"}",
		"{\"a\":[1 2]}",
		"{\"\xff\":1}", /* no UTF-8: a byte, an overlong one, a surrogate, one cut short */
		"{\"\xc0\xaf\":1}",
		"{\"\xed\xa0\x80\":1}",
		"{\"\xe2\x82\":1}",
		"{\"capabilities\":\"23\"}",
		"{\"capabilities\":[]}",
		"{\"cap\\u0061bilities\":7}", /* the same name */
		CAPABILITIES("\"max_msg_fds\":\"foo\""),
		CAPABILITIES("\"max_msg_fds\":-1"),
		CAPABILITIES("\"max_msg_fds\":1025"),
		CAPABILITIES("\"max_msg_fds\":4294967297"),
		CAPABILITIES("\"max_msg_fds\":18446744073709551617"),
		CAPABILITIES("\"max_msg_fds\":1.5"),
		CAPABILITIES("\"max_msg_fds\":null"),
		CAPABILITIES("\"max_data_xfer_size\":[1]"),
		CAPABILITIES("\"max_data_xfer_size\":-5"),
		CAPABILITIES("\"max_dma_maps\":true"),
		CAPABILITIES("\"pgsizes\":\"4096\""),
		CAPABILITIES("\"pgsizes\":0"),
		CAPABILITIES("\"pgsizes\":2048"),
		CAPABILITIES("\"migration\":23"),
		CAPABILITIES("\"migration\":{\"pgsize\":\"foo\"}"),
		CAPABILITIES("\"twin_socket\":true"),
		CAPABILITIES("\"twin_socket\":{\"supported\":1}"),
		CAPABILITIES("\"write_multiple\":1"),
	};
#undef CAPABILITIES
	struct server *server = *state;
	unsigned int i;

	for (i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		if (propose(server, 0, right[i], strlen(right[i]) + 1, NULL, 0))
			fail_msg("refused: right[%u]", i);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (propose(server, 0, wrong[i], strlen(wrong[i]) + 1, NULL, 0) != EINVAL)
			fail_msg("accepted: wrong[%u]", i); /* not all are text */
	assert_int_equal(propose(server, 1, "{}", 3, NULL, 0), EINVAL);
	assert_int_equal(propose(server, 0, "{}", 2, NULL, 0), EINVAL); /* without NUL */
	assert_int_equal(propose(server, 0, "{}\0{}", 6, NULL, 0), EINVAL);
	assert_int_equal(propose(server, 0, "{}", 3, (const int[]){ 0 }, 1), EINVAL);
	reconnect(server);
	assert_int_equal(call(server, VFIO_USER_VERSION, "\0\0\0", 4, NULL, 0, NULL, 0), EINVAL);
}

/* In an object. */
static int propose_arrays(struct server *server, unsigned int count)
{
	char *text = malloc(2 * count + 8);
	int error;

	memcpy(text, "{\"a\":", 5);
	memset(text + 5, '[', count);
	memset(text + 5 + count, ']', count);
	memcpy(text + 5 + 2 * count, "}", 2);
	error = propose(server, 0, text, 2 * count + 7, NULL, 0);
	free(text);
	return error;
}

static void a_deep_or_huge_proposal_is_no_danger(void **state)
{
	const size_t bytes = 1 << 20;
	struct server *server = *state;
	char *text = malloc(bytes + 32);

	assert_int_equal(propose_arrays(server, 31), 0);
	assert_int_equal(propose_arrays(server, 32), EINVAL);
	assert_int_equal(propose_arrays(server, 500000), EINVAL);
	memcpy(text, "{\"a\":\"", 6);
	memset(text + 6, 'x', bytes - 6);
	memcpy(text + bytes - 3, "\"}", 3);
	assert_int_equal(propose(server, 0, text, bytes, NULL, 0), 0);
	free(text);
}

/* --- what the protocol says of each command -------------------------------------------------------- */

/* What is asked has room for what is answered. */
static void argsz_is_checked(void **state)
{
	struct vfio_user_dma_unmap unmap = { .argsz = 23, .address = MAP_ADDRESS, .bytes = 4096 };
	struct vfio_user_dma_map map = { .argsz = 31, .flags = 3, .bytes = 4096 };
	struct vfio_user_interrupt_info interrupt = { .argsz = 15 };
	struct vfio_user_set_interrupts set = { .argsz = 19,
						.flags = VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER,
						.interrupt = VFIO_USER_INTERRUPT_MSIX };
	struct vfio_user_region_info region = { .argsz = 31 };
	struct vfio_user_device_info device = { .argsz = 15 };
	struct server *server = *state;
	uint8_t reply[64];

#define CHECK(command, ask, error, reply_bytes)                                                   \
	assert_int_equal(call(server, command, &(ask), sizeof(ask), reply, reply_bytes, NULL, 0), \
			 error)
	CHECK(VFIO_USER_DEVICE_GET_INFO, device, EINVAL, 0);
	CHECK(VFIO_USER_DEVICE_GET_REGION_INFO, region, EINVAL, 0);
	CHECK(VFIO_USER_DEVICE_GET_IRQ_INFO, interrupt, EINVAL, 0);
	CHECK(VFIO_USER_DEVICE_SET_IRQS, set, EINVAL, 0);
	CHECK(VFIO_USER_DMA_MAP, map, EINVAL, 0);
	CHECK(VFIO_USER_DMA_UNMAP, unmap, EINVAL, 0);
	unmap.argsz = (1 << 20) + 8;
	CHECK(VFIO_USER_DMA_UNMAP, unmap, EINVAL, 0);
	/* more than enough is enough, and the answer says what was needed */
	device.argsz = interrupt.argsz = 1000;
	region.argsz = 1000;
	CHECK(VFIO_USER_DEVICE_GET_INFO, device, 0, sizeof(device));
	assert_int_equal(*(uint32_t *)reply, sizeof(device));
	CHECK(VFIO_USER_DEVICE_GET_REGION_INFO, region, 0, sizeof(region));
	assert_int_equal(*(uint32_t *)reply, sizeof(region));
	CHECK(VFIO_USER_DEVICE_GET_IRQ_INFO, interrupt, 0, sizeof(interrupt));
	assert_int_equal(*(uint32_t *)reply, sizeof(interrupt));
	/* no such region or interrupt */
	region.region = VFIO_USER_REGIONS;
	interrupt.interrupt = VFIO_USER_INTERRUPTS;
	CHECK(VFIO_USER_DEVICE_GET_REGION_INFO, region, EINVAL, 0);
	CHECK(VFIO_USER_DEVICE_GET_IRQ_INFO, interrupt, EINVAL, 0);
#undef CHECK
}

static void interrupts_are_set_as_specified_or_not_at_all(void **state)
{
	enum {
		N = VFIO_USER_SET_NONE,
		B = VFIO_USER_SET_BOOL,
		E = VFIO_USER_SET_EVENTFD,
		M = VFIO_USER_SET_MASK,
		U = VFIO_USER_SET_UNMASK,
		T = VFIO_USER_SET_TRIGGER,
		MSIX = VFIO_USER_INTERRUPT_MSIX,
		ERROR = VFIO_USER_INTERRUPT_ERROR,
		LAST = RF_MSIX_VECTORS,
	};
	static const struct {
		uint32_t flags, interrupt, start, count;
		unsigned int bytes, fds;
	} wrong[] = {
		{ 0, MSIX, 0, 1, 0, 0 }, /* no action, no data; two of them; unknown ones */
		{ N, MSIX, 0, 1, 0, 0 },
		{ T, MSIX, 0, 1, 0, 0 },
		{ N | M | U, MSIX, 0, 1, 0, 0 },
		{ N | T | M, MSIX, 0, 1, 0, 0 },
		{ N | B | T, MSIX, 0, 1, 1, 0 },
		{ N | E | T, MSIX, 0, 1, 0, 1 },
		{ N | T | 1 << 6, MSIX, 0, 1, 0, 0 },
		{ N | T | 1u << 31, MSIX, 0, 1, 0, 0 },
		{ N | T, MSIX, LAST, 0, 0, 0 }, /* out of range */
		{ N | T, MSIX, LAST, 1, 0, 0 },
		{ N | T, MSIX, LAST - 1, 2, 0, 0 },
		{ E | T, MSIX, 1, ~0u, 0, 1 },
		{ N | T, ERROR, 0, 2, 0, 0 },
		{ N | T, ERROR, 1, 0, 0, 0 },
		{ N | T, VFIO_USER_INTERRUPT_INTX, 0, 1, 0, 0 }, /* none of these */
		{ N | T, VFIO_USER_INTERRUPT_INTX, 0, 0, 0, 0 },
		{ N | T, VFIO_USER_INTERRUPT_REQUEST, 0, 1, 0, 0 },
		{ N | T, VFIO_USER_INTERRUPTS, 0, 0, 0, 0 },
		{ N | T, ~0u, 0, 0, 0, 0 },
		{ N | M, ERROR, 0, 1, 0, 0 }, /* cannot be masked */
		{ N | U, ERROR, 0, 1, 0, 0 },
		{ E | M, MSIX, 0, 1, 0, 1 }, /* nothing that an eventfd could tell of */
		{ E | U, MSIX, 0, 1, 0, 1 },
		{ N | T, MSIX, 1, 0, 0, 0 }, /* "all" begins at 0 and is triggered by none */
		{ N | M, MSIX, 0, 0, 0, 0 },
		{ B | T, MSIX, 0, 0, 0, 0 },
		{ E | T, MSIX, 0, 0, 0, 0 },
		{ B | T, MSIX, 0, 2, 1, 0 }, /* too few, too many bytes and descriptors */
		{ B | T, MSIX, 0, 2, 3, 0 },
		{ B | T, MSIX, 0, 1, 1, 1 },
		{ N | T, MSIX, 0, 1, 0, 1 },
		{ E | T, MSIX, 0, 2, 0, 1 },
		{ E | T, MSIX, 0, 2, 0, 3 },
		{ E | T, ERROR, 0, 1, 0, 2 },
		{ E | T, MSIX, 0, 1, 0, 9 },
		{ E | T, MSIX, 0, 8, 0, 20 },
	};
	static const uint8_t ones[4] = { 1, 1, 1, 1 };
	struct server *server = *state;
	int events[FDS], event = eventfd(0, EFD_CLOEXEC);
	unsigned int i;

	enable(server);
	enable_msix(server);
	listen_to(server, 0, event);
	for (i = 0; i < FDS; i++)
		events[i] = eventfd(0, EFD_CLOEXEC);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const struct vfio_user_set_interrupts set = { .argsz = sizeof(set) + wrong[i].bytes,
							      .flags = wrong[i].flags,
							      .interrupt = wrong[i].interrupt,
							      .start = wrong[i].start,
							      .count = wrong[i].count };

		if (raw_set_interrupts(server, &set, ones, wrong[i].bytes, events, wrong[i].fds) !=
		    EINVAL)
			fail_msg(
				"accepted: flags 0x%x, interrupt %u, from %u, %u of them, %u bytes, "
				"%u descriptors",
				set.flags, set.interrupt, set.start, set.count, wrong[i].bytes,
				wrong[i].fds);
	}
	assert_false(signalled(event, 0));
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	assert_true(signalled(event, PATIENCE));
	for (i = 0; i < FDS; i++) {
		assert_false(signalled(events[i], 0));
		close(events[i]);
	}
	close(event);
}

/* As if the device had: to see whether one's handlers work. */
static void a_client_triggers_its_own_vectors(void **state)
{
	static const uint8_t middle[] = { 0, 1, 0 };
	const struct vfio_user_set_interrupts error = { .argsz = sizeof(error),
							.flags = VFIO_USER_SET_EVENTFD |
								 VFIO_USER_SET_TRIGGER,
							.interrupt = VFIO_USER_INTERRUPT_ERROR,
							.count = 1 };
	struct vfio_user_set_interrupts trigger = error;
	struct server *server = *state;
	int events[4];
	unsigned int i;

	enable(server);
	enable_msix(server);
	for (i = 0; i < 4; i++)
		events[i] = eventfd(0, EFD_CLOEXEC);
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_EVENTFD | VFIO_USER_SET_TRIGGER, 1, 3,
					events, 3),
			 0);
	assert_int_equal(
		set_interrupts(server, VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER, 2, 2, NULL, 0),
		0);
	assert_false(signalled(events[0], 0));
	assert_true(signalled(events[1], 0));
	assert_true(signalled(events[2], 0));
	assert_int_equal(set_chosen(server, VFIO_USER_SET_TRIGGER, 1, 3, middle), 0);
	assert_false(signalled(events[0], 0));
	assert_true(signalled(events[1], 0));
	assert_false(signalled(events[2], 0));
	/* they are still there for the device */
	for (i = 0; i < 3; i++) {
		register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 2u << i);
		assert_true(signalled(events[i], PATIENCE));
	}
	/* a vector without an eventfd is triggered without effect */
	assert_int_equal(
		set_interrupts(server, VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER, 0, 1, NULL, 0),
		0);
	/* and the interrupt for errors */
	assert_int_equal(raw_set_interrupts(server, &error, NULL, 0, &events[3], 1), 0);
	trigger.flags = VFIO_USER_SET_NONE | VFIO_USER_SET_TRIGGER;
	assert_int_equal(raw_set_interrupts(server, &trigger, NULL, 0, NULL, 0), 0);
	assert_true(signalled(events[3], 0));
	trigger.count = 0;
	assert_int_equal(raw_set_interrupts(server, &trigger, NULL, 0, NULL, 0), 0);
	trigger.count = 1;
	assert_int_equal(raw_set_interrupts(server, &trigger, NULL, 0, NULL, 0), 0);
	assert_false(signalled(events[3], 0));
	for (i = 0; i < 4; i++)
		close(events[i]);
}

static void set_masks(struct server *server, uint32_t action, uint32_t start, uint32_t count)
{
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_NONE | action, start, count, NULL, 0),
			 0);
}

/* A masked vector pends, and comes once when it is unmasked. */
static void vectors_are_masked_and_unmasked(void **state)
{
	static const uint8_t second[] = { 0, 1 };
	const struct vfio_user_interrupt_info ask = { .argsz = sizeof(ask),
						      .interrupt = VFIO_USER_INTERRUPT_MSIX };
	struct vfio_user_interrupt_info info;
	struct server *server = *state;
	int events[2] = { eventfd(0, EFD_CLOEXEC), eventfd(0, EFD_CLOEXEC) };

	assert_int_equal(call(server, VFIO_USER_DEVICE_GET_IRQ_INFO, &ask, sizeof(ask), &info,
			      sizeof(info), NULL, 0),
			 0);
	assert_int_equal(info.flags, VFIO_USER_INTERRUPT_EVENTFD | VFIO_USER_INTERRUPT_MASKABLE |
					     VFIO_USER_INTERRUPT_NORESIZE);
	enable(server);
	enable_msix(server);
	listen_to(server, 0, events[0]);
	listen_to(server, 1, events[1]);
	set_masks(server, VFIO_USER_SET_MASK, 0, 2);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 3);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
	assert_false(signalled(events[0], 0));
	assert_int_equal(set_chosen(server, VFIO_USER_SET_UNMASK, 0, 2, second), 0);
	assert_true(signalled(events[1], PATIENCE));
	assert_false(signalled(events[0], 0));
	/* one that the client triggers pends as well */
	set_masks(server, VFIO_USER_SET_MASK, 1, 1);
	set_masks(server, VFIO_USER_SET_TRIGGER, 1, 1);
	assert_false(signalled(events[1], 0));
	set_masks(server, VFIO_USER_SET_UNMASK, 0, 2);
	assert_true(signalled(events[0], PATIENCE));
	assert_true(signalled(events[1], PATIENCE));
	/* a mask stays with its vector when the eventfd changes */
	set_masks(server, VFIO_USER_SET_MASK, 0, 1);
	listen_to(server, 0, events[1]);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
	assert_false(signalled(events[1], 0));
	set_masks(server, VFIO_USER_SET_UNMASK, 0, 1);
	assert_true(signalled(events[1], PATIENCE));
	close(events[0]);
	close(events[1]);
}

static void set_power_state(struct server *server, unsigned int state)
{
	unsigned int control = find_capability(server, 0x01) + 4;

	config_write(server, control, 1, state);
	assert_int_equal(config_read(server, control, 1) & 3, state);
}

/* What is set up in D3hot, and in D3hot without memory space, holds in D0. */
static void interrupts_set_up_in_d3_arrive_in_d0(void **state)
{
	struct server *server = *state;
	int events[3];
	unsigned int i;

	enable(server);
	enable_msix(server);
	for (i = 0; i < 3; i++)
		events[i] = eventfd(0, EFD_CLOEXEC);
	listen_to(server, 0, events[0]);
	set_power_state(server, 3);
	listen_to(server, 1, events[1]);
	config_write(server, COMMAND, 2, 0);
	listen_to(server, 2, events[2]);
	set_masks(server, VFIO_USER_SET_MASK, 0, 1);
	config_write(server, COMMAND, 2, COMMAND_ENABLE);
	set_power_state(server, 0);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 7);
	assert_true(signalled(events[1], PATIENCE));
	assert_true(signalled(events[2], PATIENCE));
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
	assert_false(signalled(events[0], 0));
	set_power_state(server, 3);
	set_masks(server, VFIO_USER_SET_UNMASK, 0, 1);
	set_power_state(server, 0);
	assert_true(signalled(events[0], PATIENCE));
	for (i = 0; i < 3; i++)
		close(events[i]);
}

/* What an interrupt was taken away from in D3hot pends in D0, and is told to the next one. */
static void interrupts_taken_away_in_d3_pend_in_d0(void **state)
{
	struct server *server = *state;
	int event = eventfd(0, EFD_CLOEXEC);

	enable(server);
	enable_msix(server);
	listen_to(server, 0, event);
	set_power_state(server, 3);
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_EVENTFD | VFIO_USER_SET_TRIGGER, 0, 1,
					NULL, 0),
			 0);
	set_power_state(server, 0);
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 0);
	assert_false(signalled(event, 0));
	listen_to(server, 0, event);
	assert_true(signalled(event, PATIENCE));
	close(event);
}

/* The client emulates the table: what it has there is nothing that the device follows. */
static void the_msix_table_is_the_clients_own(void **state)
{
	struct server *server = *state;
	uint32_t place = config_read(server, find_capability(server, 0x11) + 4, 4);
	uint8_t entries[2 * 16 + 8], found[sizeof(entries)];
	int event = eventfd(0, EFD_CLOEXEC);

	enable(server);
	enable_msix(server);
	listen_to(server, 0, event);
	memset(entries, 0x5a, sizeof(entries));
	assert_int_equal(region_write(server, place & 7, place & ~7u, entries, sizeof(entries)), 0);
	assert_int_equal(region_read(server, place & 7, place & ~7u, found, sizeof(found)), 0);
	assert_memory_equal(found, entries, sizeof(found));
	register_write(server, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	assert_true(signalled(event, PATIENCE));
	/* a reset masks every entry */
	assert_int_equal(call(server, VFIO_USER_DEVICE_RESET, NULL, 0, NULL, 0, NULL, 0), 0);
	memset(entries, 0, sizeof(entries));
	entries[12] = entries[28] = 1;
	assert_int_equal(region_read(server, place & 7, place & ~7u, found, 32), 0);
	assert_memory_equal(found, entries, 32);
	close(event);
}

/* The answer is their number; if one is wrong, none is done. */
static void many_writes_are_counted(void **state)
{
	struct {
		struct vfio_user_write_multi multi;
		struct vfio_user_one_write one[2];
	} request = { .multi = { 2 } };
	struct vfio_user_write_multi reply;
	struct server *server = *state;
	unsigned int i;

	enable(server);
	for (i = 0; i < 2; i++) {
		request.one[i].access =
			(struct vfio_user_region_access){ RF_REG_DEVICE_SCRATCH, 0, 8 };
		request.one[i].data[0] = 5 + i;
	}
	assert_int_equal(call(server, VFIO_USER_REGION_WRITE_MULTI, &request, sizeof(request),
			      &reply, sizeof(reply), NULL, 0),
			 0);
	assert_int_equal(reply.count, 2);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 6);
	request.one[0].data[0] = 9;
	request.one[1].access.bytes = 9;
	assert_int_equal(call(server, VFIO_USER_REGION_WRITE_MULTI, &request, sizeof(request), NULL,
			      0, NULL, 0),
			 EINVAL);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 6);
	request.one[1].access.bytes = 8;
	request.one[1].access.region = VFIO_USER_REGION_ROM;
	assert_int_equal(call(server, VFIO_USER_REGION_WRITE_MULTI, &request, sizeof(request), NULL,
			      0, NULL, 0),
			 EINVAL);
	assert_int_equal(register_read(server, RF_REG_DEVICE_SCRATCH), 6);
}

/* Of any size and alignment, and nothing of one client for the next. */
static void local_memory_is_the_clients_alone(void **state)
{
	struct server *server = *state;
	uint8_t secret[24], found[64];
	unsigned int i;

	enable(server);
	for (i = 0; i < sizeof(secret); i++)
		secret[i] = 0xa0 + i;
	for (i = 0; i < 8; i++) {
		assert_int_equal(region_write(server, 2, 4090 + 33 * i, secret, 7 + i), 0);
		assert_int_equal(region_read(server, 2, 4090 + 33 * i, found, 7 + i), 0);
		assert_memory_equal(found, secret, 7 + i);
	}
	reconnect(server);
	enable(server);
	assert_int_equal(region_read(server, 2, 4090, found, sizeof(found)), 0);
	for (i = 0; i < sizeof(found); i++)
		assert_int_equal(found[i], 0);
}

/* --- memory ------------------------------------------------------------------------------------------ */

static unsigned int descriptors(pid_t pid)
{
	unsigned int count = 0, fd;
	struct stat status;
	char path[64];

	for (fd = 0; fd < 256; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%u", (int)pid, fd);
		count += !lstat(path, &status);
	}
	return count;
}

/* Only files are memory, only eventfds are eventfds, and nothing that is refused stays open. */
static void the_wrong_kind_of_descriptor_is_refused(void **state)
{
	const struct vfio_user_device_info ask = { .argsz = sizeof(ask) };
	const struct vfio_user_dma_unmap all = { .argsz = sizeof(all),
						 .flags = VFIO_USER_DMA_UNMAP_ALL };
	struct server *server = *state;
	unsigned int before = descriptors(server->pid), i;
	int pipes[2], sockets[2], kinds[9], many[FDS];

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
	kinds[0] = pipes[0];
	kinds[1] = pipes[1];
	kinds[2] = sockets[0];
	kinds[3] = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	kinds[4] = open("/dev/zero", O_RDWR | O_CLOEXEC);
	kinds[5] = eventfd(0, EFD_CLOEXEC);
	kinds[6] = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	kinds[7] = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	kinds[8] = memfd_create("memory", MFD_CLOEXEC);
	assert_int_equal(ftruncate(kinds[6], MAP_BYTES), 0);
	assert_int_equal(fcntl(kinds[6], F_ADD_SEALS, F_SEAL_WRITE), 0);
	assert_int_equal(ftruncate(kinds[8], MAP_BYTES), 0);
	enable(server);
	for (i = 0; i < 8; i++) {
		int error = map_file(server, MAP_ADDRESS, MAP_BYTES, 0, 3, &kinds[i], 1);

		if (error != (i < 6 ? EINVAL : i == 6 ? EPERM : EACCES))
			fail_msg("kind %u: %s", i, strerror(error));
	}
	for (i = 0; i < 9; i++)
		if (i != 5)
			assert_int_equal(
				set_interrupts(server,
					       VFIO_USER_SET_EVENTFD | VFIO_USER_SET_TRIGGER, 0, 1,
					       &kinds[i], 1),
				EINVAL);
	/* one of two is right: neither is taken */
	many[0] = kinds[5];
	many[1] = kinds[1];
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_EVENTFD | VFIO_USER_SET_TRIGGER, 0, 2,
					many, 2),
			 EINVAL);
	/* too many, and where there are none */
	for (i = 0; i < FDS; i++)
		many[i] = kinds[8];
	assert_int_equal(map_file(server, MAP_ADDRESS, MAP_BYTES, 0, 3, many, 2), EINVAL);
	assert_int_equal(map_file(server, MAP_ADDRESS, MAP_BYTES, 0, 3, many, FDS), EINVAL);
	assert_int_equal(
		call(server, VFIO_USER_DEVICE_GET_INFO, &ask, sizeof(ask), NULL, 0, many, 1),
		EINVAL);
	assert_int_equal(call(server, VFIO_USER_DMA_UNMAP, &all, sizeof(all), NULL, 0, many, FDS),
			 EINVAL);
	assert_int_equal(call(server, 99, &all, sizeof(all), NULL, 0, many, 8), EINVAL);
	assert_int_equal(descriptors(server->pid), before);
	assert_int_equal(map_file(server, MAP_ADDRESS, MAP_BYTES, 0, 3, &kinds[8], 1), 0);
	assert_int_equal(descriptors(server->pid), before);
	for (i = 0; i < 9; i++)
		close(kinds[i]);
	close(sockets[1]);
}

static void mappings_are_checked(void **state)
{
	const uint64_t page = 4096;
	struct server *server = *state;
	int file = memfd_create("guest", MFD_CLOEXEC);

	assert_int_equal(ftruncate(file, MAP_BYTES), 0);
#define MAP(address, bytes, offset, flags) map_file(server, address, bytes, offset, flags, &file, 1)
	assert_int_equal(MAP(MAP_ADDRESS, 0, 0, 3), EINVAL);
	assert_int_equal(MAP(MAP_ADDRESS, page, 0, 0), EINVAL); /* neither read nor written */
	assert_int_equal(MAP(MAP_ADDRESS, page, 0, 3 | 1 << 8), EINVAL);
	assert_int_equal(MAP(MAP_ADDRESS + 8, page, 0, 3), EINVAL); /* no pages */
	assert_int_equal(MAP(MAP_ADDRESS, page + 8, 0, 3), EINVAL);
	assert_int_equal(MAP(MAP_ADDRESS, page, 8, 3), EINVAL);
	assert_int_equal(MAP(MAP_ADDRESS, MAP_BYTES, page, 3), EINVAL); /* beyond the file */
	assert_int_equal(MAP(MAP_ADDRESS, page, ~0ull << 12, 3), EINVAL);
	assert_int_equal(MAP(MAP_ADDRESS, ~0ull << 12, page, 3), EINVAL);
	assert_int_equal(MAP(~0ull << 12, 2 * page, 0, 3), EINVAL);
	assert_int_equal(MAP(0xfee00000, page, 0, 3), EINVAL); /* where interrupts go */
	/* memory that the device cannot reach is in the way of other memory, too */
	assert_int_equal(map_file(server, MAP_ADDRESS, 4 * page, 0, 3, NULL, 0), 0);
	assert_int_equal(MAP(MAP_ADDRESS + page, page, 0, 3), EEXIST);
	assert_int_equal(map_file(server, MAP_ADDRESS - page, 2 * page, 0, 1, NULL, 0), EEXIST);
	assert_int_equal(map_file(server, MAP_ADDRESS, 4 * page, 0, 3, NULL, 0), EEXIST);
	assert_int_equal(MAP(MAP_ADDRESS + 4 * page, page, page, 3), 0);
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, 0, 0), EINVAL);
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, page, 1), EINVAL); /* dirty pages */
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, page, 4), EINVAL);
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, page, VFIO_USER_DMA_UNMAP_ALL), EINVAL);
	assert_int_equal(unmap_memory(server, MAP_ADDRESS, 5 * page, 0), 0);
	assert_int_equal(MAP(MAP_ADDRESS, MAP_BYTES, 0, 3), 0);
#undef MAP
	close(file);
}

/*
 * A client of its own whose queue runs when so much is left of its files, which the device
 * may do that with: the error that it finds.
 */
static unsigned int run_queue(struct server *server, uint64_t memory_left, uint64_t fence_left,
			      uint32_t memory_flags, uint32_t fence_flags)
{
	int memory = memfd_create("memory", MFD_CLOEXEC);
	int fence = memfd_create("fence", MFD_CLOEXEC);
	uint8_t source[COPY_BYTES], target[COPY_BYTES];
	unsigned int error;

	reconnect(server);
	enable(server);
	fill_memory(memory);
	memset(source, 0x77, sizeof(source));
	assert_int_equal(ftruncate(fence, FENCE_BYTES), 0);
	assert_int_equal(pwrite(fence, source, sizeof(source), 0x1000), sizeof(source));
	assert_int_equal(map_file(server, MAP_ADDRESS, MAP_BYTES, 0, memory_flags, &memory, 1), 0);
	assert_int_equal(map_file(server, FENCE_ADDRESS, FENCE_BYTES, 0, fence_flags, &fence, 1),
			 0);
	assert_int_equal(ftruncate(memory, memory_left), 0);
	assert_int_equal(ftruncate(fence, fence_left), 0);
	start_queue(server);
	error = outcome(server, fence);
	if (!error) {
		assert_int_equal(pread(fence, target, sizeof(target), 0x2000), sizeof(target));
		assert_memory_equal(target, source, sizeof(target));
	}
	close(memory);
	close(fence);
	return error;
}

/*
 * The device is told that memory has gone that its owner has truncated. The server, and
 * the next client, do not hear of it.
 */
static void memory_may_be_truncated(void **state)
{
	struct server *server = *state;

	assert_int_equal(run_queue(server, MAP_BYTES, FENCE_BYTES, 3, 3), 0);
	/* no page table, no ring, no commands, nothing to copy, nowhere to copy to */
	assert_int_not_equal(run_queue(server, 0, FENCE_BYTES, 3, 3), 0);
	assert_int_not_equal(run_queue(server, RING_PAGE, FENCE_BYTES, 3, 3), 0);
	assert_int_not_equal(run_queue(server, COMMANDS_PAGE, FENCE_BYTES, 3, 3), 0);
	assert_int_not_equal(run_queue(server, MAP_BYTES, 0x1000, 3, 3), 0);
	assert_int_equal(config_read(server, 0, 2), RF_VENDOR_ID);
	assert_int_equal(run_queue(server, MAP_BYTES, FENCE_BYTES, 3, 3), 0);
}

/* A write to what was truncated is lost, as any posted write to nothing. */
static void a_write_to_truncated_memory_is_lost(void **state)
{
	struct server *server = *state;
	int memory = memfd_create("memory", MFD_CLOEXEC);
	int fence = memfd_create("fence", MFD_CLOEXEC);
	uint8_t zero[16] = { 0 }, found[16];
	unsigned int waited;

	enable(server);
	fill_memory(memory);
	assert_int_equal(ftruncate(fence, FENCE_BYTES), 0);
	assert_int_equal(map_file(server, MAP_ADDRESS, MAP_BYTES, 0, 3, &memory, 1), 0);
	assert_int_equal(map_file(server, FENCE_ADDRESS, FENCE_BYTES, 0, 3, &fence, 1), 0);
	assert_int_equal(ftruncate(fence, 0x2000), 0); /* there is something to copy */
	start_queue(server);
	for (waited = 0; waited < 200; waited++)
		assert_int_not_equal(register_read(server, RF_REG_SLOT_STATUS(0)), ~0ull);
	/* and does not come back with the file */
	assert_int_equal(ftruncate(fence, FENCE_BYTES), 0);
	assert_int_equal(pread(fence, found, sizeof(found), 0x2000), sizeof(found));
	assert_memory_equal(found, zero, sizeof(found));
	assert_int_equal(unmap_memory(server, FENCE_ADDRESS, FENCE_BYTES, 0), 0);
	assert_int_equal(map_file(server, FENCE_ADDRESS, FENCE_BYTES, 0, 3, &fence, 1), 0);
	close(memory);
	close(fence);
}

/* Its queue ends although the message after the doorbell is cut, or answers are not taken. */
static void check_that_it_goes_on(struct server *server, void (*stall)(struct server *server))
{
	int memory = memfd_create("memory", MFD_CLOEXEC);
	int fence = memfd_create("fence", MFD_CLOEXEC);
	unsigned int waited;
	uint64_t value = 0;

	reconnect(server);
	enable(server);
	fill_memory(memory);
	assert_int_equal(ftruncate(fence, FENCE_BYTES), 0);
	assert_int_equal(map_file(server, MAP_ADDRESS, MAP_BYTES, 0, 3, &memory, 1), 0);
	assert_int_equal(map_file(server, FENCE_ADDRESS, FENCE_BYTES, 0, 3, &fence, 1), 0);
	start_queue(server);
	stall(server);
	for (waited = 0; value != 1 && waited < PATIENCE; waited++) {
		usleep(1000);
		assert_int_equal(pread(fence, &value, sizeof(value), 0), sizeof(value));
	}
	assert_int_equal(value, 1);
	close(memory);
	close(fence);
}

static void the_device_goes_on_while_its_client_stalls(void **state)
{
	check_that_it_goes_on(*state, cut_header);
	check_that_it_goes_on(*state, cut_message);
	check_that_it_goes_on(*state, untaken_answers);
}

static void what_may_only_be_read_is_not_written(void **state)
{
	struct server *server = *state;

	assert_int_equal(run_queue(server, MAP_BYTES, FENCE_BYTES, VFIO_USER_DMA_READ, 3), 0);
	assert_int_not_equal(run_queue(server, MAP_BYTES, FENCE_BYTES, VFIO_USER_DMA_WRITE, 3), 0);
	assert_int_equal(config_read(server, 0, 2), RF_VENDOR_ID);
}

/* A wrong word is named, and nobody waits at the socket. */
static void a_device_string_is_checked(void **state)
{
	static const char *const none[] = {
		"seed=seven", "seed=",	      "seed=18446744073709551616",
		"bogus",      "hold=ring@2:", "mps=100",
	};
	struct server *server = *state;
	char path[200], said[200], device[64];
	unsigned int i;

	snprintf(path, sizeof(path), "%s/none", server->folder);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		int errors[2], status;
		ssize_t bytes;
		pid_t pid;

		assert_int_equal(pipe(errors), 0);
		pid = fork();
		if (!pid) {
			dup2(errors[1], STDERR_FILENO);
			snprintf(device, sizeof(device), "sim:%s", none[i]);
			execl(program, program, "--device", device, path, NULL);
			_exit(127);
		}
		close(errors[1]);
		bytes = read(errors[0], said, sizeof(said) - 1);
		close(errors[0]);
		assert_true(bytes > 0);
		said[bytes] = 0;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
		assert_non_null(strstr(said, none[i]));
		assert_int_equal(access(path, F_OK), -1);
	}
}

/* It serves on, and tells at its end. */
static void what_it_could_not_print_is_an_error(void **state)
{
	struct server *server = *state, other = { .client = -1 };
	unsigned int waited;
	int status;

	snprintf(other.path, sizeof(other.path), "%s/other", server->folder);
	other.pid = fork();
	if (!other.pid) {
		dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		execl(program, program, other.path, NULL);
		_exit(127);
	}
	for (waited = 0; access(other.path, F_OK) && waited < PATIENCE; waited++)
		usleep(1000);
	usleep(10000); /* it listens */
	reconnect(&other);
	enable(&other);
	assert_int_equal(register_read(&other, RF_REG_DEVICE_SCRATCH), 0);
	close(other.client);
	kill(other.pid, SIGTERM);
	status = wait_for_end(other.pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

/* A limit of the size of files stands for a full disk. */
static void a_wave_that_is_not_whole_is_an_error(void **state)
{
	const struct rlimit limit = { 20000, 20000 };
	struct server *server = *state, other = { .client = -1 };
	char wave[80];
	unsigned int waited, i;
	int status;

	snprintf(other.path, sizeof(other.path), "%s/other", server->folder);
	snprintf(wave, sizeof(wave), "sim:wave=%s/wave", server->folder);
	other.pid = fork();
	if (!other.pid) {
		setrlimit(RLIMIT_FSIZE, &limit);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		execl(program, program, "--device", wave, other.path, NULL);
		_exit(127);
	}
	for (waited = 0; access(other.path, F_OK) && waited < PATIENCE; waited++)
		usleep(1000);
	usleep(10000); /* it listens */
	reconnect(&other);
	enable(&other);
	for (i = 0; i < 300; i++)
		assert_int_equal(register_read(&other, RF_REG_DEVICE_SCRATCH), 0);
	close(other.client);
	kill(other.pid, SIGTERM);
	status = wait_for_end(other.pid);
	unlink(strchr(wave, '=') + 1);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
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
#define TEST_UNREAD(name) cmocka_unit_test_setup_teardown(name, start_unread, end)
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
		TEST(ends_although_a_header_is_cut),
		TEST(ends_although_a_message_is_cut),
		TEST(ends_although_answers_are_not_taken),
		TEST(ends_although_there_is_work_for_hours),
		TEST(ends_although_an_eventfd_is_full),
		TEST_UNREAD(nonsense_without_end_does_not_stall_it),
		TEST(a_message_may_come_in_pieces),
		TEST(a_proposal_is_checked),
		TEST(a_deep_or_huge_proposal_is_no_danger),
		TEST(argsz_is_checked),
		TEST(interrupts_are_set_as_specified_or_not_at_all),
		TEST(a_client_triggers_its_own_vectors),
		TEST(vectors_are_masked_and_unmasked),
		TEST(interrupts_set_up_in_d3_arrive_in_d0),
		TEST(interrupts_taken_away_in_d3_pend_in_d0),
		TEST(the_msix_table_is_the_clients_own),
		TEST(many_writes_are_counted),
		TEST(local_memory_is_the_clients_alone),
		TEST(the_wrong_kind_of_descriptor_is_refused),
		TEST(mappings_are_checked),
		TEST(memory_may_be_truncated),
		TEST(a_write_to_truncated_memory_is_lost),
		TEST(the_device_goes_on_while_its_client_stalls),
		TEST(what_may_only_be_read_is_not_written),
		TEST(a_device_string_is_checked),
		TEST(what_it_could_not_print_is_an_error),
		TEST(a_wave_that_is_not_whole_is_an_error),
		TEST(idle_costs_no_cpu),
	};
#undef TEST
#undef TEST_UNREAD

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: %s RF-VFIO-USER [FILTER]\n", argv[0]);
		return 2;
	}
	program = argv[1];
	signal(SIGPIPE, SIG_IGN);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (argc == 3)
		cmocka_set_test_filter(argv[2]);
	return cmocka_run_group_tests_name("vfio_user", tests, NULL, NULL);
}
