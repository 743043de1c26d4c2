/* SPDX-License-Identifier: Apache-2.0 */
/* Several fake devices in one graphics kernel, and a process on each. */
#ifndef MACHINE_H
#define MACHINE_H

#include "fake.h"

#define MACHINE_DEVICES 6

/**
 * struct machine - fake devices under one hosted shell
 * @fakes: the devices
 * @count: of them
 * @hosted: the graphics kernel
 * @devices: the shell's
 * @files: a process on each
 */
struct machine {
	struct fake fakes[MACHINE_DEVICES];
	u32 count;
	struct rf_hosted *hosted;
	struct rf_hosted_device *devices[MACHINE_DEVICES];
	struct rf_file *files[MACHINE_DEVICES];
};

/* Bit i of @monitored: device i has no native fences, and 32-bit atomics. */
struct machine *machine_new(u32 count, u32 monitored);
/* The same of devices that signal to each other, all of them native. */
struct machine *machine_new_peers(u32 count);
/* The same of devices that can be linked: their drivers patch nothing. */
struct machine *machine_new_linked(u32 count);
/* Closes the files that are open, and checks that the fakes have nothing left. */
void machine_destroy(struct machine *machine);

struct kmd_statistics machine_statistics(struct machine *machine, u32 device);

/* A cross-adapter fence, made on a device; open it on another one. */
struct drm_ringfence_fence_create machine_fence(struct machine *machine, u32 device, u32 type,
						u64 initial);
struct drm_ringfence_fence_open machine_open(struct machine *machine, u32 device, u64 token,
					     u32 flags);
/* What a process reads there. */
u64 machine_value(struct machine *machine, u32 device,
		  const struct drm_ringfence_fence_mapping *mapping);

#endif /* MACHINE_H */
