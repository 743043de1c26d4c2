/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a dump as text: addresses in hexadecimal, all else in units; what is 0 left out. */
#ifndef RF_DUMP_TEXT_H
#define RF_DUMP_TEXT_H

#include <stdio.h>

struct json_object;

/* @dump: what ringfence dump --json prints */
void rf_print_dump(struct json_object *dump, FILE *output);

#endif
