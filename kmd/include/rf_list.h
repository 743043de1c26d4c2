/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intrusive doubly linked circular list, for kernel and user space alike.
 *
 * An element that is on no list is linked to itself, so that removing it twice
 * is harmless and asking whether it is on a list needs no flag.
 */
#ifndef RF_LIST_H
#define RF_LIST_H

#include "rf_os.h"

struct rf_list {
	struct rf_list *next;
	struct rf_list *prev;
};

static inline void rf_list_init(struct rf_list *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool rf_list_empty(const struct rf_list *list)
{
	return list->next == list;
}

/* Insert @entry before @position; before the head means at the tail. */
static inline void rf_list_insert(struct rf_list *entry, struct rf_list *position)
{
	entry->next = position;
	entry->prev = position->prev;
	position->prev->next = entry;
	position->prev = entry;
}

static inline void rf_list_remove(struct rf_list *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	rf_list_init(entry);
}

#define rf_list_entry(pointer, type, member) container_of(pointer, type, member)

#define rf_list_first(head, type, member) rf_list_entry((head)->next, type, member)

#define rf_list_for_each(entry, head, member)                                 \
	for (entry = rf_list_entry((head)->next, __typeof__(*entry), member); \
	     rf_count_round(), &entry->member != (head);                      \
	     entry = rf_list_entry(entry->member.next, __typeof__(*entry), member))

/* As above; @entry itself may be removed in the body. */
#define rf_list_for_each_safe(entry, following, head, member)                          \
	for (entry = rf_list_entry((head)->next, __typeof__(*entry), member),          \
	    following = rf_list_entry(entry->member.next, __typeof__(*entry), member); \
	     rf_count_round(), &entry->member != (head); entry = following,            \
	    following = rf_list_entry(entry->member.next, __typeof__(*entry), member))

#endif /* RF_LIST_H */
