// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Invalidations of translations: see rf_invalidation.h. */
#include "rf_invalidation.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_quarantine.h"
#include "rf_types.h"

/* Bits of TRANSLATION.INVALIDATE: by VMID, those whose invalidation is not over */
#define RF_INVALIDATE_VMIDS 0xffffu

int rf_invalidation_poll(struct rf_hw *hw, u64 number)
{
	struct rf_invalidations *invalidations = hw->invalidations;
	int error;

	rf_assert_held(&hw->lock);
	if (number == RF_INVALIDATIONS_ALL)
		number = invalidations->begun;
	if (rf_translations_are_stale(hw))
		return -EIO;
	if (number <= invalidations->done)
		return 0;
	error = rf_pending_poll(hw, &invalidations->pending);
	if (error == -EINPROGRESS)
		return error;
	if (error) {
		rf_translations_set_stale(hw);
		return -EIO;
	}
	invalidations->done = invalidations->begun;
	return 0;
}

u64 rf_invalidation_begin(struct rf_hw *hw, u64 vmids, u64 first, u64 last)
{
	struct rf_invalidations *invalidations = hw->invalidations;
	u64 offset = RF_REGISTER(hw, TRANSLATION, INVALIDATE);

	rf_assert_held(&hw->lock);
	rf_register_write(hw, RF_REGISTER(hw, TRANSLATION, INVALIDATE_FIRST), first);
	rf_register_write(hw, RF_REGISTER(hw, TRANSLATION, INVALIDATE_LAST), last);
	rf_register_write(hw, offset, vmids);
	invalidations->pending =
		(struct rf_pending){ .offset = offset, .mask = RF_INVALIDATE_VMIDS };
	return ++invalidations->begun;
}

static int rf_invalidation_poll_number(struct rf_hw *hw, void *argument)
{
	const u64 *number = argument;

	return rf_invalidation_poll(hw, *number);
}

int rf_invalidation_await(struct rf_hw *hw, u64 number, unsigned long *flags)
{
	return rf_poll_locked(hw, rf_invalidation_poll_number, &number, flags);
}

int rf_invalidate(struct rf_hw *hw, u64 vmids, u64 first, u64 last, unsigned long *flags)
{
	int error = rf_invalidation_await(hw, RF_INVALIDATIONS_ALL, flags);

	if (error)
		return error;
	return rf_invalidation_await(hw, rf_invalidation_begin(hw, vmids, first, last), flags);
}

void rf_invalidations_restart(struct rf_hw *hw)
{
	rf_assert_held(&hw->lock);
	hw->invalidations->done = hw->invalidations->begun;
}
