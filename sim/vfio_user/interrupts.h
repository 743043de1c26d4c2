/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts of the function as the client has them: each vector has an eventfd, or
 * none, and may be masked. The device's MSI-X table is its owner's business (function.c).
 */
#ifndef VFIO_USER_INTERRUPTS_H
#define VFIO_USER_INTERRUPTS_H

#include "message.h"

#define VFIO_USER_VECTORS_MAX 32u

/**
 * struct vfio_user_vector - one interrupt
 * @eventfd: -1 if the client does not listen
 * @masked: by the client, with VFIO_USER_SET_MASK
 * @pending: it came while it could not be delivered
 */
struct vfio_user_vector {
	int eventfd;
	bool masked;
	bool pending;
};

/**
 * struct vfio_user_interrupts - all of them
 * @msix: vectors of MSI-X
 * @vectors: of @msix
 * @error: offered to keep QEMU quiet; the device never raises it
 */
struct vfio_user_interrupts {
	struct vfio_user_vector msix[VFIO_USER_VECTORS_MAX];
	unsigned int vectors;
	struct vfio_user_vector error;
};

void vfio_user_interrupts_open(struct vfio_user_interrupts *interrupts, unsigned int vectors);
/* Closes the eventfds. */
void vfio_user_interrupts_close(struct vfio_user_interrupts *interrupts);

/* The function was reset: nothing is pending. Eventfds and masks are the client's. */
void vfio_user_interrupts_reset(struct vfio_user_interrupts *interrupts);

/* The device has raised this one. */
void vfio_user_interrupt(struct vfio_user_interrupts *interrupts, unsigned int vector);

/* The vector can be delivered: it has an eventfd and is not masked. */
bool vfio_user_is_heard(const struct vfio_user_vector *vector);

/* The commands. 0 or a positive errno for the client, and then nothing has changed. */
int vfio_user_interrupt_info(const struct vfio_user_interrupts *interrupts,
			     const struct vfio_user_message *message,
			     struct vfio_user_interrupt_info *info);
int vfio_user_set_interrupts(struct vfio_user_interrupts *interrupts,
			     struct vfio_user_message *message);

#endif
