/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transmitter's sequence numbers and replay buffer. PCI Express Base Specification 3.6.2.
 */
#ifndef LINK_REPLAY_H
#define LINK_REPLAY_H

#include "framer.h"

#define REPLAY_SLOTS 32
#define SEQUENCE_NUMBERS 4096u

/* @bytes: sequence number, TLP, LCRC */
struct replay_slot {
	uint16_t sequence;
	uint8_t bytes[PACKET_BYTES];
	unsigned int count;
};

/**
 * struct replay - the buffer.
 * @slots: the oldest is at @first
 * @held: TLPs in it
 * @sent: of these, those that need not be sent now
 * @transmitted: of these, those that were sent at least once
 * @next_sequence: NEXT_TRANSMIT_SEQ
 * @acknowledged: ACKD_SEQ
 * @limit: of the replay timer, symbol times
 * @timer, @running: REPLAY_TIMER
 * @restart: the next TLP is the first one of a replay
 * @number: REPLAY_NUM, 0..3
 * @retrain: it rolled over; nothing is sent until replay_retrained()
 * @replays, @timeouts, @rollovers: how often
 */
struct replay {
	struct replay_slot slots[REPLAY_SLOTS];
	unsigned int first, held, sent, transmitted;
	uint16_t next_sequence, acknowledged;
	uint32_t limit, timer;
	bool running, restart;
	unsigned int number;
	bool retrain;
	unsigned int replays, timeouts, rollovers;
};

/* As in DL_Inactive: empty. @limit: see REPLAY_TIMER in 3.6.2.1. */
void replay_reset(struct replay *replay, uint32_t limit);

/* No slot, or 2048 sequence numbers in use. */
bool replay_full(const struct replay *replay);

/* A TLP of @count bytes, LINK_TLP_BYTES at most; not if replay_full(). */
void replay_put(struct replay *replay, const uint8_t *tlp, unsigned int count);

/* What is to be sent now, or NULL. */
const struct replay_slot *replay_next(const struct replay *replay);

/* Its last symbol was sent. */
void replay_sent(struct replay *replay, uint16_t sequence);

/* Ack or Nak. False: the number is none that may be acknowledged (Data Link Protocol Error). */
bool replay_acknowledge(struct replay *replay, uint16_t sequence, bool nak);

/* A symbol time; not while the link trains. */
void replay_tick(struct replay *replay);

/* The link was trained as @retrain asked. */
void replay_retrained(struct replay *replay);

#endif
