/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a client that its device reaches. The client may truncate a file that it has passed
 * at any time: the mapping is then lost, and requests of the device for it complete as an
 * Unsupported Request.
 */
#ifndef VFIO_USER_DMA_H
#define VFIO_USER_DMA_H

#include "message.h"
#include "rfsim.h"

struct vfio_user_mapping;

/**
 * struct vfio_user_dma - all mappings of a client
 * @device: that reaches them
 * @mappings: a list
 * @count: of @mappings
 */
struct vfio_user_dma {
	struct rfsim_device *device;
	struct vfio_user_mapping *mappings;
	unsigned int count;
};

/*
 * SIGBUS, which is the process's, means memory of this world from now on; NULL: of none. Called
 * before devices of the world have mappings. 0 or a negative errno.
 */
int vfio_user_dma_guard(struct rfsim_world *world);

void vfio_user_dma_open(struct vfio_user_dma *dma, struct rfsim_device *device);
void vfio_user_dma_close(struct vfio_user_dma *dma);

/* The commands. 0 or a positive errno for the client, and then nothing has changed. */
int vfio_user_dma_map(struct vfio_user_dma *dma, const struct vfio_user_message *message);
int vfio_user_dma_unmap(struct vfio_user_dma *dma, const struct vfio_user_message *message);

#endif
