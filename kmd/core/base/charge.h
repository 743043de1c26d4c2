/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Charges of files and users against their limits (limit.h).
 *
 * Locking: limit_lock, a leaf, is taken inside.
 */
#ifndef KMD_CHARGE_H
#define KMD_CHARGE_H

#include "base/limit.h"
#include "rf_types.h"

struct kmd_adapter;
struct kmd_file;

void kmd_limits_init(struct kmd_limits *limits, u64 local_bytes);
/* Find or create a user; with a reference; NULL: no memory. PASSIVE. */
struct kmd_user *kmd_user_get(struct kmd_adapter *adapter, u64 id);
/* The same user, with another reference. */
struct kmd_user *kmd_user_share(struct kmd_adapter *adapter, struct kmd_user *user);
/* PASSIVE */
void kmd_user_put(struct kmd_adapter *adapter, struct kmd_user *user);
/*
 * Charge the file and its user; on an error neither is charged: -EMFILE for files, -ENOSPC for a
 * file's limit, -EDQUOT for a user's, -EAGAIN for packets. Any level, here and below.
 */
int kmd_charge(struct kmd_file *file, enum kmd_limit limit, u64 amount);
void kmd_uncharge(struct kmd_file *file, enum kmd_limit limit, u64 amount);
/* Charge only the file, or only its user. */
int kmd_charge_file(struct kmd_file *file, enum kmd_limit limit, u64 amount);
int kmd_charge_user(struct kmd_file *file, enum kmd_limit limit, u64 amount);
void kmd_uncharge_file(struct kmd_file *file, enum kmd_limit limit, u64 amount);
void kmd_uncharge_user(struct kmd_adapter *adapter, struct kmd_user *user, enum kmd_limit limit,
		       u64 amount);
/* Charge the file to its user: 0, -EMFILE, -ENOMEM; return that charge. PASSIVE. */
int kmd_file_join_user(struct kmd_file *file);
void kmd_file_leave_user(struct kmd_file *file);
/* 0; -EACCES: the priority needs RF_PRIVILEGE_PRIORITY. */
int kmd_check_priority(struct kmd_file *file, u32 priority);

#endif /* KMD_CHARGE_H */
