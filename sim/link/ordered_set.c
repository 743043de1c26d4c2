// SPDX-License-Identifier: Apache-2.0
/* Ordered sets: each begins with COM, and its second symbol says which it is. */
#include <string.h>

#include "ordered_set.h"

#define TS1_IDENTIFIER LINK_SYMBOL(10, 2)
#define TS2_IDENTIFIER LINK_SYMBOL(5, 2)
#define TS1_INVERTED LINK_SYMBOL(21, 5)
#define TS2_INVERTED LINK_SYMBOL(26, 5)

#define FIRST_IDENTIFIER 6
#define MOST_SKIPS 6 /* five on the lane, and one that an elastic buffer adds */

static void put(struct plain_symbol *symbol, uint8_t value, bool k)
{
	symbol->value = value;
	symbol->k = k;
}

static void put_number(struct plain_symbol *symbol, int number)
{
	if (number == LINK_NUMBER_PAD)
		put(symbol, LINK_PAD, true);
	else
		put(symbol, number, false);
}

static unsigned int make_training(const struct ordered_set *set, struct plain_symbol *symbols)
{
	bool first = set->kind == ORDERED_SET_TS1;
	unsigned int i;

	put_number(&symbols[1], set->link);
	put_number(&symbols[2], set->lane);
	put(&symbols[3], set->fts, false);
	put(&symbols[4], set->rate, false);
	put(&symbols[5], set->control, false);
	for (i = FIRST_IDENTIFIER; i < TRAINING_SET_SYMBOLS; i++)
		put(&symbols[i], first ? TS1_IDENTIFIER : TS2_IDENTIFIER, false);
	return TRAINING_SET_SYMBOLS;
}

unsigned int ordered_set_make(const struct ordered_set *set, unsigned int skips,
			      struct plain_symbol *symbols)
{
	unsigned int i, count = set->kind == ORDERED_SET_SKP ? skips : 3;
	enum link_special repeated;

	put(&symbols[0], LINK_COM, true);
	switch (set->kind) {
	case ORDERED_SET_TS1:
	case ORDERED_SET_TS2:
		return make_training(set, symbols);
	case ORDERED_SET_SKP:
		repeated = LINK_SKP;
		break;
	case ORDERED_SET_EIOS:
		repeated = LINK_IDL;
		break;
	default:
		repeated = LINK_FTS;
		break;
	}
	for (i = 1; i <= count; i++)
		put(&symbols[i], repeated, true);
	return 1 + count;
}

/* --- received ----------------------------------------------------------------------- */

static bool is_number(const struct plain_symbol *symbol)
{
	return !symbol->k || symbol->value == LINK_PAD;
}

static int number(const struct plain_symbol *symbol)
{
	return symbol->k ? LINK_NUMBER_PAD : symbol->value;
}

/* Of sixteen symbols, or fewer: may they be a training set as far as they go? */
static bool may_be_training(const struct plain_symbol *symbols, unsigned int count)
{
	unsigned int i = count - 1;

	if (i <= 2)
		return is_number(&symbols[i]);
	if (symbols[i].k)
		return false;
	if (i > FIRST_IDENTIFIER)
		return symbols[i].value == symbols[FIRST_IDENTIFIER].value;
	if (i < FIRST_IDENTIFIER)
		return true;
	switch (symbols[i].value) {
	case TS1_IDENTIFIER:
	case TS2_IDENTIFIER:
	case TS1_INVERTED:
	case TS2_INVERTED:
		return true;
	default:
		return false;
	}
}

static void read_training(const struct plain_symbol *symbols, struct ordered_set *set)
{
	uint8_t identifier = symbols[FIRST_IDENTIFIER].value;

	set->kind = identifier == TS1_IDENTIFIER || identifier == TS1_INVERTED ? ORDERED_SET_TS1
									       : ORDERED_SET_TS2;
	set->inverted = identifier == TS1_INVERTED || identifier == TS2_INVERTED;
	set->link = number(&symbols[1]);
	set->lane = number(&symbols[2]);
	set->fts = symbols[3].value;
	set->rate = symbols[4].value;
	set->control = symbols[5].value;
}

