// SPDX-License-Identifier: Apache-2.0
/*
 * A model in place of the RTL, at the TLP seam (sim/device_model.h): the start for a model of your
 * device, Verilated or in C. It has a configuration space, and BARs that are memory, which is enough
 * for device.bar_sizing:
 *
 *	make conform MODEL=build/examples/tlp_model.a TEST=device.bar_sizing
 */
#include <stdlib.h>
#include <string.h>

#include "device_model.h"
#include "ringfence_hw.h"
#include "tlp.h"

#define LOCAL_LOG2 20u
#define COMMAND 1u /* words of configuration space; memory space is bit 1 */
#define BAR(i) (4 + (i))

static const uint64_t bar_bytes[6] = {
	[0] = RF_BAR0_BYTES, [2] = 1u << LOCAL_LOG2, [4] = RF_BAR4_BYTES
};

struct model {
	struct device_model base;
	struct device_inputs in; /* of this cycle */
	uint32_t config[64], writable[64];
	uint32_t *memory[6];
	uint32_t header[4], payload[TLP_MAX_PAYLOAD_WORDS], words; /* received so far */
	uint32_t reply[4], data[TLP_MAX_PAYLOAD_WORDS], length, sent; /* a completion */
	bool replying;
};

static void complete(struct model *model, enum tlp_status status, uint32_t bytes, uint32_t lower)
{
	uint32_t *header = model->header;

	tlp_completion(model->reply, model->config[63], status, bytes, tlp_requester(header),
		       tlp_tag(header), lower, model->length);
	model->reply[0] |= header[0] & (TLP_DW0_NO_SNOOP | TLP_DW0_RELAXED | TLP_DW0_ID_ORDER);
	model->replying = true;
	model->sent = 0;
}

static uint32_t merge(uint32_t old, uint32_t new, uint32_t enables)
{
	uint32_t mask = (enables & 1 ? 0xff : 0) | (enables & 2 ? 0xff00 : 0) |
			(enables & 4 ? 0xff0000 : 0) | (enables & 8 ? 0xff000000 : 0);

	return (old & ~mask) | (new &mask);
}

static void configure(struct model *model)
{
	uint32_t index = model->header[2] / 4 % 1024, writable, *word = &model->config[index % 64];

	model->config[63] = model->header[2] >> 16; /* the device's own number, kept there */
	model->length = !tlp_has_data(model->header);
	model->data[0] = index < 63 ? *word : 0;
	if (tlp_has_data(model->header) && index < 63) {
		writable = model->writable[index];
		*word = (*word & ~writable) |
			(merge(*word, model->payload[0], tlp_first_enables(model->header)) &
			 writable);
	}
	complete(model, TLP_STATUS_SUCCESS, 4, 0);
}

/* The word of BAR @bar that @address is in; NULL: none of these. */
static uint32_t *find(struct model *model, uint64_t address)
{
	uint64_t base;

	for (unsigned int i = 0; i < 6 && model->config[COMMAND] & 2; i += 2) {
		base = model->config[BAR(i)] & ~0xfu;
		if (model->config[BAR(i)] & 4)
			base |= (uint64_t)model->config[BAR(i + 1)] << 32;
		if (address - base < bar_bytes[i])
			return model->memory[i] + (address - base) / 4;
	}
	return NULL;
}

static void access_memory(struct model *model)
{
	uint32_t length = tlp_length(model->header), i, enables;
	uint32_t *word = find(model, tlp_address(model->header));

	if (tlp_has_data(model->header)) {
		for (i = 0; i < length && word; i++) {
			enables = i ? 0xf : tlp_first_enables(model->header);
			if (i && i == length - 1)
				enables = tlp_last_enables(model->header);
			word[i] = merge(word[i], model->payload[i], enables);
		}
		/* invalidations are over at once */
		model->memory[0][RF_REG_TRANSLATION_INVALIDATE / 4] = 0;
		return;
	}
	model->length = word ? length : 0;
	memcpy(model->data, word ? word : model->data, 4 * model->length);
	complete(model, word ? TLP_STATUS_SUCCESS : TLP_STATUS_UNSUPPORTED,
		 tlp_request_bytes(model->header), tlp_first_byte(model->header));
}

