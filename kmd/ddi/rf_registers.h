/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Every register of the device by name: what the generated rf_registers.c consists of. */
#ifndef RF_REGISTERS_H
#define RF_REGISTERS_H

#include "rf_types.h"
#include "ringfence_hw.h"

/* @names: of values, or NULL */
struct rf_field_description {
	const char *name;
	u8 shift;
	u8 width;
	const char *const *names;
	u32 name_count;
};

/**
 * struct rf_register_description - a register that can be read
 * @name: of ringfence.toml
 * @offset: from the start of its block, or of each index
 * @count: registers, @stride bytes apart
 * @stride: see there
 * @indexed: there is one for each index of the block
 * @fields: or NULL
 * @field_count: of @fields
 * @names: of the @count registers, or NULL
 */
struct rf_register_description {
	const char *name;
	u32 offset;
	u32 count;
	u32 stride;
	bool indexed;
	const struct rf_field_description *fields;
	u32 field_count;
	const char *const *names;
};

struct rf_block_description {
	const char *name;
	enum rf_block_type type;
	const struct rf_register_description *registers;
	u32 register_count;
};

extern const struct rf_block_description rf_register_blocks[];
extern const u32 rf_register_block_count;

#endif /* RF_REGISTERS_H */
