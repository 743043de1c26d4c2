// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Limits of each resource, for a file and for a user with all of their files, so that no process
 * can take what others need. The limits of a file hold for every process; those of a user do not
 * hold with RF_PRIVILEGE_LIMITS.
 *
 * Locking: limit_lock guards the counts, and is a leaf. An object is charged before it is created;
 * the charge is returned when the object is destroyed, or could not be created.
 */
#include "base/charge.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "kmd.h"
#include "rf_bus.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"
#include "ringfence_drm.h"

struct limit {
	const char *name; /* NULL: often reached in normal operation, and not logged */
	int file_error;
	int user_error;
};

static const struct limit limits[KMD_LIMITS] = {
	[KMD_LIMIT_FILES] = { "files", -EMFILE, -EMFILE },
	[KMD_LIMIT_MEMORIES] = { "pieces of memory", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_SYSTEM_BYTES] = { "bytes of system memory", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_LOCAL_BYTES] = { "bytes of local memory", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_FENCES] = { "fences", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_EVENTS] = { "events", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_WAITS] = { "waits without a thread", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_CONTEXTS] = { "contexts", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_QUEUES] = { "queues", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_DOORBELLS] = { "doorbells", -ENOSPC, -EDQUOT },
	[KMD_LIMIT_PACKETS] = { NULL, -EAGAIN, -EAGAIN },
};

void kmd_limits_init(struct kmd_limits *result, u64 local_bytes)
{
	*result = (struct kmd_limits){
		.file = {
			[KMD_LIMIT_MEMORIES] = 4096,
			[KMD_LIMIT_FENCES] = 8192,
			[KMD_LIMIT_EVENTS] = 4096,
			[KMD_LIMIT_WAITS] = 16384,
			[KMD_LIMIT_CONTEXTS] = 256,
			[KMD_LIMIT_QUEUES] = 256,
			[KMD_LIMIT_DOORBELLS] = 256,
			[KMD_LIMIT_PACKETS] = 8192,
		},
		.user = {
			[KMD_LIMIT_FILES] = 64,
			[KMD_LIMIT_MEMORIES] = 16384,
			[KMD_LIMIT_SYSTEM_BYTES] = rf_memory_bytes() / 2,
			[KMD_LIMIT_LOCAL_BYTES] = local_bytes - local_bytes / 8,
			[KMD_LIMIT_FENCES] = 32768,
			[KMD_LIMIT_EVENTS] = 16384,
			[KMD_LIMIT_WAITS] = 65536,
			[KMD_LIMIT_CONTEXTS] = 1024,
			[KMD_LIMIT_QUEUES] = 1024,
			[KMD_LIMIT_DOORBELLS] = 1024,
			[KMD_LIMIT_PACKETS] = 32768,
		},
	};
}

/* --- users ------------------------------------------------------------------------------ */

/* limit_lock held */
static struct kmd_user *kmd_user_find(struct kmd_adapter *adapter, u64 id)
{
	struct kmd_user *user;

	rf_assert_held(&adapter->limit_lock);
	rf_list_for_each(user, &adapter->users, link)
		if (user->id == id)
			return user;
	return NULL;
}

struct kmd_user *kmd_user_get(struct kmd_adapter *adapter, u64 id)
{
	struct kmd_user *new = rf_alloc(sizeof(*new)), *user;
	unsigned long flags;

	if (!new)
		return NULL;
	flags = rf_spin_lock(&adapter->limit_lock);
	user = kmd_user_find(adapter, id);
	if (!user) {
		user = new;
		new = NULL;
		user->id = id;
		rf_list_insert(&user->link, &adapter->users);
	}
	user->references++;
	rf_spin_unlock(&adapter->limit_lock, flags);
	rf_free(new);
	return user;
}

struct kmd_user *kmd_user_share(struct kmd_adapter *adapter, struct kmd_user *user)
{
	unsigned long flags = rf_spin_lock(&adapter->limit_lock);

	user->references++;
	rf_spin_unlock(&adapter->limit_lock, flags);
	return user;
}

void kmd_user_put(struct kmd_adapter *adapter, struct kmd_user *user)
{
	unsigned long flags = rf_spin_lock(&adapter->limit_lock);
	bool last = !--user->references;

	if (last)
		rf_list_remove(&user->link);
	rf_spin_unlock(&adapter->limit_lock, flags);
	if (last)
		rf_free(user);
}

/* --- charges ---------------------------------------------------------------------------- */

static bool kmd_limit_is_beyond(u64 used, u64 amount, u64 limit)
{
	return limit && (used > limit || amount > limit - used);
}

