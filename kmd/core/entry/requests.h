/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Requests of ringfence_drm.h, one function each. PASSIVE, no lock held. 0 or a negative errno as
 * documented there.
 */
#ifndef KMD_REQUESTS_H
#define KMD_REQUESTS_H

struct kmd_call;
struct kmd_file;

int kmd_request_query(struct kmd_file *file, struct kmd_call *call);
int kmd_request_memory_create(struct kmd_file *file, void *arguments);
int kmd_request_memory_destroy(struct kmd_file *file, void *arguments);
int kmd_request_fence_create(struct kmd_file *file, void *arguments);
int kmd_request_fence_open(struct kmd_file *file, void *arguments);
int kmd_request_fence_destroy(struct kmd_file *file, void *arguments);
int kmd_request_fence_signal(struct kmd_file *file, struct kmd_call *call);
int kmd_request_fence_wait(struct kmd_file *file, struct kmd_call *call);
int kmd_request_event_create(struct kmd_file *file, void *arguments);
int kmd_request_event_destroy(struct kmd_file *file, void *arguments);
int kmd_request_event_wait(struct kmd_file *file, void *arguments);
int kmd_request_queue_create(struct kmd_file *file, void *arguments);
int kmd_request_queue_destroy(struct kmd_file *file, void *arguments);
int kmd_request_queue_status(struct kmd_file *file, void *arguments);
int kmd_request_queue_notify(struct kmd_file *file, void *arguments);
int kmd_request_queue_submit(struct kmd_file *file, void *arguments);
int kmd_request_queue_render(struct kmd_file *file, struct kmd_call *call);
int kmd_request_queue_wait(struct kmd_file *file, struct kmd_call *call);
int kmd_request_queue_signal(struct kmd_file *file, struct kmd_call *call);
int kmd_request_queue_resume(struct kmd_file *file, void *arguments);
int kmd_request_doorbell_create(struct kmd_file *file, void *arguments);
int kmd_request_doorbell_connect(struct kmd_file *file, void *arguments);
int kmd_request_doorbell_destroy(struct kmd_file *file, void *arguments);
int kmd_request_link(struct kmd_file *file, void *arguments);
int kmd_request_context_create(struct kmd_file *file, void *arguments);
int kmd_request_context_destroy(struct kmd_file *file, void *arguments);

#endif /* KMD_REQUESTS_H */
