// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Paging, in packets of the device: COPY and FILL, and WRITE for new contexts (S4-11). */
#include "rf_paging.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_packet_context.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Most bytes of one COPY or FILL */
#define RF_PAGING_BYTES_MAX 0x80000000ull

struct rf_paging_writer {
	struct rf_build_paging_buffer *arguments;
	bool full;
};

static void rf_paging_write_packet(struct rf_paging_writer *writer, enum rf_opcode opcode,
				   const u64 *operands, u32 count)
{
	struct rf_build_paging_buffer *arguments = writer->arguments;
	struct rf_value_address to = arguments->dma_buffer;
	u32 i;

	writer->full |= (count + 1) * 8 > arguments->dma_size - arguments->dma_used;
	if (writer->full)
		return;
	to.offset += arguments->dma_used;
	rf_value_write(to, RF_FIELD(RF_PACKET_HEADER_OPCODE, opcode) |
				   RF_FIELD(RF_PACKET_HEADER_WORDS, count + 1));
	for (i = 0; i < count; i++) {
		to.offset += 8;
		rf_value_write(to, operands[i]);
	}
	arguments->dma_used += (count + 1) * 8;
}

static void rf_paging_transfer(struct rf_paging_writer *writer)
{
	u64 done, bytes, total = writer->arguments->transfer.bytes;

	for (done = 0; done < total && !writer->full; done += bytes) {
		bytes = total - done < RF_PAGING_BYTES_MAX ? total - done : RF_PAGING_BYTES_MAX;
		rf_paging_write_packet(
			writer, RF_OPCODE_COPY,
			(const u64[]){ writer->arguments->transfer.destination + done,
				       writer->arguments->transfer.source + done, bytes },
			3);
	}
}

static void rf_paging_fill(struct rf_paging_writer *writer)
{
	u64 done, bytes, total = writer->arguments->fill.bytes;

	for (done = 0; done < total && !writer->full; done += bytes) {
		bytes = total - done < RF_PAGING_BYTES_MAX ? total - done : RF_PAGING_BYTES_MAX;
		rf_paging_write_packet(writer, RF_OPCODE_FILL,
				       (const u64[]){ writer->arguments->fill.destination + done,
						      bytes, writer->arguments->fill.pattern },
				       3);
	}
}

static void rf_paging_init_context(struct rf_paging_writer *writer)
{
	u64 destination = writer->arguments->init_context_resource.destination;
	u64 words[RF_CONTEXT_BYTES / 8];
	u32 i;

	rf_packet_context_image(writer->arguments->init_context_resource.h_driver_allocation,
				words);
	for (i = 0; i < RF_CONTEXT_BYTES / 8; i++)
		rf_paging_write_packet(writer, RF_OPCODE_WRITE,
				       (const u64[]){ destination + i * 8, words[i] }, 2);
}

int rf_build_paging_buffer(void *h_adapter, struct rf_build_paging_buffer *arguments)
{
	struct rf_paging_writer writer = { .arguments = arguments };

	(void)h_adapter;
	arguments->dma_used = 0;
	switch (arguments->operation) {
	case RF_PAGING_TRANSFER:
		rf_paging_transfer(&writer);
		break;
	case RF_PAGING_FILL:
		rf_paging_fill(&writer);
		break;
	case RF_PAGING_INIT_CONTEXT_RESOURCE:
		rf_paging_init_context(&writer);
		break;
	}
	return writer.full ? -ENOSPC : 0;
}
