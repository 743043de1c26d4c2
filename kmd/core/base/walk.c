// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "base/walk.h"

#include "rf_list.h"

void kmd_walk_init(struct kmd_walk *walk)
{
	rf_list_init(&walk->link);
	rf_list_init(&walk->all_fences);
	rf_list_init(&walk->watched_fences);
	rf_list_init(&walk->all_queues);
	rf_list_init(&walk->all_contexts);
	rf_list_init(&walk->all_events);
}

void kmd_walked_insert(struct kmd_walked *walked, u64 round, struct rf_list *list)
{
	walked->round = round;
	rf_list_insert(&walked->link, list);
}

struct kmd_walked *kmd_walk_next(struct rf_list *list, u64 round)
{
	struct kmd_walked *walked;

	if (rf_list_empty(list))
		return NULL;
	walked = rf_list_first(list, struct kmd_walked, link);
	if (walked->round == round)
		return NULL;
	walked->round = round;
	rf_list_remove(&walked->link);
	rf_list_insert(&walked->link, list);
	return walked;
}
