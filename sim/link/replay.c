// SPDX-License-Identifier: Apache-2.0
/* Sequence numbers, retry buffer, REPLAY_TIMER and REPLAY_NUM. */
#include <string.h>

#include "crc.h"
#include "replay.h"

#define REPLAY_NUMBERS 4

void replay_reset(struct replay *replay, uint32_t limit)
{
	replay->first = replay->held = replay->sent = replay->transmitted = 0;
	replay->next_sequence = 0;
	replay->acknowledged = SEQUENCE_NUMBERS - 1;
	replay->limit = limit;
	replay->timer = 0;
	replay->running = replay->restart = replay->retrain = false;
	replay->number = 0;
}

bool replay_full(const struct replay *replay)
{
	unsigned int used = replay->next_sequence - replay->acknowledged;

	return replay->held == REPLAY_SLOTS || used % SEQUENCE_NUMBERS >= SEQUENCE_NUMBERS / 2;
}

void replay_put(struct replay *replay, const uint8_t *tlp, unsigned int count)
{
	struct replay_slot *new = &replay->slots[(replay->first + replay->held++) % REPLAY_SLOTS];
	uint32_t crc;
	int i;

	new->sequence = replay->next_sequence;
	replay->next_sequence = (replay->next_sequence + 1) % SEQUENCE_NUMBERS;
	new->bytes[0] = new->sequence >> 8;
	new->bytes[1] = new->sequence;
	memcpy(new->bytes + 2, tlp, count);
	crc = link_lcrc(new->bytes, 2 + count);
	for (i = 0; i < 4; i++)
		new->bytes[2 + count + i] = crc >> 8 * i;
	new->count = 2 + count + 4;
}

const struct replay_slot *replay_next(const struct replay *replay)
{
	if (replay->retrain || replay->sent == replay->held)
		return NULL;
	return &replay->slots[(replay->first + replay->sent) % REPLAY_SLOTS];
}

void replay_sent(struct replay *replay, uint16_t sequence)
{
	unsigned int index = (sequence - replay->acknowledged - 1) % SEQUENCE_NUMBERS;

	/* Acknowledged while it was being sent again */
	if (index >= replay->held)
		return;
	if (replay->transmitted <= index)
		replay->transmitted = index + 1;
	/* A replay began while it was being sent */
	if (index != replay->sent)
		return;
	replay->sent++;
	if (replay->restart || !replay->running) {
		replay->timer = 0;
		replay->running = true;
		replay->restart = false;
	}
}

static void begin(struct replay *replay)
{
	replay->timer = 0;
	replay->running = false;
	if (!replay->transmitted)
		return;
	replay->sent = 0;
	replay->restart = true;
	replay->replays++;
	replay->number = (replay->number + 1) % REPLAY_NUMBERS;
	if (!replay->number) {
		replay->retrain = true;
		replay->rollovers++;
	}
}

bool replay_acknowledge(struct replay *replay, uint16_t sequence, bool nak)
{
	unsigned int count = (sequence - replay->acknowledged) % SEQUENCE_NUMBERS;

	if (count > replay->transmitted)
		return false;
	if (count) {
		replay->first = (replay->first + count) % REPLAY_SLOTS;
		replay->held -= count;
		replay->transmitted -= count;
		replay->sent -= count < replay->sent ? count : replay->sent;
		replay->acknowledged = sequence;
		replay->number = 0;
		replay->timer = 0;
		/* It runs for what is left; in a replay, from its first TLP on. */
		replay->running &= replay->transmitted > 0;
	}
	if (nak)
		begin(replay);
	return true;
}

void replay_tick(struct replay *replay)
{
	if (!replay->running || ++replay->timer <= replay->limit)
		return;
	replay->timeouts++;
	begin(replay);
}

void replay_retrained(struct replay *replay)
{
	replay->retrain = false;
}
