// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Registers of the device, its state, and what is reported of it as a whole: see rf_hw.h. */
#include "rf_hw.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_os.h"
#include "rf_types.h"

void rf_hw_flush(struct rf_hw *hw)
{
	rf_register_read(hw, RF_REGISTER(hw, DEVICE, LIVENESS));
	rf_rmb();
}

int rf_hw_check_alive(struct rf_hw *hw)
{
	u64 offset = RF_REGISTER(hw, DEVICE, LIVENESS);
	u64 first = rf_register_read(hw, offset);
	u64 second = rf_register_read(hw, offset);

	if (first == U64_MAX || second == U64_MAX || first == second) {
		rf_log_error(hw->bus->os, "the device does not answer (liveness 0x%llx, 0x%llx)",
			     (unsigned long long)first, (unsigned long long)second);
		return -EIO;
	}
	return 0;
}

u32 rf_hw_new_handle(struct rf_hw *hw)
{
	rf_assert_held(&hw->lock);
	return ++hw->next_handle;
}

bool rf_hw_is_lost(const struct rf_hw *hw)
{
	return __atomic_load_n(&hw->lost, __ATOMIC_ACQUIRE);
}

void rf_hw_set_lost(struct rf_hw *hw, const char *reason)
{
	if (!__atomic_exchange_n(&hw->lost, true, __ATOMIC_ACQ_REL))
		rf_log_error(hw->bus->os, "the device is lost: %s", reason);
}

void rf_hw_clear_lost(struct rf_hw *hw)
{
	__atomic_store_n(&hw->lost, false, __ATOMIC_RELEASE);
}

void rf_hw_set_busy(struct rf_hw *hw)
{
	__atomic_store_n(&hw->busy, true, __ATOMIC_RELEASE);
}

void rf_hw_clear_busy(struct rf_hw *hw)
{
	__atomic_store_n(&hw->busy, false, __ATOMIC_RELEASE);
}

bool rf_hw_is_busy(const struct rf_hw *hw)
{
	return __atomic_load_n(&hw->busy, __ATOMIC_ACQUIRE);
}

bool rf_hw_take_busy(struct rf_hw *hw)
{
	return __atomic_exchange_n(&hw->busy, false, __ATOMIC_ACQ_REL);
}

bool rf_hw_is_resetting(struct rf_hw *hw)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	bool resetting = hw->resetting;

	rf_spin_unlock(&hw->lock, flags);
	return resetting;
}

void rf_report_busy(struct rf_hw *hw)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DEVICE_BUSY,
	};

	rf_hw_set_busy(hw);
	rf_notify(hw, &data);
	rf_queue_dpc(hw);
}

void rf_report_lost(struct rf_hw *hw)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DEVICE_LOST,
	};

	if (hw->lost_reported)
		return;
	hw->lost_reported = true;
	rf_notify(hw, &data);
	rf_queue_dpc(hw);
}
