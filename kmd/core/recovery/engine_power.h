/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Transitions of idle engines to F1. Other functions of engine_power.c are declared in kmd.h. */
#ifndef KMD_ENGINE_POWER_H
#define KMD_ENGINE_POWER_H

struct kmd_adapter;

/* Begin and continue transitions to F1. mutex held. */
void kmd_engines_drain(struct kmd_adapter *adapter);

#endif /* KMD_ENGINE_POWER_H */
