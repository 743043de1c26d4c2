/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PCIe transaction-layer packet headers, encoded and decoded.
 *
 * A header is an array of four 32-bit words, word 0 first, as the PCI Express
 * base specification draws them (section 2.2); a 3-DW header leaves word 3 zero.
 * Payload words are little-endian: byte 0 of memory is bits 7:0 of word 0.
 */
#ifndef RFSIM_TLP_H
#define RFSIM_TLP_H

#include <stdbool.h>
#include <stdint.h>

#define TLP_HEADER_WORDS 4
#define TLP_MAX_PAYLOAD_WORDS 1024

/* fmt and type together, bits 31:24 of word 0. */
enum tlp_type {
	TLP_MRD32 = 0x00,
	TLP_MRD64 = 0x20,
	TLP_MWR32 = 0x40,
	TLP_MWR64 = 0x60,
	TLP_CFGRD0 = 0x04,
	TLP_CFGWR0 = 0x44,
	TLP_CPL = 0x0a,
	TLP_CPLD = 0x4a,
	TLP_MSG_ROOT = 0x30, /* to the root complex */
	TLP_MSG_BROADCAST = 0x33, /* by the root complex */
	TLP_MSG_LOCAL = 0x34, /* for the receiver */
	TLP_MSG_GATHERED = 0x35, /* to the root complex, once all have sent it */
	TLP_MSGD_LOCAL = 0x74,
};

/* Byte 7 of a message. */
enum tlp_message {
	TLP_PME_TURN_OFF = 0x19,
	TLP_PME_TO_ACK = 0x1b,
	TLP_SET_SLOT_POWER_LIMIT = 0x50,
	TLP_ERR_COR = 0x30,
	TLP_ERR_NONFATAL = 0x31,
	TLP_ERR_FATAL = 0x33,
	TLP_VENDOR_TYPE_0 = 0x7e,
	TLP_VENDOR_TYPE_1 = 0x7f,
};

enum tlp_status {
	TLP_STATUS_SUCCESS = 0,
	TLP_STATUS_UNSUPPORTED = 1,
	TLP_STATUS_RETRY = 2,
	TLP_STATUS_ABORT = 4,
};

#define TLP_DW0_POISONED (1u << 14)
#define TLP_DW0_DIGEST (1u << 15)
#define TLP_DW0_NO_SNOOP (1u << 12)
#define TLP_DW0_RELAXED (1u << 13)
#define TLP_DW0_ID_ORDER (1u << 18)
#define TLP_DW0_TRAFFIC_CLASS (7u << 20)
#define TLP_DW0_ADDRESS_TYPE (3u << 10)
#define TLP_DW0_RESERVED (1u << 23 | 1u << 19 | 1u << 17)
#define TLP_DW0_HINT (1u << 16)

static inline uint8_t tlp_type(const uint32_t *header)
{
	return header[0] >> 24;
}

/* Length in 32-bit words: 1..1024. */
static inline unsigned int tlp_length(const uint32_t *header)
{
	unsigned int length = header[0] & 0x3ff;

	return length ? length : 1024;
}

static inline bool tlp_has_data(const uint32_t *header)
{
	return header[0] >> 30 & 1;
}

static inline bool tlp_is_4dw(const uint32_t *header)
{
	return header[0] >> 29 & 1;
}

static inline bool tlp_is_completion(const uint32_t *header)
{
	return (tlp_type(header) & 0xbf) == TLP_CPL;
}

static inline bool tlp_is_memory_read(const uint32_t *header)
{
	return (tlp_type(header) & 0xdf) == TLP_MRD32;
}

static inline bool tlp_is_memory_write(const uint32_t *header)
{
	return (tlp_type(header) & 0xdf) == TLP_MWR32;
}

static inline bool tlp_is_message(const uint32_t *header)
{
	return (tlp_type(header) & 0xb8) == 0x30;
}

static inline uint8_t tlp_message_code(const uint32_t *header)
{
	return (uint8_t)header[1];
}

/* Words of payload that belong to the header. */
static inline unsigned int tlp_payload_words(const uint32_t *header)
{
	return tlp_has_data(header) ? tlp_length(header) : 0;
}

/*
 * Bytes that the packet takes on a link at 2.5 or 5 GT/s: framing (2), sequence
 * number (2), link CRC (4), header, payload.
 */
static inline unsigned int tlp_wire_bytes(const uint32_t *header)
{
	return 8 + (tlp_is_4dw(header) ? 16 : 12) + 4 * tlp_payload_words(header);
}

/* --- requests ------------------------------------------------------------- */

static inline uint16_t tlp_requester(const uint32_t *header)
{
	return tlp_is_completion(header) ? header[2] >> 16 : header[1] >> 16;
}

