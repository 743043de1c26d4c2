/* SPDX-License-Identifier: Apache-2.0 */
/* The first message of a connection. */
#ifndef VFIO_USER_VERSION_H
#define VFIO_USER_VERSION_H

#include "message.h"

/*
 * Whether the client speaks our version, and announces its capabilities as the protocol
 * says: 0; EPROTO for another command; EINVAL. Unknown capabilities are no fault.
 */
int vfio_user_version_check(const struct vfio_user_message *message);

/* What to answer then. */
const void *vfio_user_version_reply(size_t *bytes);

#endif
