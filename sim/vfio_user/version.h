/* SPDX-License-Identifier: Apache-2.0 */
/* The first message of a connection. */
#ifndef VFIO_USER_VERSION_H
#define VFIO_USER_VERSION_H

#include "message.h"

/*
 * Check the client's version, and that its capabilities have the form of the protocol: 0; EPROTO
 * for another command; EINVAL. Unknown capabilities are accepted.
 */
int vfio_user_version_check(const struct vfio_user_message *message);

/* What to answer then. */
const void *vfio_user_version_reply(size_t *bytes);

#endif
