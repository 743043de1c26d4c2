/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated device as the PCI function that a vfio-user client sees.
 *
 * The client is the hypervisor: it emulates the BAR registers and the MSI-X table and does not
 * forward them. So the device's own BARs stay where they were enumerated; the client's writes to
 * them, and to the MSI-X table, are only stored; and the device's MSI-X table holds entries of the
 * server, whose memory writes become the client's eventfds. A reset clears both in the device; they
 * are restored at once.
 *
 * Every region is trapped: with a single one that can be mapped QEMU would send all
 * writes synchronously.
 */
#ifndef VFIO_USER_FUNCTION_H
#define VFIO_USER_FUNCTION_H

#include "message.h"
#include "rfsim.h"

struct vfio_user_function;

/* @device is not enumerated yet, and for one client. 0, -ENOMEM or an error of librfsim. */
int vfio_user_function_create(struct rfsim_device *device, struct vfio_user_function **function);
/*
 * Lets go of the client's memory and eventfds. The clock must not run on after that, unless the device
 * was replugged.
 */
void vfio_user_function_destroy(struct vfio_user_function *function);

/*
 * Carry out one command, and leave what to answer in *@reply (which may be
 * @message->payload) and *@bytes. 0 or a positive errno for the client.
 */
int vfio_user_function_command(struct vfio_user_function *function,
			       struct vfio_user_message *message, const void **reply,
			       size_t *bytes);

#endif