static inline uint8_t tlp_tag(const uint32_t *header)
{
	return tlp_is_completion(header) ? header[2] >> 8 : header[1] >> 8;
}

static inline unsigned int tlp_first_enables(const uint32_t *header)
{
	return header[1] & 0xf;
}

static inline unsigned int tlp_last_enables(const uint32_t *header)
{
	return header[1] >> 4 & 0xf;
}

static inline uint64_t tlp_address(const uint32_t *header)
{
	if (tlp_is_4dw(header))
		return (uint64_t)header[2] << 32 | (header[3] & ~3u);
	return header[2] & ~3u;
}

/* The byte count that the first completion of a memory read carries: 1..4096. */
static inline unsigned int tlp_request_bytes(const uint32_t *header)
{
	unsigned int first = tlp_first_enables(header);
	unsigned int last = tlp_last_enables(header);

	if (!first)
		return 1;
	if (!last)
		return 32 - __builtin_clz(first) - __builtin_ctz(first);
	return 4 * tlp_length(header) - __builtin_ctz(first) - (__builtin_clz(last) - 28);
}

/* Address of the first enabled byte. */
static inline uint64_t tlp_first_byte(const uint32_t *header)
{
	unsigned int first = tlp_first_enables(header);

	return tlp_address(header) + (first ? __builtin_ctz(first) : 0);
}

/* A memory request; the header has 4 words exactly if the address needs them. */
static inline void tlp_memory_request(uint32_t *header, bool write, uint16_t requester, uint8_t tag,
				      uint64_t address, unsigned int words, unsigned int first,
				      unsigned int last)
{
	bool wide = address >> 32;

	header[0] = (uint32_t)write << 30 | (uint32_t)wide << 29 | (words & 0x3ff);
	header[1] = (uint32_t)requester << 16 | (uint32_t)tag << 8 | last << 4 | first;
	header[2] = wide ? address >> 32 : address & ~3u;
	header[3] = wide ? address & ~3u : 0;
}

/* A memory request for bytes [address, address + bytes), bytes > 0. */
static inline void tlp_memory_bytes(uint32_t *header, bool write, uint16_t requester, uint8_t tag,
				    uint64_t address, unsigned int bytes)
{
	unsigned int skip = address & 3;
	unsigned int words = (skip + bytes + 3) / 4;
	unsigned int tail = 4 * words - skip - bytes;
	unsigned int first = 0xf << skip & 0xf;
	unsigned int last = 0xf >> tail;

	if (words == 1) {
		first &= last;
		last = 0;
	}
	tlp_memory_request(header, write, requester, tag, address, words, first, last);
}

/* A configuration request of type 0; offset is that of a 32-bit word. */
static inline void tlp_config_request(uint32_t *header, bool write, uint16_t requester, uint8_t tag,
				      uint16_t target, unsigned int offset, unsigned int enables)
{
	header[0] = (uint32_t)(write ? TLP_CFGWR0 : TLP_CFGRD0) << 24 | 1;
	header[1] = (uint32_t)requester << 16 | (uint32_t)tag << 8 | enables;
	header[2] = (uint32_t)target << 16 | (offset & 0xffc);
	header[3] = 0;
}

/* A message without an address; one that has data has one word of it. */
static inline void tlp_message(uint32_t *header, enum tlp_type type, uint16_t requester,
			       enum tlp_message code)
{
	header[0] = (uint32_t)type << 24 | (type >> 6 & 1);
	header[1] = (uint32_t)requester << 16 | code;
	header[2] = 0;
	header[3] = 0;
}

/* --- completions ---------------------------------------------------------- */

static inline uint16_t tlp_completer(const uint32_t *header)
{
	return header[1] >> 16;
}

static inline enum tlp_status tlp_completion_status(const uint32_t *header)
{
	return (enum tlp_status)(header[1] >> 13 & 7);
}

/* 1..4096 */
static inline unsigned int tlp_byte_count(const uint32_t *header)
{
	unsigned int count = header[1] & 0xfff;

	return count ? count : 4096;
}

static inline unsigned int tlp_lower_address(const uint32_t *header)
{
	return header[2] & 0x7f;
}

/* words = 0: without data. */
static inline void tlp_completion(uint32_t *header, uint16_t completer, enum tlp_status status,
				  unsigned int byte_count, uint16_t requester, uint8_t tag,
				  unsigned int lower_address, unsigned int words)
{
	header[0] = (uint32_t)(words ? TLP_CPLD : TLP_CPL) << 24 | (words & 0x3ff);
	header[1] = (uint32_t)completer << 16 | (uint32_t)status << 13 | (byte_count & 0xfff);
	header[2] = (uint32_t)requester << 16 | (uint32_t)tag << 8 | (lower_address & 0x7f);
	header[3] = 0;
}

#endif
