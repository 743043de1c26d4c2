/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Hash chains of objects, by the miniport's handle. */
#ifndef KMD_HASH_H
#define KMD_HASH_H

#include "rf_list.h"
#include "rf_types.h"

#define KMD_HASH_CHAINS 256u

struct kmd_hash {
	struct rf_list chains[KMD_HASH_CHAINS];
};

static inline void kmd_hash_init(struct kmd_hash *hash)
{
	u32 i;

	for (i = 0; i < KMD_HASH_CHAINS; i++)
		rf_list_init(&hash->chains[i]);
}

static inline struct rf_list *kmd_hash_chain(struct kmd_hash *hash, const void *handle)
{
	uintptr_t key = (uintptr_t)handle >> 5;

	return &hash->chains[(key ^ key >> 8 ^ key >> 16) % KMD_HASH_CHAINS];
}

#endif /* KMD_HASH_H */
