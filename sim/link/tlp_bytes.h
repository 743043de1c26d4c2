/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A TLP as the seam has it (tlp.h) and its bytes on the link. PCI Express Base Specification 2.2:
 * headers are sent from the most significant byte of each word, payload from byte 0 of memory.
 */
#ifndef LINK_TLP_BYTES_H
#define LINK_TLP_BYTES_H

#include "tlp.h"

#define LINK_TLP_BYTES (16 + 4 * TLP_MAX_PAYLOAD_WORDS + 4)

/**
 * struct link_tlp - a TLP.
 * @header: as tlp.h says; word 3 is 0 in a header of three
 * @payload: link_payload_words() of it are valid
 * @digest: the word behind it if TLP_DW0_DIGEST is set, as it is sent, low byte first
 * @surplus: words of payload behind those, or missing ones if negative: malformed TLPs that tests send
 */
struct link_tlp {
	uint32_t header[TLP_HEADER_WORDS];
	uint32_t payload[TLP_MAX_PAYLOAD_WORDS];
	uint32_t digest;
	int surplus;
};

/* Words of payload that are sent. */
unsigned int link_payload_words(const struct link_tlp *tlp);

/* Returns the number of bytes, LINK_TLP_BYTES at most. */
unsigned int tlp_to_bytes(const struct link_tlp *tlp, uint8_t *bytes);

/* False if the length is not the one that the header says: a malformed TLP. */
bool tlp_from_bytes(const uint8_t *bytes, unsigned int count, struct link_tlp *tlp);

#endif