static void kmd_limit_log_refusal(const struct kmd_file *file, enum kmd_limit limit, bool of_user)
{
	const struct kmd_limits *all = &file->adapter->limits;

	if (!limits[limit].name)
		return;
	rf_log_user(file->adapter->bus->os, "user %llu: %s may have no more than %llu %s",
		    (unsigned long long)file->user->id, of_user ? "all files together" : "a file",
		    (unsigned long long)(of_user ? all->user[limit] : all->file[limit]),
		    limits[limit].name);
}

static int kmd_limit_charge(struct kmd_file *file, enum kmd_limit limit, u64 of_file, u64 of_user,
			    bool may)
{
	struct kmd_adapter *adapter = file->adapter;
	unsigned long flags = rf_spin_lock(&adapter->limit_lock);
	bool file_beyond =
		kmd_limit_is_beyond(file->used[limit], of_file, adapter->limits.file[limit]);
	bool user_beyond = !may && kmd_limit_is_beyond(file->user->used[limit], of_user,
						       adapter->limits.user[limit]);

	if (!file_beyond && !user_beyond) {
		file->used[limit] += of_file;
		file->user->used[limit] += of_user;
	}
	rf_spin_unlock(&adapter->limit_lock, flags);
	if (file_beyond) {
		kmd_limit_log_refusal(file, limit, false);
		return limits[limit].file_error;
	}
	if (user_beyond && rf_file_may(file->shell, RF_PRIVILEGE_LIMITS))
		return kmd_limit_charge(file, limit, of_file, of_user, true);
	if (user_beyond) {
		kmd_limit_log_refusal(file, limit, true);
		return limits[limit].user_error;
	}
	return 0;
}

int kmd_charge(struct kmd_file *file, enum kmd_limit limit, u64 amount)
{
	return kmd_limit_charge(file, limit, amount, amount, false);
}

int kmd_charge_file(struct kmd_file *file, enum kmd_limit limit, u64 amount)
{
	return kmd_limit_charge(file, limit, amount, 0, false);
}

int kmd_charge_user(struct kmd_file *file, enum kmd_limit limit, u64 amount)
{
	return kmd_limit_charge(file, limit, 0, amount, false);
}

void kmd_uncharge(struct kmd_file *file, enum kmd_limit limit, u64 amount)
{
	kmd_uncharge_file(file, limit, amount);
	kmd_uncharge_user(file->adapter, file->user, limit, amount);
}

void kmd_uncharge_file(struct kmd_file *file, enum kmd_limit limit, u64 amount)
{
	unsigned long flags = rf_spin_lock(&file->adapter->limit_lock);

	file->used[limit] -= amount;
	rf_spin_unlock(&file->adapter->limit_lock, flags);
}

void kmd_uncharge_user(struct kmd_adapter *adapter, struct kmd_user *user, enum kmd_limit limit,
		       u64 amount)
{
	unsigned long flags = rf_spin_lock(&adapter->limit_lock);

	user->used[limit] -= amount;
	rf_spin_unlock(&adapter->limit_lock, flags);
}

u64 kmd_file_memory_bytes(struct kmd_file *file, enum rf_mem_kind kind)
{
	enum kmd_limit limit =
		kind == RF_MEM_LOCAL ? KMD_LIMIT_LOCAL_BYTES : KMD_LIMIT_SYSTEM_BYTES;
	unsigned long flags = rf_spin_lock(&file->adapter->limit_lock);
	u64 bytes = file->used[limit];

	rf_spin_unlock(&file->adapter->limit_lock, flags);
	return bytes;
}

int kmd_file_charge_wait(struct kmd_file *file)
{
	return kmd_charge(file, KMD_LIMIT_WAITS, 1);
}

void kmd_file_uncharge_wait(struct kmd_file *file)
{
	kmd_uncharge(file, KMD_LIMIT_WAITS, 1);
}

/* --- files ---------------------------------------------------------------------------- */

int kmd_file_join_user(struct kmd_file *file)
{
	int ret;

	file->user = kmd_user_get(file->adapter, rf_file_user(file->shell));
	if (!file->user)
		return -ENOMEM;
	ret = kmd_charge_user(file, KMD_LIMIT_FILES, 1);
	if (ret)
		kmd_user_put(file->adapter, file->user);
	return ret;
}

void kmd_file_leave_user(struct kmd_file *file)
{
	kmd_uncharge_user(file->adapter, file->user, KMD_LIMIT_FILES, 1);
	kmd_user_put(file->adapter, file->user);
}

/* --- privileges ---------------------------------------------------------------------------- */

int kmd_check_priority(struct kmd_file *file, u32 priority)
{
	if (priority <= DRM_RINGFENCE_PRIORITY_NORMAL ||
	    rf_file_may(file->shell, RF_PRIVILEGE_PRIORITY))
		return 0;
	return -EACCES;
}
