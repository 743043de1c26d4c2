// SPDX-License-Identifier: Apache-2.0
/*
 * A model in place of the RTL, at the TLP seam: the start for a model of your device. It has a
 * configuration space, and BARs that are memory, which is enough for device.bar_sizing:
 *
 *	make conform MODEL=build/examples/tlp_model.a TEST=device.bar_sizing
 */
#include <stdlib.h>

#include "ringfence_hw.h"
#include "tlp_model.h"

#define BARS 6u
#define LOCAL_LOG2 20u /* of the size of local memory */

struct model {
	struct tlp_model tlp;
	uint32_t *memory[BARS];
};

/* A read or write of memory, or a message that is not for this device. */
static void receive(struct tlp_model *tlp)
{
	struct model *model = (struct model *)tlp;
	const uint32_t *header = tlp->request.header;
	uint64_t offset;
	int bar = tlp_model_find_bar(tlp, &offset);
	uint32_t *words = bar < 0 ? NULL : model->memory[bar] + offset / 4, i;

	if (tlp_is_memory_read(header) && words) {
		memcpy(tlp->completion.payload, words, 4 * tlp_length(header));
		tlp_model_complete(tlp, TLP_STATUS_SUCCESS, tlp_length(header));
	} else if (tlp_is_memory_read(header)) {
		tlp_model_complete(tlp, TLP_STATUS_UNSUPPORTED, 0);
	} else if (tlp_is_memory_write(header) && words) {
		for (i = 0; i < tlp_length(header); i++)
			tlp_model_store(tlp, i, ~0u, &words[i]);
		/* an invalidation of translations is complete at once */
		model->memory[0][RF_REG_TRANSLATION_INVALIDATE / 4] = 0;
	}
}

static void destroy(struct tlp_model *tlp)
{
	struct model *model = (struct model *)tlp;
	unsigned int i;

	for (i = 0; i < BARS; i++)
		free(model->memory[i]);
	free(model);
}

bool verilated_has_waves(void)
{
	return false;
}

struct device_model *verilated_create(bool assertions)
{
	static const struct {
		uint32_t word, value, writable;
	} space[] = {
		{ 0, RF_DEVICE_ID << 16 | RF_VENDOR_ID, 0 },
		{ TLP_CONFIG_COMMAND, 1u << 20, 0x406 },
		{ 2, RF_CLASS_CODE << 8, 0 },
		{ TLP_CONFIG_BAR(0), TLP_BAR_IS_WIDE, -RF_BAR0_BYTES },
		{ TLP_CONFIG_BAR(1), 0, ~0u },
		{ TLP_CONFIG_BAR(2), TLP_BAR_IS_WIDE | 8, -(1u << LOCAL_LOG2) },
		{ TLP_CONFIG_BAR(3), 0, ~0u },
		{ TLP_CONFIG_BAR(4), 0, -RF_BAR4_BYTES },
		{ 13, 0x40, 0 }, /* capabilities: PCI Express, MSI-X */
		{ 16, 0x00028010, 0 },
		{ 17, 1, 0 },
		{ 18, 0x2000, 0x70e0 },
		{ 20, 0, 8 },
		{ 32, 0x00030011, 0xc0000000 },
		{ 33, 4, 0 },
		{ 34, 0x804, 0 },
	};
	struct model *model = calloc(1, sizeof(*model));
	unsigned int i;

	(void)assertions;
	if (!model)
		return NULL;
	model->tlp.base.ops = tlp_model_ops();
	model->tlp.receive = receive;
	model->tlp.destroy = destroy;
	for (i = 0; i < sizeof(space) / sizeof(space[0]); i++) {
		model->tlp.config[space[i].word] = space[i].value;
		model->tlp.writable[space[i].word] = space[i].writable;
	}
	for (i = 0; i < BARS; i++)
		model->memory[i] = calloc(1, tlp_model_bar_bytes(&model->tlp, i));
	model->memory[0][RF_REG_DEVICE_PARAMETERS / 4] = LOCAL_LOG2 | 8u << 8;
	return &model->tlp.base;
}
