/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Arrays of user mode (struct drm_ringfence_array). No lock held. */
#ifndef KMD_USER_ARRAY_H
#define KMD_USER_ARRAY_H

#include "rf_types.h"
#include "ringfence_drm.h"

/* Check that an array has at most @most elements of at least @bytes. 0 or -EINVAL. */
int kmd_array_check(const struct drm_ringfence_array *array, u32 most, size_t bytes);
/* Copy one element of such an array. 0, -EFAULT, -EINVAL. */
int kmd_array_copy(const struct drm_ringfence_array *array, u32 index, void *element, size_t bytes);
/* Copy the 1..32 elements of a signal or wait and check them. */
int kmd_copy_fence_values(const struct drm_ringfence_array *array,
			  struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX]);

#endif /* KMD_USER_ARRAY_H */
