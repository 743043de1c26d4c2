/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the stand-in device (echo_device.sv) send what a test wants it to send.
 */
#ifndef RFSIM_TEST_ECHO_H
#define RFSIM_TEST_ECHO_H

#include "rfsim.h"
#include "tlp.h"

#define ECHO_PLAY 0x8000
#define ECHO_CAPTURE 0x8008
#define ECHO_ARMED (1u << 20)

/* Flags of a beat. */
#define ECHO_READ_STREAM (1u << 0)
#define ECHO_SOP (1u << 1)
#define ECHO_EOP (1u << 2)
#define ECHO_STRB(strb) ((strb) << 3)
#define ECHO_DROP (1u << 5)
#define ECHO_TOGGLE (1u << 6)
#define ECHO_COPY_TAG (1u << 7)
#define ECHO_WAIT(cycles) ((cycles) << 8)
#define ECHO_UNORDERED (1u << 16)

/* Beats being composed; upload with echo_play(). */
struct echo_script {
	uint64_t words[256 * 4];
	unsigned int beats;
};

static inline uint64_t *echo_beat(struct echo_script *script, uint32_t flags,
				  const uint32_t *header, uint64_t data)
{
	uint64_t *beat = &script->words[4 * script->beats++];

	beat[0] = flags;
	beat[1] = (uint64_t)header[0] << 32 | header[1];
	beat[2] = (uint64_t)header[2] << 32 | header[3];
	beat[3] = data;
	return beat;
}

/* A well-framed TLP of the posted stream; flags apply to every beat. */
static inline void echo_tlp(struct echo_script *script, uint32_t flags, const uint32_t *header,
			    const uint32_t *payload, unsigned int words)
{
	unsigned int i = 0;

	do {
		unsigned int left = words - i;
		uint64_t data = left ? payload[i] : 0;

		if (left > 1)
			data |= (uint64_t)payload[i + 1] << 32;
		echo_beat(script,
			  flags | (i ? 0 : ECHO_SOP) | (left <= 2 ? ECHO_EOP : 0) |
				  ECHO_STRB(left >= 2 ? 3u : left),
			  header, data);
		i += 2;
	} while (i < words);
}

/* Start, or arm for the next non-posted request. */
static inline int echo_play(struct rfsim_device *device, const struct echo_script *script,
			    uint32_t armed)
{
	uint32_t play = script->beats << 10 | armed;
	int error = rfsim_bar_write(device, 0, 0, script->words, 32 * script->beats);

	return error ? error : rfsim_bar_write(device, 0, ECHO_PLAY, &play, 4);
}

#endif
