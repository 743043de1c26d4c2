// SPDX-License-Identifier: Apache-2.0
#include "vfio_user_client.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ringfence_hw.h"

/* --- client ------------------------------------------------------------------------------- */

int connect_client(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const struct timeval patience = { .tv_sec = PATIENCE / 1000 };

	setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	strcpy(address.sun_path, path);
	if (connect(client, (struct sockaddr *)&address, sizeof(address))) {
		close(client);
		return -1;
	}
	return client;
}

void send_header(int client, const struct vfio_user_header *header, const int *fds,
		 unsigned int fd_count)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(FDS * sizeof(int))] = { 0 };
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

void send_command(struct server *server, unsigned int command, uint32_t flags, const void *payload,
		  size_t bytes, const int *fds, unsigned int fd_count)
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

void receive_all(int client, void *data, size_t bytes)
{
	if (bytes) /* to receive nothing blocks too */
		assert_int_equal(recv(client, data, bytes, MSG_WAITALL), bytes);
}

int call(struct server *server, unsigned int command, const void *payload, size_t bytes,
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

void greet(struct server *server)
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

int region_read(struct server *server, uint32_t region, uint64_t offset, void *data, uint32_t bytes)
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

size_t write_request(uint8_t *request, uint32_t region, uint64_t offset, const void *data,
		     uint32_t bytes)
{
	const struct vfio_user_region_access access = { offset, region, bytes };

	memcpy(request, &access, sizeof(access));
	memcpy(request + sizeof(access), data, bytes);
	return sizeof(access) + bytes;
}

int region_write(struct server *server, uint32_t region, uint64_t offset, const void *data,
		 uint32_t bytes)
{
	struct vfio_user_region_access reply;
	uint8_t request[64];
	size_t size = write_request(request, region, offset, data, bytes);

	return call(server, VFIO_USER_REGION_WRITE, request, size, &reply, sizeof(reply), NULL, 0);
}

uint32_t config_read(struct server *server, unsigned int offset, unsigned int bytes)
{
	uint32_t value = 0;

	assert_int_equal(region_read(server, VFIO_USER_REGION_CONFIG, offset, &value, bytes), 0);
	return value;
}

void config_write(struct server *server, unsigned int offset, unsigned int bytes, uint32_t value)
{
	assert_int_equal(region_write(server, VFIO_USER_REGION_CONFIG, offset, &value, bytes), 0);
}

uint64_t register_read(struct server *server, uint64_t offset)
{
	uint64_t value = 0;

	assert_int_equal(region_read(server, 0, offset, &value, sizeof(value)), 0);
	return value;
}

void register_write(struct server *server, uint64_t offset, uint64_t value)
{
	assert_int_equal(region_write(server, 0, offset, &value, sizeof(value)), 0);
}

unsigned int find_capability(struct server *server, unsigned int id)
{
	unsigned int offset = config_read(server, 0x34, 1);

	while (offset && config_read(server, offset, 1) != id)
		offset = config_read(server, offset + 1, 1);
	assert_int_not_equal(offset, 0);
	return offset;
}

int set_interrupts(struct server *server, uint32_t flags, uint32_t start, uint32_t count,
		   const int *fds, unsigned int fd_count)
{
	const struct vfio_user_set_interrupts set = { .argsz = sizeof(set),
						      .flags = flags,
						      .interrupt = VFIO_USER_INTERRUPT_MSIX,
						      .start = start,
						      .count = count };

	return call(server, VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), NULL, 0, fds, fd_count);
}

int raw_set_interrupts(struct server *server, const struct vfio_user_set_interrupts *set,
		       const uint8_t *data, size_t bytes, const int *fds, unsigned int fd_count)
{
	uint8_t request[sizeof(*set) + 64];

	memcpy(request, set, sizeof(*set));
	if (bytes)
		memcpy(request + sizeof(*set), data, bytes);
	return call(server, VFIO_USER_DEVICE_SET_IRQS, request, sizeof(*set) + bytes, NULL, 0, fds,
		    fd_count);
}

int set_chosen(struct server *server, uint32_t action, uint32_t start, uint32_t count,
	       const uint8_t *chosen)
{
	const struct vfio_user_set_interrupts set = { .argsz = sizeof(set) + count,
						      .flags = VFIO_USER_SET_BOOL | action,
						      .interrupt = VFIO_USER_INTERRUPT_MSIX,
						      .start = start,
						      .count = count };

	return raw_set_interrupts(server, &set, chosen, count, NULL, 0);
}

void enable(struct server *server)
{
	config_write(server, COMMAND, 2, COMMAND_ENABLE);
}

void enable_msix(struct server *server)
{
	config_write(server, find_capability(server, 0x11) + 2, 2, MSIX_ENABLE);
}

void listen_to(struct server *server, uint32_t vector, int eventfd)
{
	assert_int_equal(set_interrupts(server, VFIO_USER_SET_EVENTFD | VFIO_USER_SET_TRIGGER,
					vector, 1, &eventfd, 1),
			 0);
}

