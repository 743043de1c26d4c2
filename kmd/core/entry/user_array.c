// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Arrays of user mode (struct drm_ringfence_array). A new version of the interface may have longer
 * elements: a program shows their length by the stride, and the part that this driver does not know
 * has to be 0.
 */
#include "entry/user_array.h"

#include "rf_shell.h"
#include "ringfence_drm.h"

#define STRIDE_MAX 4096u

int kmd_array_check(const struct drm_ringfence_array *array, u32 most, size_t bytes)
{
	if (array->count > most)
		return -EINVAL;
	if (array->count && (array->stride < bytes || array->stride > STRIDE_MAX))
		return -EINVAL;
	return 0;
}

int kmd_array_copy(const struct drm_ringfence_array *array, u32 index, void *element, size_t bytes)
{
	return rf_copy_struct_from_user(element, bytes, array->array + (u64)index * array->stride,
					array->stride);
}

int kmd_copy_fence_values(const struct drm_ringfence_array *array,
			  struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX])
{
	int ret = kmd_array_check(array, DRM_RINGFENCE_OBJECTS_MAX, sizeof(values[0]));
	u32 i;

	if (!ret && !array->count)
		ret = -EINVAL;
	for (i = 0; i < array->count && !ret; i++) {
		ret = kmd_array_copy(array, i, &values[i], sizeof(values[i]));
		if (!ret && values[i].pad)
			ret = -EINVAL;
	}
	return ret;
}
