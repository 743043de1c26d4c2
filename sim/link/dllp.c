// SPDX-License-Identifier: Apache-2.0
/* DLLPs and their bytes. */
#include <string.h>

#include "crc.h"
#include "dllp.h"

bool dllp_is_flow_control(uint8_t type)
{
	uint8_t kind = type & 0xf0;

	return (kind >= 0x40 && kind <= 0x60) || (kind >= 0x80 && kind <= 0xa0) ||
	       (kind >= 0xc0 && kind <= 0xe0);
}

void dllp_encode(const struct dllp *dllp, uint8_t *bytes)
{
	uint16_t crc;

	memset(bytes, 0, 4);
	bytes[0] = dllp->type;
	if (dllp->type == DLLP_ACK || dllp->type == DLLP_NAK) {
		bytes[2] = dllp->sequence >> 8 & 0xf;
		bytes[3] = dllp->sequence;
	} else if (dllp_is_flow_control(dllp->type)) {
		bytes[1] = dllp->header_credits >> 2;
		bytes[2] = dllp->header_credits << 6 | (dllp->data_credits >> 8 & 0xf);
		bytes[3] = dllp->data_credits;
	}
	crc = link_dllp_crc(bytes);
	bytes[4] = crc;
	bytes[5] = crc >> 8;
}

enum dllp_result dllp_decode(const uint8_t *bytes, struct dllp *dllp)
{
	if (link_dllp_crc(bytes) != (bytes[4] | bytes[5] << 8))
		return DLLP_BAD_CRC;
	memset(dllp, 0, sizeof(*dllp));
	dllp->type = bytes[0];
	if (dllp_name(dllp->type)[0] == '?')
		return DLLP_UNKNOWN;
	if (dllp_is_flow_control(dllp->type)) {
		dllp->header_credits = bytes[1] << 2 | bytes[2] >> 6;
		dllp->data_credits = (bytes[2] & 0xf) << 8 | bytes[3];
	} else if (dllp->type == DLLP_ACK || dllp->type == DLLP_NAK) {
		dllp->sequence = (bytes[2] & 0xf) << 8 | bytes[3];
	}
	return DLLP_GOOD;
}

const char *dllp_name(uint8_t type)
{
	switch (type) {
	case DLLP_ACK:
		return "Ack";
	case DLLP_NAK:
		return "Nak";
	case DLLP_PM_ENTER_L1:
		return "PM_Enter_L1";
	case DLLP_PM_ENTER_L23:
		return "PM_Enter_L23";
	case DLLP_PM_ACTIVE_STATE_REQUEST_L1:
		return "PM_Active_State_Request_L1";
	case DLLP_PM_REQUEST_ACK:
		return "PM_Request_Ack";
	case DLLP_VENDOR:
		return "Vendor";
	case DLLP_NOP:
		return "NOP";
	case DLLP_INITFC1_P:
		return "InitFC1-P";
	case DLLP_INITFC1_NP:
		return "InitFC1-NP";
	case DLLP_INITFC1_CPL:
		return "InitFC1-Cpl";
	case DLLP_UPDATEFC_P:
		return "UpdateFC-P";
	case DLLP_UPDATEFC_NP:
		return "UpdateFC-NP";
	case DLLP_UPDATEFC_CPL:
		return "UpdateFC-Cpl";
	case DLLP_INITFC2_P:
		return "InitFC2-P";
	case DLLP_INITFC2_NP:
		return "InitFC2-NP";
	case DLLP_INITFC2_CPL:
		return "InitFC2-Cpl";
	default:
		return "?";
	}
}