bool signalled(int eventfd, int milliseconds)
{
	struct pollfd poll_event = { .fd = eventfd, .events = POLLIN };
	uint64_t count;

	if (poll(&poll_event, 1, milliseconds) != 1)
		return false;
	assert_int_equal(read(eventfd, &count, sizeof(count)), sizeof(count));
	return true;
}

int map_file(struct server *server, uint64_t address, uint64_t bytes, uint64_t offset,
	     uint32_t flags, const int *files, unsigned int count)
{
	const struct vfio_user_dma_map map = { .argsz = sizeof(map),
					       .flags = flags,
					       .offset = offset,
					       .address = address,
					       .bytes = bytes };

	return call(server, VFIO_USER_DMA_MAP, &map, sizeof(map), NULL, 0, files, count);
}

int map_memory(struct server *server, uint64_t address, uint64_t bytes, uint64_t file_bytes,
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

int unmap_memory(struct server *server, uint64_t address, uint64_t bytes, uint32_t flags)
{
	const struct vfio_user_dma_unmap unmap = { .argsz = sizeof(unmap),
						   .flags = flags,
						   .address = address,
						   .bytes = bytes };
	struct vfio_user_dma_unmap reply;

	return call(server, VFIO_USER_DMA_UNMAP, &unmap, sizeof(unmap), &reply, sizeof(reply), NULL,
		    0);
}

/* --- a queue, and the end ------------------------------------------------------------------------------ */

void fill_memory(int file)
{
	const uint64_t commands[] = {
		RF_OPCODE_COPY | 4 << RF_PACKET_HEADER_WORDS_SHIFT,
		VIRTUAL(FENCE_ADDRESS + 0x2000),
		VIRTUAL(FENCE_ADDRESS + 0x1000),
		COPY_BYTES,
		RF_OPCODE_SIGNAL | 4 << RF_PACKET_HEADER_WORDS_SHIFT,
		VIRTUAL(FENCE_ADDRESS),
		1,
		VIRTUAL(FENCE_ADDRESS + 8),
	};
	const struct rf_ring_entry entry = { .address = VIRTUAL(MAP_ADDRESS + COMMANDS_PAGE),
					     .size = sizeof(commands) };
	const uint64_t leaf = MAP_ADDRESS >> 12 << RF_PAGE_TABLE_ENTRY_PAGE_SHIFT |
			      RF_PAGE_TABLE_ENTRY_VALID_MASK | RF_PAGE_TABLE_ENTRY_READ_MASK |
			      RF_PAGE_TABLE_ENTRY_WRITE_MASK | RF_PAGE_TABLE_ENTRY_ACCESSED_MASK |
			      RF_PAGE_TABLE_ENTRY_DIRTY_MASK;

	assert_int_equal(ftruncate(file, MAP_BYTES), 0);
	assert_int_equal(pwrite(file, &leaf, sizeof(leaf), ROOT_PAGE + 8), sizeof(leaf));
	assert_int_equal(pwrite(file, &entry, sizeof(entry), RING_PAGE), sizeof(entry));
	assert_int_equal(pwrite(file, commands, sizeof(commands), COMMANDS_PAGE), sizeof(commands));
}

void start_queue(struct server *server)
{
	register_write(server, RF_REG_TRANSLATION_ROOT(1),
		       (MAP_ADDRESS + ROOT_PAGE) | RF_TRANSLATION_ROOT_VALID_MASK);
	register_write(server, RF_REG_SLOT_RING_BASE(0), VIRTUAL(MAP_ADDRESS + RING_PAGE));
	register_write(server, RF_REG_SLOT_CONFIG(0),
		       4 | 1ull << RF_SLOT_CONFIG_VMID_SHIFT |
			       (uint64_t)RF_NODE_COPY << RF_SLOT_CONFIG_NODE_SHIFT);
	register_write(server, RF_REG_SLOT_POINTERS(0), 0);
	register_write(server, RF_REG_DOORBELL_BIND(0),
		       RF_DOORBELL_BIND_BOUND_MASK | RF_DOORBELL_BIND_RESIDENT_MASK);
	register_write(server, RF_REG_SLOT_CONTROL(0), RF_SLOT_CONTROL_ENABLE_MASK);
	register_write(server, RF_DOORBELL_BASE, 1);
}

unsigned int outcome(struct server *server, int fence)
{
	unsigned int waited, error;
	uint64_t value = 0;

	for (waited = 0; waited < PATIENCE; waited++) {
		error = (register_read(server, RF_REG_SLOT_STATUS(0)) &
			 RF_SLOT_STATUS_ERROR_MASK) >>
			RF_SLOT_STATUS_ERROR_SHIFT;
		if (error)
			return error;
		if (pread(fence, &value, sizeof(value), 0) == sizeof(value) && value == 1)
			return 0;
		usleep(1000);
	}
	fail_msg("the queue does not end");
	return 0;
}

int wait_for_end(pid_t pid)
{
	unsigned int waited;
	int status;

	for (waited = 0; waited < PATIENCE; waited += 10) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		usleep(10000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return status;
}
