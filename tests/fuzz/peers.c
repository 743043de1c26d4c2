// SPDX-License-Identifier: Apache-2.0
/*
 * Another device that may write the peer page writes anything there, while the driver changes
 * entries and queues write words that are fences of the region by chance. What the device sends goes
 * to a mailbox of four pages, or to addresses that are not mapped.
 */
#include "../../sim/tlp.h"
#include "fuzz.h"

#define REQUESTER 0x0700
#define TARGETS 4u
#define WINDOW 0x2000000000ull /* of VMID 0; nothing else is there */
#define REGION_BYTES (RF_PEER_FENCES * 4096ull)
#define MEANT (RF_PEER_ENTRY_INDEX_MASK | RF_PEER_ENTRY_VALID_MASK | RF_PEER_ENTRY_GENERATION_MASK)

static uint64_t field(uint64_t value, unsigned int shift)
{
	return value << shift;
}

static uint64_t word_of(unsigned int index, unsigned int generation)
{
	return index | RF_PEER_ENTRY_VALID_MASK | field(generation, RF_PEER_ENTRY_GENERATION_SHIFT);
}

/* The four low bits of a generation are its targets: so the mailbox shows who was named. */
static void set_entry(struct fuzz *fuzz, unsigned int index)
{
	struct fuzz_peer *peer = &fuzz->peers.entries[index];

	peer->valid = chance(fuzz, 70);
	peer->generation = (unsigned int)draw(fuzz, 4096);
	rf_dev_register_write(&fuzz->dev, RF_REG_PEER_ENTRY,
			      (word_of(index, peer->generation) & ~RF_PEER_ENTRY_VALID_MASK) |
				      field(peer->valid, RF_PEER_ENTRY_VALID_SHIFT) |
				      field(peer->generation % 16, RF_PEER_ENTRY_TARGETS_SHIFT));
}

void peers_open(struct fuzz *fuzz)
{
	struct rf_dev *dev = &fuzz->dev;
	uint64_t region = rf_dev_physical(dev, fuzz->playground[RF_PLACE_SYSTEM]);
	unsigned int i;

	fuzz->peers.enabled = chance(fuzz, 90);
	/* in no region: a word that is a fence itself would be sent for ever */
	fuzz->peers.mailbox = rf_dev_alloc(dev, RF_PLACE_SYSTEM, TARGETS * 4096, REGION_BYTES);
	for (i = 0; i < TARGETS; i++)
		if (chance(fuzz, 80))
			rf_dev_map(dev, 0, WINDOW + i * 4096,
				   rf_dev_physical(dev, rf_spot_at(fuzz->peers.mailbox, i * 4096)),
				   RF_DEV_READ_WRITE);
	rf_dev_invalidate(dev, 0);
	for (i = 0; i < RF_PEER_FENCES; i++)
		set_entry(fuzz, i);
	rf_dev_register_write(dev, RF_REG_PEER_WINDOW, WINDOW);
	rf_dev_register_write(dev, RF_REG_PEER_REGION,
			      (region & ~(REGION_BYTES - 1)) | fuzz->peers.enabled);
}

/* A word of any kind, and what the device has to count. */
static uint64_t any_word(struct fuzz *fuzz)
{
	unsigned int index = (unsigned int)draw(fuzz, RF_PEER_FENCES);
	const struct fuzz_peer *peer = &fuzz->peers.entries[index];
	uint64_t word = word_of(index, peer->generation);

	switch (draw(fuzz, 6)) {
	case 0:
		word = word_of(index, (unsigned int)draw(fuzz, 4096));
		break;
	case 1:
		word ^= 1ull << draw(fuzz, 64);
		break;
	case 2:
		word = draw(fuzz, ~0ull);
		break;
	default:
		break;
	}
	return word;
}

static void count(struct fuzz *fuzz, uint64_t word)
{
	const struct fuzz_peer *peer = &fuzz->peers.entries[word & RF_PEER_ENTRY_INDEX_MASK];

	if (word & ~MEANT || !(word & RF_PEER_ENTRY_VALID_MASK))
		fuzz->peers.malformed++;
	else if (fuzz->peers.enabled && peer->valid &&
		 word == word_of(word & RF_PEER_ENTRY_INDEX_MASK, peer->generation))
		fuzz->peers.good++;
	else
		fuzz->peers.stale++;
}