static enum ordered_set_progress give_up(struct ordered_set_receiver *receiver)
{
	receiver->count = 0;
	return ORDERED_SET_BROKEN;
}

static enum ordered_set_progress done(struct ordered_set_receiver *receiver,
				      struct ordered_set *set, enum ordered_set_kind kind)
{
	receiver->count = 0;
	set->kind = kind;
	return ORDERED_SET_COMPLETE;
}

/* COM SKP...: complete at once; it ends with the first symbol that is no SKP. */
static enum ordered_set_progress receive_skp(struct ordered_set_receiver *receiver,
					     const struct lane_symbol *symbol,
					     struct ordered_set *set)
{
	if (!lane_symbol_is(symbol, LINK_SKP)) {
		receiver->count = 0;
		return ORDERED_SET_OUTSIDE;
	}
	if (receiver->count > 1 + MOST_SKIPS)
		return give_up(receiver);
	if (receiver->count > 2)
		return ORDERED_SET_INSIDE;
	set->kind = ORDERED_SET_SKP;
	return ORDERED_SET_COMPLETE;
}

/* COM and two of three IDLs; electrical idle may take the last symbol. */
static enum ordered_set_progress receive_eios(struct ordered_set_receiver *receiver,
					      const struct lane_symbol *symbol,
					      struct ordered_set *set)
{
	bool idl = lane_symbol_is(symbol, LINK_IDL), last = receiver->count == 4;

	receiver->idles += idl;
	if (last)
		receiver->count = 0;
	if (idl && receiver->idles == 2) {
		set->kind = ORDERED_SET_EIOS;
		return ORDERED_SET_COMPLETE;
	}
	return last && receiver->idles < 2 ? ORDERED_SET_BROKEN : ORDERED_SET_INSIDE;
}

static enum ordered_set_progress receive_training(struct ordered_set_receiver *receiver,
						  const struct lane_symbol *symbol,
						  struct ordered_set *set)
{
	if (lane_symbol_bad(symbol) || !may_be_training(receiver->symbols, receiver->count))
		return give_up(receiver);
	if (receiver->count < TRAINING_SET_SYMBOLS)
		return ORDERED_SET_INSIDE;
	read_training(receiver->symbols, set);
	return done(receiver, set, set->kind);
}

enum ordered_set_progress ordered_set_receive(struct ordered_set_receiver *receiver,
					      const struct lane_symbol *symbol,
					      struct ordered_set *set)
{
	const struct plain_symbol *second = &receiver->symbols[1];

	memset(set, 0, sizeof(*set));
	if (lane_symbol_is(symbol, LINK_COM)) {
		put(&receiver->symbols[0], LINK_COM, true);
		receiver->count = 1;
		receiver->idles = 0;
		return ORDERED_SET_INSIDE;
	}
	if (!receiver->count)
		return ORDERED_SET_OUTSIDE;
	if (receiver->count < TRAINING_SET_SYMBOLS)
		put(&receiver->symbols[receiver->count], symbol->value, symbol->k);
	receiver->count++;
	if (receiver->count == 2 && lane_symbol_bad(symbol))
		put(&receiver->symbols[1], LINK_IDL, true); /* nothing else may miss its second */
	if (second->k && second->value == LINK_SKP)
		return receive_skp(receiver, symbol, set);
	if (second->k && second->value == LINK_IDL)
		return receive_eios(receiver, symbol, set);
	if (second->k && second->value == LINK_FTS) {
		if (!lane_symbol_is(symbol, LINK_FTS))
			return give_up(receiver);
		return receiver->count == 4 ? done(receiver, set, ORDERED_SET_FTS)
					    : ORDERED_SET_INSIDE;
	}
	return receive_training(receiver, symbol, set);
}
