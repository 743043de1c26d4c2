/* SPDX-License-Identifier: Apache-2.0 */
/* A TLP header as text, in the words of the PCIe specification. */
#ifndef RF_TLP_TEXT_H
#define RF_TLP_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define RF_TLP_TEXT_BYTES 96

/*
 * "MRd64 0x400100000 64 bytes tag 5", "CplD tag 5 64 bytes", "Cpl tag 5 UR": the address of the
 * first enabled byte, and the bytes from the first to the last enabled one. Of a completion the
 * bytes of its payload, or its status. A type that is none of ours by its number.
 */
void rf_tlp_text(const uint32_t *header, char *text, size_t bytes);

#endif