/* A write of the page: one whole word at its start, or anything else. */
static void send_word(struct fuzz *fuzz)
{
	uint64_t word = any_word(fuzz), offset = 0;
	uint32_t payload[4] = { (uint32_t)word, (uint32_t)(word >> 32), (uint32_t)word,
				(uint32_t)(word >> 32) };
	unsigned int words = 2, first = 0xf, last = 0xf;
	uint32_t header[4];
	struct rfsim_bar bar;

	switch (draw(fuzz, 10)) {
	case 0:
		words = 1;
		last = 0;
		break;
	case 1:
		first = 1 + (unsigned int)draw(fuzz, 14);
		break;
	case 2:
		offset = 4 + 4 * draw(fuzz, 1022);
		fuzz->peers.malformed += offset % 8 == 0;
		break;
	case 3:
		words = 3 + (unsigned int)draw(fuzz, 2);
		break;
	default:
		count(fuzz, word);
		break;
	}
	RF_CHECK_EQUAL(&fuzz->conform, rfsim_bar(fuzz->conform.setup.world.sim, 0, &bar), 0, "BAR");
	tlp_memory_request(header, true, REQUESTER, 0,
			   bar.address + RF_DOORBELL_BASE + RF_PEER_PAGE * 4096 + offset, words,
			   first, last);
	RF_CHECK_EQUAL(&fuzz->conform,
		       rfsim_tlp_send(fuzz->conform.setup.world.sim, header, payload, words, false),
		       0, "rfsim_tlp_send");
	fuzz->peers.sent++;
}

void peers_act(struct fuzz *fuzz)
{
	unsigned int burst;

	if (chance(fuzz, 20))
		set_entry(fuzz, (unsigned int)draw(fuzz, RF_PEER_FENCES));
	else
		for (burst = 1 + (unsigned int)draw(fuzz, 8); burst; burst--)
			send_word(fuzz);
}

/* A page of the mailbox has nothing but a word for its own target in its first place. */
static void check_mailbox(struct fuzz *fuzz, unsigned int target)
{
	struct rf_spot page = rf_spot_at(fuzz->peers.mailbox, target * 4096);
	uint64_t word = rf_dev_read(&fuzz->dev, page), offset;

	if (word) {
		RF_CHECK(&fuzz->conform, !(word & ~MEANT) && word & RF_PEER_ENTRY_VALID_MASK,
			 "a malformed word was sent");
		RF_CHECK(&fuzz->conform,
			 fuzz->peers.enabled &&
				 word >> (RF_PEER_ENTRY_GENERATION_SHIFT + target) & 1,
			 "a word was sent to target %u, which its entry does not name", target);
		fuzz->peers.came++;
	}
	for (offset = 8; offset < 4096; offset += 8)
		RF_CHECK_EQUAL(&fuzz->conform, rf_dev_read(&fuzz->dev, rf_spot_at(page, offset)), 0,
			       "the rest of the page");
}

void peers_close(struct fuzz *fuzz)
{
	uint64_t received = rf_dev_register(&fuzz->dev, RF_REG_PEER_RECEIVED);
	unsigned int i;

	RF_CHECK_EQUAL(&fuzz->conform, received & RF_PEER_RECEIVED_GOOD_MASK, fuzz->peers.good,
		       "words that were heeded");
	RF_CHECK_EQUAL(&fuzz->conform,
		       (received & RF_PEER_RECEIVED_STALE_MASK) >> RF_PEER_RECEIVED_STALE_SHIFT,
		       fuzz->peers.stale, "stale words");
	RF_CHECK(&fuzz->conform,
		 (received & RF_PEER_RECEIVED_MALFORMED_MASK) >> RF_PEER_RECEIVED_MALFORMED_SHIFT >=
			 fuzz->peers.malformed,
		 "malformed words were not counted");
	for (i = 0; i < TARGETS; i++)
		check_mailbox(fuzz, i);
}
