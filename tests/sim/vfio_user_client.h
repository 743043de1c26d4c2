/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of rf-vfio-user, in the manner of QEMU, for the tests of the server. What a function expects
 * is asserted; those that return an error return that of the server.
 */
#ifndef VFIO_USER_CLIENT_H
#define VFIO_USER_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../time_scale.h"
#include "vfio_user/protocol.h"

#define COMMAND 0x04
#define COMMAND_ENABLE 0x6
#define BAR0 0x10
#define EXPRESS_RESET (1u << 15)
#define MSIX_ENABLE (1u << 15)
#define MAP_ADDRESS 0x40000000ull
#define MAP_BYTES 0x10000u
#define PATIENCE time_limit(20000) /* ms; only a failure waits so long */

#define FDS 20 /* that a test sends at most */

struct server {
	char folder[32];
	char path[64];
	pid_t pid;
	int client;
	int errors; /* its standard error, if it is not read */
	uint16_t id;
};

/* -1: nobody listens there. */
int connect_client(const char *path);
void send_header(int client, const struct vfio_user_header *header, const int *fds,
		 unsigned int fd_count);
void send_command(struct server *server, unsigned int command, uint32_t flags, const void *payload,
		  size_t bytes, const int *fds, unsigned int fd_count);
void receive_all(int client, void *data, size_t bytes);
/* Send, and wait for the answer: 0 and exactly @reply_bytes, or an error. */
int call(struct server *server, unsigned int command, const void *payload, size_t bytes,
	 void *reply, size_t reply_bytes, const int *fds, unsigned int fd_count);
void greet(struct server *server);
int region_read(struct server *server, uint32_t region, uint64_t offset, void *data,
		uint32_t bytes);
size_t write_request(uint8_t *request, uint32_t region, uint64_t offset, const void *data,
		     uint32_t bytes);
int region_write(struct server *server, uint32_t region, uint64_t offset, const void *data,
		 uint32_t bytes);
uint32_t config_read(struct server *server, unsigned int offset, unsigned int bytes);
void config_write(struct server *server, unsigned int offset, unsigned int bytes, uint32_t value);
uint64_t register_read(struct server *server, uint64_t offset);
void register_write(struct server *server, uint64_t offset, uint64_t value);
unsigned int find_capability(struct server *server, unsigned int id);
int set_interrupts(struct server *server, uint32_t flags, uint32_t start, uint32_t count,
		   const int *fds, unsigned int fd_count);
/* Everything of the command as it is given; @data are bytes behind it. */
int raw_set_interrupts(struct server *server, const struct vfio_user_set_interrupts *set,
		       const uint8_t *data, size_t bytes, const int *fds, unsigned int fd_count);
int set_chosen(struct server *server, uint32_t action, uint32_t start, uint32_t count,
	       const uint8_t *chosen);
void enable(struct server *server);
void enable_msix(struct server *server);
void listen_to(struct server *server, uint32_t vector, int eventfd);
bool signalled(int eventfd, int milliseconds);
int map_file(struct server *server, uint64_t address, uint64_t bytes, uint64_t offset,
	     uint32_t flags, const int *files, unsigned int count);
int map_memory(struct server *server, uint64_t address, uint64_t bytes, uint64_t file_bytes,
	       uint32_t flags);
int unmap_memory(struct server *server, uint64_t address, uint64_t bytes, uint32_t flags);

/* A queue: what is mapped for it, and its run */
#define ROOT_PAGE 0x0000 /* in what is mapped at MAP_ADDRESS: one page table for 1 GiB */
#define RING_PAGE 0x1000
#define COMMANDS_PAGE 0x2000
#define FENCE_BYTES 0x10000 /* a file of its own behind that */
#define COPY_BYTES 0x800
#define FENCE_ADDRESS (MAP_ADDRESS + MAP_BYTES)
#define VIRTUAL(address) ((address)-MAP_ADDRESS + 0x40000000)

/* Page table, ring and commands of a queue that copies within the other file, then signals there. */
void fill_memory(int file);
void start_queue(struct server *server);
/* The error of slot 0, or 0 if the fence is signalled. */
unsigned int outcome(struct server *server, int fence);
/* A server that does not end is ended. */
int wait_for_end(pid_t pid);

#endif
