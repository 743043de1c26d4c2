/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data link layer packets: four bytes and a CRC. PCI Express Base Specification 3.5, table 3-5.
 * Virtual channel 0 only; scale fields are zero (no Scaled Flow Control below 16 GT/s).
 */
#ifndef LINK_DLLP_H
#define LINK_DLLP_H

#include <stdbool.h>
#include <stdint.h>

#define DLLP_BYTES 6 /* with CRC, between SDP and END */

/* Byte 0. */
enum dllp_type {
	DLLP_ACK = 0x00,
	DLLP_NAK = 0x10,
	DLLP_PM_ENTER_L1 = 0x20,
	DLLP_PM_ENTER_L23 = 0x21,
	DLLP_PM_ACTIVE_STATE_REQUEST_L1 = 0x23,
	DLLP_PM_REQUEST_ACK = 0x24,
	DLLP_VENDOR = 0x30,
	DLLP_NOP = 0x31,
	DLLP_INITFC1_P = 0x40,
	DLLP_INITFC1_NP = 0x50,
	DLLP_INITFC1_CPL = 0x60,
	DLLP_UPDATEFC_P = 0x80,
	DLLP_UPDATEFC_NP = 0x90,
	DLLP_UPDATEFC_CPL = 0xa0,
	DLLP_INITFC2_P = 0xc0,
	DLLP_INITFC2_NP = 0xd0,
	DLLP_INITFC2_CPL = 0xe0,
};

/**
 * struct dllp - a DLLP.
 * @type: byte 0; need not be one that has a name
 * @sequence: 0..4095, of Ack and Nak
 * @header_credits: HdrFC, 0..255, of the types of flow control
 * @data_credits: DataFC, 0..4095, units of 16 bytes
 */
struct dllp {
	uint8_t type;
	uint16_t sequence;
	uint8_t header_credits;
	uint16_t data_credits;
};

enum dllp_result {
	DLLP_GOOD,
	DLLP_BAD_CRC,
	DLLP_UNKNOWN, /* CRC good; of another channel, reserved, or of no use here: ignored */
};

/* InitFC1, InitFC2 or UpdateFC? */
bool dllp_is_flow_control(uint8_t type);

void dllp_encode(const struct dllp *dllp, uint8_t *bytes);

/* @dllp: written unless the CRC is wrong. Reserved fields are ignored. */
enum dllp_result dllp_decode(const uint8_t *bytes, struct dllp *dllp);

/* "Ack", "UpdateFC-P", ...; "?" */
const char *dllp_name(uint8_t type);

#endif
