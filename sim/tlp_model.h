/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For models in C at the TLP seam (device_model.h): collects the beats that the root complex sends
 * into TLPs, has the configuration space and finds BARs, and sends a completion for each request, in
 * beats. Models that are clocked themselves, such as Verilated RTL, do not need it. Not here: writes,
 * reads and interrupts by the device, waves.
 *
 * One request at a time: no beat is taken while a completion is sent.
 */
#ifndef RFSIM_TLP_MODEL_H
#define RFSIM_TLP_MODEL_H

#include <errno.h>
#include <string.h>

#include "device_model.h"
#include "tlp.h"

/* @header, @payload: of a TLP */
struct tlp_packet {
	uint32_t header[TLP_HEADER_WORDS];
	uint32_t payload[TLP_MAX_PAYLOAD_WORDS];
};

#define TLP_CONFIG_WORDS 64u
/* Words of configuration space; bit 1 of the command lets BARs be accessed */
#define TLP_CONFIG_COMMAND 1u
#define TLP_CONFIG_BAR(i) (4u + (i))
#define TLP_BAR_IS_WIDE 4u /* of 64 bits, of which the next BAR has the upper ones */

/**
 * struct tlp_model - a model; the first member of the author's struct
 * @base: for the simulator; ops are tlp_model_ops(), or the author's
 * @receive: a TLP has arrived, but for configuration requests; may call tlp_model_complete() once
 * @destroy: end it
 * @config: configuration space
 * @writable: which bits of that can be written; of a BAR, those of its address
 * @number: bus, device and function, which the device takes from configuration requests
 * @request: the TLP that has arrived last
 * @completion: tlp_model_complete() sends its payload
 * @in: inputs of this cycle
 * @received: words of @request's payload so far
 * @length: words of @completion's payload
 * @sent: of these
 * @sending: a completion is sent
 */
struct tlp_model {
	struct device_model base;
	void (*receive)(struct tlp_model *model);
	void (*destroy)(struct tlp_model *model);
	uint32_t config[TLP_CONFIG_WORDS], writable[TLP_CONFIG_WORDS];
	uint16_t number;
	struct tlp_packet request, completion;
	struct device_inputs in;
	unsigned int received, length, sent;
	bool sending;
};

/* Complete the request, with @words of data in model->completion.payload; 0: without. */
static inline void tlp_model_complete(struct tlp_model *model, enum tlp_status status,
				      unsigned int words)
{
	const uint32_t *header = model->request.header;
	bool of_memory = tlp_is_memory_read(header);

	tlp_completion(model->completion.header, model->number, status,
		       of_memory ? tlp_request_bytes(header) : 4, tlp_requester(header),
		       tlp_tag(header), of_memory ? tlp_first_byte(header) : 0, words);
	model->completion.header[0] |=
		header[0] & (TLP_DW0_NO_SNOOP | TLP_DW0_RELAXED | TLP_DW0_ID_ORDER);
	model->length = words;
	model->sent = 0;
	model->sending = true;
}

/* Store word @i of the request's payload: the bytes that it enables, the bits of @writable. */
static inline void tlp_model_store(const struct tlp_model *model, unsigned int i, uint32_t writable,
				   uint32_t *word)
{
	const uint32_t *header = model->request.header;
	unsigned int enables = !i			     ? tlp_first_enables(header)
			       : i == tlp_length(header) - 1 ? tlp_last_enables(header)
							     : 0xf;

	for (unsigned int byte = 0; byte < 4; byte++)
		if (!(enables >> byte & 1))
			writable &= ~(0xffu << 8 * byte);
	*word = (*word & ~writable) | (model->request.payload[i] & writable);
}

/* The size of the BAR; 0: there is none, or it is the upper half of another. */
static inline uint64_t tlp_model_bar_bytes(const struct tlp_model *model, unsigned int bar)
{
	const uint32_t *config = &model->config[TLP_CONFIG_BAR(0)];
	const uint32_t *writable = &model->writable[TLP_CONFIG_BAR(0)];
	bool is_upper = false;
	unsigned int i;

	for (i = 0; i < bar; i++)
		is_upper = !is_upper && config[i] & TLP_BAR_IS_WIDE;
	if (is_upper)
		return 0;
	if (config[bar] & TLP_BAR_IS_WIDE)
		return -((uint64_t)writable[bar + 1] << 32 | writable[bar]);
	return (uint32_t)-writable[bar];
}

