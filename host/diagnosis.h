/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a dump means, in sentences: which queue waits for which value of which fence, what holds a
 * node or a slot and for how long, which fences CPUs wait for, what is lost; and what to do next.
 */
#ifndef RF_DIAGNOSIS_H
#define RF_DIAGNOSIS_H

#include <stdio.h>

struct json_object;

/*
 * @dump: what ringfence dump --json prints: the parts "kernel" and "device", of which the first may
 * be missing (a bare function); or a list "devices" of such. A member that is missing counts as 0.
 */
void rf_diagnose(struct json_object *dump, FILE *output);

#endif
