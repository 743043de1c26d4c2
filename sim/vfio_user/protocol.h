/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vfio-user protocol, version 0.0, as far as a PCI function needs it: a client
 * (QEMU) sends commands over a UNIX socket, a server (us) answers. All integers are
 * in the byte order of the host. Constants and layouts are those of the
 * specification; flags of regions and interrupts are those of Linux' vfio.h.
 */
#ifndef VFIO_USER_PROTOCOL_H
#define VFIO_USER_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

enum vfio_user_command {
	VFIO_USER_VERSION = 1,
	VFIO_USER_DMA_MAP = 2,
	VFIO_USER_DMA_UNMAP = 3,
	VFIO_USER_DEVICE_GET_INFO = 4,
	VFIO_USER_DEVICE_GET_REGION_INFO = 5,
	VFIO_USER_DEVICE_GET_IRQ_INFO = 7,
	VFIO_USER_DEVICE_SET_IRQS = 8,
	VFIO_USER_REGION_READ = 9,
	VFIO_USER_REGION_WRITE = 10,
	VFIO_USER_DEVICE_RESET = 13,
	VFIO_USER_REGION_WRITE_MULTI = 15,
};

#define VFIO_USER_TYPE_MASK 0xfu
#define VFIO_USER_TYPE_COMMAND 0u
#define VFIO_USER_TYPE_REPLY 1u
#define VFIO_USER_NO_REPLY (1u << 4)
#define VFIO_USER_ERROR (1u << 5)

/* In front of every message; @bytes counts the header too. */
struct vfio_user_header {
	uint16_t id;
	uint16_t command;
	uint32_t bytes;
	uint32_t flags;
	uint32_t error;
};

/* Behind it: capabilities as JSON, ending in NUL. */
struct vfio_user_version {
	uint16_t major;
	uint16_t minor;
};

#define VFIO_USER_DMA_READ (1u << 0)
#define VFIO_USER_DMA_WRITE (1u << 1)

struct vfio_user_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset; /* in the file that comes along */
	uint64_t address;
	uint64_t bytes;
};

#define VFIO_USER_DMA_UNMAP_ALL (1u << 1)

struct vfio_user_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t address;
	uint64_t bytes;
};

#define VFIO_USER_DEVICE_RESETS (1u << 0)
#define VFIO_USER_DEVICE_PCI (1u << 1)

struct vfio_user_device_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t regions;
	uint32_t interrupts;
};

enum vfio_user_region {
	VFIO_USER_REGION_BAR0 = 0,
	VFIO_USER_REGION_BAR5 = 5,
	VFIO_USER_REGION_ROM = 6,
	VFIO_USER_REGION_CONFIG = 7,
	VFIO_USER_REGION_VGA = 8,
	VFIO_USER_REGIONS,
};

#define VFIO_USER_REGION_READABLE (1u << 0)
#define VFIO_USER_REGION_WRITABLE (1u << 1)

struct vfio_user_region_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t region;
	uint32_t capability_offset;
	uint64_t bytes;
	uint64_t offset;
};

enum vfio_user_interrupt {
	VFIO_USER_INTERRUPT_INTX = 0,
	VFIO_USER_INTERRUPT_MSI = 1,
	VFIO_USER_INTERRUPT_MSIX = 2,
	VFIO_USER_INTERRUPT_ERROR = 3,
	VFIO_USER_INTERRUPT_REQUEST = 4,
	VFIO_USER_INTERRUPTS,
};

#define VFIO_USER_INTERRUPT_EVENTFD (1u << 0)
#define VFIO_USER_INTERRUPT_MASKABLE (1u << 1)
#define VFIO_USER_INTERRUPT_NORESIZE (1u << 3)

struct vfio_user_interrupt_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t interrupt;
	uint32_t count;
};

/* One of these three: what data there are … */
#define VFIO_USER_SET_NONE (1u << 0)
#define VFIO_USER_SET_BOOL (1u << 1)
#define VFIO_USER_SET_EVENTFD (1u << 2)
/* … and one of these: what is done. */
#define VFIO_USER_SET_MASK (1u << 3)
#define VFIO_USER_SET_UNMASK (1u << 4)
#define VFIO_USER_SET_TRIGGER (1u << 5)

/* With VFIO_USER_SET_BOOL, @count bytes follow. */
struct vfio_user_set_interrupts {
	uint32_t argsz;
	uint32_t flags;
	uint32_t interrupt;
	uint32_t start;
	uint32_t count;
};

/* Request and answer of both; the data lie behind a write or the answer of a read. */
struct vfio_user_region_access {
	uint64_t offset;
	uint32_t region;
	uint32_t bytes;
};

/* @count of struct vfio_user_one_write follow; the answer is @count alone. */
struct vfio_user_write_multi {
	uint64_t count;
};

struct vfio_user_one_write {
	struct vfio_user_region_access access;
	uint8_t data[8];
};

/*
 * What we announce: the most bytes of one access, file descriptors with a message, the
 * page that DMA is mapped by, and mappings at a time (Linux allows a process 65530).
 */
#define VFIO_USER_TRANSFER_MAX (1u << 20)
#define VFIO_USER_FDS_MAX 8u
#define VFIO_USER_PAGE_BYTES 4096u
#define VFIO_USER_MAPS_MAX 32768u
#define VFIO_USER_CAPABILITIES                     \
	"{\"capabilities\":{\"max_msg_fds\":8,"    \
	"\"max_data_xfer_size\":1048576,"          \
	"\"max_dma_maps\":32768,\"pgsizes\":4096," \
	"\"write_multiple\":true}}"

#endif
