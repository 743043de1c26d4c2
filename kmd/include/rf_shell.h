/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What kmd/core takes from its shell beyond rf_os.h and rf_bus.h: the user behind a file, user
 * memory, user mappings and doorbell pages. One implementer per build,
 * so these are functions, not a table: kmd/hosted/ in process, kmd/linux/ in the
 * kernel. All PASSIVE unless noted.
 */
#ifndef RF_SHELL_H
#define RF_SHELL_H

#include "rf_bus.h"

/*
 * Have a thread that may be preempted call kmd_sync_domain_go_on(), soon, and once for any number
 * of these calls before it begins. Before that the caller waits for nothing
 * that this call would end. DISPATCH.
 */
void rf_shell_go_on(struct rf_os *os);

/*
 * A device in D3 is needed, since another one has signalled what a queue of it may wait for: have
 * the bus and kmd_adapter_wake() wake it, before the return or soon. No lock held.
 */
void rf_shell_wake(struct rf_bus *bus);

/* The shell's side of an open file. */
struct rf_file;

/* The number of the user who opened the file; limits count all files of one user together. */
u64 rf_file_user(struct rf_file *file);
/* The pid of the process that opened the file. Any level. */
u32 rf_file_pid(struct rf_file *file);

/* What needs a privilege */
enum rf_privilege {
	RF_PRIVILEGE_PRIORITY, /* have work done before that of others: CAP_SYS_NICE */
	RF_PRIVILEGE_LIMITS, /* have more than a user may have: CAP_SYS_RESOURCE */
};

/* Does the caller of the request under way have that privilege? Any level. */
bool rf_file_may(struct rf_file *file, enum rf_privilege privilege);

/* 0 or -EFAULT. No lock held: user mode decides how long it takes. The shells check that. */
int rf_copy_to_user(u64 destination, const void *source, size_t bytes);
/* The same, of zeros. */
int rf_clear_user(u64 destination, size_t bytes);
/*
 * The same of a structure that is longer to user mode: @bytes of it, at least, are there, and what
 * is beyond them is 0, or -EINVAL.
 */
int rf_copy_struct_from_user(void *destination, size_t bytes, u64 source, size_t source_bytes);

/*
 * Let user mode map @mem, which must stay alive until it is concealed; to store to it as
 * well (@writable) makes it untrusted. CPU mappings made before live on, on memory that is no
 * longer used.
 */
int rf_file_expose(struct rf_file *file, struct rf_mem *mem, bool writable, u64 *mmap_offset);
void rf_file_conceal(struct rf_file *file, u64 mmap_offset);

/*
 * A piece of user address space for a doorbell of @bytes, in whole pages. It is created on
 * a dummy of the same size: stores go nowhere and never fault (S3-28).
 */
struct rf_doorbell_page;

int rf_doorbell_page_create(struct rf_file *file, u64 bytes, u64 *mmap_offset,
			    struct rf_doorbell_page **page);
/* Make stores reach the doorbell at @offset of BAR 0. */
void rf_doorbell_page_connect(struct rf_doorbell_page *page, u64 offset);
/*
 * Back to the dummy page. On return no CPU can store to the doorbell through this
 * page any more; a store made before may still be on its way to the device, ahead
 * of any later register read.
 */
void rf_doorbell_page_disconnect(struct rf_doorbell_page *page);
/* Disconnected before. */
void rf_doorbell_page_destroy(struct rf_doorbell_page *page);

#endif /* RF_SHELL_H */
