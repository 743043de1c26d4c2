// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Requests: linked adapters. Locking: wait_lock. */
#include "base/link.h"
#include "entry/requests.h"
#include "ringfence_drm.h"

int kmd_request_link(struct kmd_file *file, void *arguments)
{
	struct drm_ringfence_link *request = arguments;

	if (request->flags || request->pad)
		return -EINVAL;
	return request->token ? kmd_link_join(file, request->token)
			      : kmd_link_offer(file, &request->token);
}
