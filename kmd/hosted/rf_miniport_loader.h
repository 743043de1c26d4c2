/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A device whose miniport is a shared object (rf_miniport_module.h), and the bus that it is on: a
 * bus without hardware, on which interrupts are calls and time does not pass.
 */
#ifndef RF_MINIPORT_LOADER_H
#define RF_MINIPORT_LOADER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rf_bus;
struct rf_ddi;
struct rf_loaded_miniport;

/* Room for the reason of a failure */
#define RF_MINIPORT_PROBLEM 256

/* A device name of this kind begins so; the path follows, or nothing: the sample. */
#define RF_MINIPORT_PREFIX "miniport:"

/**
 * rf_miniport_load() - load a shared object, and make its bus
 * @path: of the file; "": the sample of examples/miniport
 * @problem: RF_MINIPORT_PROBLEM bytes, which receive the reason of a failure
 *
 * -ENOENT: there is no such file; -ENOEXEC: it is no such shared object, or of another version;
 * -EINVAL: a function or value of its table is missing or wrong; -ENOMEM; an error of its open().
 */
int rf_miniport_load(const char *path, struct rf_loaded_miniport **miniport, char *problem);
/* Its driver is stopped before. */
void rf_miniport_unload(struct rf_loaded_miniport *miniport);

struct rf_bus *rf_miniport_get_bus(struct rf_loaded_miniport *miniport);
/* Its table; functions that it leaves out are there, and refuse or do nothing. */
const struct rf_ddi *rf_miniport_get_ddi(const struct rf_loaded_miniport *miniport);
/* Interrupts that it has raised. */
unsigned long long rf_miniport_interrupts(struct rf_loaded_miniport *miniport);
/* Nothing can change by itself: true or false; negative: it cannot say. */
int rf_miniport_is_idle(struct rf_loaded_miniport *miniport);

#ifdef __cplusplus
}
#endif

#endif /* RF_MINIPORT_LOADER_H */