/* The BAR that all of the request is in, and where in it, in bytes; -1: none. */
static inline int tlp_model_find_bar(const struct tlp_model *model, uint64_t *offset)
{
	const uint32_t *header = model->request.header;
	const uint64_t bytes = 4 * tlp_length(header);
	uint64_t base, size;
	unsigned int i;

	for (i = 0; i < 6 && model->config[TLP_CONFIG_COMMAND] & 2; i++) {
		size = tlp_model_bar_bytes(model, i);
		base = model->config[TLP_CONFIG_BAR(i)] & ~0xfu;
		if (size && model->config[TLP_CONFIG_BAR(i)] & TLP_BAR_IS_WIDE)
			base |= (uint64_t)model->config[TLP_CONFIG_BAR(i + 1)] << 32;
		*offset = tlp_address(header) - base;
		if (bytes <= size && *offset <= size - bytes)
			return (int)i;
	}
	return -1;
}

/* A configuration request; words that are not there are 0. */
static inline void tlp_model_configure(struct tlp_model *model)
{
	const uint32_t *header = model->request.header;
	uint32_t i = (header[2] & 0xffc) / 4;
	bool is_there = i < TLP_CONFIG_WORDS;

	model->number = header[2] >> 16;
	model->completion.payload[0] = is_there ? model->config[i] : 0;
	if (tlp_has_data(header) && is_there)
		tlp_model_store(model, 0, model->writable[i], &model->config[i]);
	tlp_model_complete(model, TLP_STATUS_SUCCESS, !tlp_has_data(header));
}

static inline void tlp_model_settle(struct device_model *base, const struct device_inputs *inputs,
				    struct device_outputs *outputs)
{
	struct tlp_model *model = (struct tlp_model *)base;
	struct device_beat *beat = &outputs->posted;
	unsigned int left = model->length - model->sent;

	model->in = *inputs;
	memset(outputs, 0, sizeof(*outputs));
	outputs->receive_ready = outputs->idle = !model->sending;
	if (!model->sending)
		return;
	memcpy(beat->header, model->completion.header, sizeof(beat->header));
	memcpy(&beat->data, model->completion.payload + model->sent, 4 * (left < 2 ? left : 2));
	beat->strb = left > 1 ? 3 : left;
	beat->valid = true;
	beat->sop = !model->sent;
	beat->eop = left <= 2;
}

static inline void tlp_model_clock(struct device_model *base)
{
	struct tlp_model *model = (struct tlp_model *)base;

	if (model->sending) {
		model->sent += model->in.posted_ready ? 2 : 0;
		model->sending = !model->in.posted_ready || model->sent < model->length;
		return;
	}
	if (!model->in.valid)
		return;
	if (model->in.sop) {
		memcpy(model->request.header, model->in.header, sizeof(model->in.header));
		model->received = 0;
	}
	memcpy(model->request.payload + model->received % TLP_MAX_PAYLOAD_WORDS, &model->in.data,
	       8);
	model->received += 2;
	if (model->in.eop && (tlp_type(model->request.header) & 0xbf) == TLP_CFGRD0)
		tlp_model_configure(model);
	else if (model->in.eop)
		model->receive(model);
}

static inline void tlp_model_destroy(struct device_model *base)
{
	struct tlp_model *model = (struct tlp_model *)base;

	model->destroy(model);
}

static inline int tlp_model_no_waves(struct device_model *base, const char *path)
{
	(void)base, (void)path;
	return -EOPNOTSUPP;
}

static inline int tlp_model_end_waves(struct device_model *base)
{
	(void)base;
	return 0;
}

static inline const struct device_ops *tlp_model_ops(void)
{
	static const struct device_ops ops = { tlp_model_destroy,
					       tlp_model_settle,
					       tlp_model_clock,
					       tlp_model_no_waves,
					       tlp_model_end_waves,
					       NULL,
					       NULL,
					       NULL };

	return &ops;
}

#endif
