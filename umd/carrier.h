/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the user-mode driver reaches the driver: requests, mappings, the doorbell
 * store. carrier_hosted.c is the in-process one.
 */
#ifndef RF_CARRIER_H
#define RF_CARRIER_H

#include <stddef.h>
#include <stdint.h>

struct rf_carrier;
struct rf_carrier_doorbell;

/* @name as in rf_device_open(). */
int rf_carrier_open(const char *name, struct rf_carrier **carrier);
/* A process of a device that the caller hosts and outlives. */
struct rf_hosted_device;
int rf_carrier_open_hosted(struct rf_hosted_device *device, struct rf_carrier **carrier);
void rf_carrier_close(struct rf_carrier *carrier);
/* A request of ringfence_drm.h. */
int rf_carrier_request(struct rf_carrier *carrier, unsigned int request, void *arguments);
/* Map a whole object; -EOPNOTSUPP if it has no CPU address here. */
int rf_carrier_map(struct rf_carrier *carrier, uint64_t offset, void **pointer);
int rf_carrier_memory_read(struct rf_carrier *carrier, uint32_t handle, uint64_t offset, void *data,
			   size_t bytes);
int rf_carrier_memory_write(struct rf_carrier *carrier, uint32_t handle, uint64_t offset,
			    const void *data, size_t bytes);
/* Doorbell behind a doorbell_mmap_offset, valid until it is destroyed; or NULL. */
struct rf_carrier_doorbell *rf_carrier_doorbell(struct rf_carrier *carrier, uint64_t offset);
/* The doorbell store: one 64-bit write, no part of the driver runs. */
void rf_carrier_ring(struct rf_carrier_doorbell *doorbell, uint64_t value);

#endif
