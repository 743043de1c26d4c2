// SPDX-License-Identifier: Apache-2.0
/* TLPs and their bytes. */
#include <string.h>

#include "tlp_bytes.h"

static unsigned int header_words(const uint32_t *header)
{
	return tlp_is_4dw(header) ? 4 : 3;
}

unsigned int link_payload_words(const struct link_tlp *tlp)
{
	int words = (int)tlp_payload_words(tlp->header) + tlp->surplus;

	return words < 0 ? 0 : words > TLP_MAX_PAYLOAD_WORDS ? TLP_MAX_PAYLOAD_WORDS : words;
}

unsigned int tlp_to_bytes(const struct link_tlp *tlp, uint8_t *bytes)
{
	unsigned int words = header_words(tlp->header), payload = link_payload_words(tlp);
	uint8_t *to = bytes;
	unsigned int i;

	for (i = 0; i < 4 * words; i++)
		*to++ = tlp->header[i / 4] >> (24 - 8 * (i % 4));
	for (i = 0; i < 4 * payload; i++)
		*to++ = tlp->payload[i / 4] >> 8 * (i % 4);
	for (i = 0; i < 4 && tlp->header[0] & TLP_DW0_DIGEST; i++)
		*to++ = tlp->digest >> 8 * i;
	return to - bytes;
}

bool tlp_from_bytes(const uint8_t *bytes, unsigned int count, struct link_tlp *tlp)
{
	unsigned int words, payload, i;
	bool digest;

	if (count < 12)
		return false;
	memset(tlp->header, 0, sizeof(tlp->header));
	for (i = 0; i < 4; i++)
		tlp->header[0] = tlp->header[0] << 8 | bytes[i];
	words = header_words(tlp->header);
	payload = tlp_payload_words(tlp->header);
	digest = tlp->header[0] & TLP_DW0_DIGEST;
	if (count != 4 * (words + payload + digest))
		return false;
	for (i = 4; i < 4 * words; i++)
		tlp->header[i / 4] = tlp->header[i / 4] << 8 | bytes[i];
	bytes += 4 * words;
	memset(tlp->payload, 0, 4 * payload);
	for (i = 0; i < 4 * payload; i++)
		tlp->payload[i / 4] |= (uint32_t)*bytes++ << 8 * (i % 4);
	tlp->digest = tlp->surplus = 0;
	for (i = 0; i < 4 && digest; i++)
		tlp->digest |= (uint32_t)*bytes++ << 8 * i;
	return true;
}
