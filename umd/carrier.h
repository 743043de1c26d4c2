/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the user-mode driver reaches the driver: requests, mappings, the doorbell
 * store. Chosen by the device's name: carrier_hosted.c is the one in process ("sim:",
 * "pci:"), carrier_drm.c a render node of the kernel ("drm:").
 */
#ifndef RF_CARRIER_H
#define RF_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rf_carrier_ops;

/* Embedded in the carrier's own. */
struct rf_carrier {
	const struct rf_carrier_ops *ops;
};

/* A doorbell. Embedded in the carrier's own. */
struct rf_carrier_doorbell {
	void (*ring)(struct rf_carrier_doorbell *doorbell, uint64_t value);
};

/* What the functions below lead to. */
struct rf_carrier_ops {
	void (*close)(struct rf_carrier *carrier);
	/* in a child of fork(): the parent's stays open; the state of locks is undefined */
	void (*abandon)(struct rf_carrier *carrier);
	/* NULL: it is no file */
	int (*fd)(struct rf_carrier *carrier);
	int (*request)(struct rf_carrier *carrier, unsigned int request, void *arguments);
	int (*map)(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes, bool writable,
		   void **pointer);
	void (*unmap)(struct rf_carrier *carrier, void *pointer);
	/* NULL: everything is mapped */
	int (*memory_read)(struct rf_carrier *carrier, uint32_t handle, uint64_t offset, void *data,
			   size_t bytes);
	int (*memory_write)(struct rf_carrier *carrier, uint32_t handle, uint64_t offset,
			    const void *data, size_t bytes);
	int (*doorbell_map)(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes,
			    struct rf_carrier_doorbell **doorbell);
	void (*doorbell_unmap)(struct rf_carrier *carrier, struct rf_carrier_doorbell *doorbell);
};

/* The default name of a device. */
extern const char rf_carrier_default[];
/*
 * @name as in rf_device_open(). @reason, of RF_OPEN_PROBLEM bytes (problem.h), is empty; after an
 * error it says more than the error, or is still empty.
 */
int rf_carrier_open(const char *name, struct rf_carrier **carrier, char *reason);
/* The parts of it: for "sim:", "pci:", "serial:" and "miniport:"; and what follows "drm:". */
int rf_carrier_open_named(const char *name, struct rf_carrier **carrier, char *reason);
int rf_carrier_open_drm(const char *name, struct rf_carrier **carrier);
/* A process of a device that the caller hosts and outlives. */
struct rf_hosted_device;
int rf_carrier_open_hosted(struct rf_hosted_device *device, struct rf_carrier **carrier);
void rf_carrier_close(struct rf_carrier *carrier);
/* Free this process's copy of a carrier that is the parent's. */
void rf_carrier_abandon(struct rf_carrier *carrier);
/* The file that it is; -EOPNOTSUPP. */
int rf_carrier_fd(struct rf_carrier *carrier);

/* A request of ringfence_drm.h. */
int rf_carrier_request(struct rf_carrier *carrier, unsigned int request, void *arguments);
/*
 * Map a whole object of @bytes; each mapping is undone once, before the object is
 * destroyed. NULL may be unmapped. -EOPNOTSUPP if it has no CPU address here.
 */
int rf_carrier_map(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes, bool writable,
		   void **pointer);
void rf_carrier_unmap(struct rf_carrier *carrier, void *pointer);
/* For memory that cannot be mapped. */
int rf_carrier_memory_read(struct rf_carrier *carrier, uint32_t handle, uint64_t offset, void *data,
			   size_t bytes);
int rf_carrier_memory_write(struct rf_carrier *carrier, uint32_t handle, uint64_t offset,
			    const void *data, size_t bytes);
/* The doorbell of @bytes behind a doorbell_mmap_offset; unmapped as other mappings are. */
int rf_carrier_doorbell_map(struct rf_carrier *carrier, uint64_t offset, uint64_t bytes,
			    struct rf_carrier_doorbell **doorbell);
void rf_carrier_doorbell_unmap(struct rf_carrier *carrier, struct rf_carrier_doorbell *doorbell);
/* The doorbell store: one 64-bit write, no part of the driver runs. */
void rf_carrier_ring(struct rf_carrier_doorbell *doorbell, uint64_t value);

#endif
