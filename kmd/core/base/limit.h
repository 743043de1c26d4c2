/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Limits of each resource, for a file and for a user with all of their files.
 *
 * Locking: limit_lock, level DEVICE, guards the counts, and is a leaf.
 */
#ifndef KMD_LIMIT_H
#define KMD_LIMIT_H

#include "rf_list.h"
#include "rf_types.h"

enum kmd_limit {
	KMD_LIMIT_FILES, /* of a user only */
	KMD_LIMIT_MEMORIES,
	KMD_LIMIT_SYSTEM_BYTES, /* of a user only, and so the next */
	KMD_LIMIT_LOCAL_BYTES,
	KMD_LIMIT_FENCES,
	KMD_LIMIT_EVENTS,
	KMD_LIMIT_WAITS, /* waits in which no thread is blocked */
	KMD_LIMIT_CONTEXTS,
	KMD_LIMIT_QUEUES,
	KMD_LIMIT_DOORBELLS,
	KMD_LIMIT_PACKETS, /* of kernel-mode queues */
	KMD_LIMITS,
};

/**
 * struct kmd_limits - the limit of each resource; 0: none
 * @file: of a file
 * @user: of a user, for all files together
 */
struct kmd_limits {
	u64 file[KMD_LIMITS];
	u64 user[KMD_LIMITS];
};

/**
 * struct kmd_user - a user with files
 * @link: in kmd_adapter.users
 * @id: the shell's number of the user
 * @references: of files, and of fences, which may live longer
 * @used: amount used of each limited resource
 */
struct kmd_user {
	struct rf_list link;
	u64 id;
	u32 references;
	u64 used[KMD_LIMITS];
};

#endif /* KMD_LIMIT_H */
