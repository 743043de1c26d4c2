// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Arrays of user mode (struct drm_ringfence_array). Elements may become longer with a new version
 * of the interface: a program that knows a longer one says so by the stride, and what this
 * driver does not know of it has to be 0.
 */
#include "core.h"

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