static void settle(struct device_model *base, const struct device_inputs *inputs,
		   struct device_outputs *outputs)
{
	struct model *model = (struct model *)base;
	struct device_beat *beat = &outputs->posted;
	uint32_t left = model->length - model->sent;

	model->in = *inputs;
	memset(outputs, 0, sizeof(*outputs));
	outputs->receive_ready = outputs->idle = !model->replying;
	if (!model->replying)
		return;
	memcpy(beat->header, model->reply, sizeof(beat->header));
	memcpy(&beat->data, model->data + model->sent, 4 * (left < 2 ? left : 2));
	beat->strb = left > 1 ? 3 : left;
	beat->valid = true;
	beat->sop = !model->sent;
	beat->eop = left <= 2;
}

static void clock_edge(struct device_model *base)
{
	struct model *model = (struct model *)base;

	if (model->replying) {
		model->sent += model->in.posted_ready ? 2 : 0;
		model->replying = !model->in.posted_ready || model->sent < model->length;
		return;
	}
	if (!model->in.valid)
		return;
	if (model->in.sop) {
		memcpy(model->header, model->in.header, sizeof(model->header));
		model->words = 0;
	}
	memcpy(model->payload + model->words % TLP_MAX_PAYLOAD_WORDS, &model->in.data, 8);
	model->words += 2;
	if (model->in.eop && (tlp_type(model->header) & 0xbf) == TLP_CFGRD0)
		configure(model);
	else if (model->in.eop && !tlp_is_completion(model->header))
		access_memory(model);
}

static void destroy(struct device_model *base)
{
	for (unsigned int i = 0; i < 6; i++)
		free(((struct model *)base)->memory[i]);
	free(base);
}

static int no_waves(struct device_model *base, const char *path)
{
	(void)base, (void)path;
	return -1;
}

static int end_waves(struct device_model *base)
{
	(void)base;
	return 0;
}

bool verilated_has_waves(void)
{
	return false;
}

struct device_model *verilated_create(bool assertions)
{
	static const struct device_ops ops = { destroy, settle, clock_edge, no_waves, end_waves };
	static const uint32_t space[][3] = {
		/* word, value, bits that can be written */
		{ 0, RF_DEVICE_ID << 16 | RF_VENDOR_ID, 0 },
		{ COMMAND, 1u << 20, 0x406 },
		{ 2, RF_CLASS_CODE << 8, 0 },
		{ 13, 0x40, 0 }, /* capabilities */
		{ BAR(0), 4, -RF_BAR0_BYTES },
		{ BAR(1), 0, ~0u },
		{ BAR(2), 0xc, -(1u << LOCAL_LOG2) },
		{ BAR(3), 0, ~0u },
		{ BAR(4), 0, -RF_BAR4_BYTES },
		{ 16, 0x00028010, 0 },
		{ 17, 1, 0 },
		{ 18, 0x2000, 0x70e0 },
		{ 20, 0, 8 }, /* PCIe */
		{ 32, 0x00030011, 0xc0000000 },
		{ 33, 4, 0 },
		{ 34, 0x804, 0 }, /* MSI-X */
	};
	struct model *model = calloc(1, sizeof(*model));

	(void)assertions;
	if (!model)
		return NULL;
	model->base.ops = &ops;
	for (unsigned int i = 0; i < sizeof(space) / sizeof(space[0]); i++) {
		model->config[space[i][0]] = space[i][1];
		model->writable[space[i][0]] = space[i][2];
	}
	for (unsigned int i = 0; i < 6; i++)
		model->memory[i] = bar_bytes[i] ? calloc(1, bar_bytes[i]) : NULL;
	model->memory[0][RF_REG_DEVICE_PARAMETERS / 4] = LOCAL_LOG2 | 8u << 8;
	return &model->base;
}
