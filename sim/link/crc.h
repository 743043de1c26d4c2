/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CRCs of the data link layer. PCI Express Base Specification 3.6.2.1 (LCRC) and 3.5.1 (DLLP).
 * Both start from ones, take bit 0 of each byte first, and are complemented.
 */
#ifndef LINK_CRC_H
#define LINK_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Over sequence number and TLP. Bits 7:0 are sent first. */
uint32_t link_lcrc(const uint8_t *bytes, size_t count);

/* Over the four bytes of a DLLP. Bits 7:0 are sent first. */
uint16_t link_dllp_crc(const uint8_t *bytes);

#endif
