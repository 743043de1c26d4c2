/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user-mode driver over a device that the caller hosts itself (rf_hosted.h):
 * for programs that set up the simulation, such as tests and benches.
 */
#ifndef RINGFENCE_HOSTED_H
#define RINGFENCE_HOSTED_H

#include "ringfence.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rf_hosted_device;

/* As rf_device_open(); the hosted device outlives it. */
int rf_device_open_hosted(struct rf_hosted_device *hosted, struct rf_device **device);

#ifdef __cplusplus
}
#endif

#endif
