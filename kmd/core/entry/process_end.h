/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Destroying a queue after its work is done; kmd_file_close() is declared in kmd.h. */
#ifndef KMD_PROCESS_END_H
#define KMD_PROCESS_END_H

#include "rf_types.h"

struct kmd_file;

/*
 * Disconnect the doorbell and wait for what was queued by then. No lock held. 0; -ENOENT;
 * -ETIMEDOUT; -EIO: the queue is lost; -ECANCELED: it was destroyed meanwhile.
 */
int kmd_queue_finish(struct kmd_file *file, u32 handle, u64 deadline);

#endif /* KMD_PROCESS_END_H */
