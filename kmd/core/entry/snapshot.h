/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KMD_SNAPSHOT_H
#define KMD_SNAPSHOT_H

struct kmd_file;

/* Write the states of the process's fences and queues to the log. wait_lock held. */
void kmd_snapshot_log(struct kmd_file *file);

#endif /* KMD_SNAPSHOT_H */
