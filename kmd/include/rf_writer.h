/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A text writer for dumps, without a libc: the same calls give text that is read by people
 * (one line for a value, indented, what is 0 left out) or JSON (everything). What does not
 * fit is counted and not written.
 */
#ifndef RF_WRITER_H
#define RF_WRITER_H

#include "rf_types.h"

/**
 * struct rf_writer - where a dump goes
 * @buffer: may be NULL if @size is 0
 * @size: of it
 * @used: bytes that there are to write, of which those below @size are written
 * @json: JSON; else text
 * @depth: of what is open
 * @first: nothing was written yet in what is open
 */
struct rf_writer {
	char *buffer;
	size_t size;
	size_t used;
	bool json;
	u32 depth;
	bool first;
};

static inline void rf_write_text(struct rf_writer *writer, const char *text)
{
	for (; *text; text++, writer->used++)
		if (writer->used < writer->size)
			writer->buffer[writer->used] = *text;
}

static inline void rf_write_value(struct rf_writer *writer, u64 value)
{
	static const char digits[] = "0123456789abcdef";
	u64 base = writer->json || value < 10 ? 10 : 16;
	char text[24];
	u32 at = sizeof(text) - 1;

	text[at] = 0;
	do {
		text[--at] = digits[value % base];
		value /= base;
	} while (value);
	if (base == 16) {
		text[--at] = 'x';
		text[--at] = '0';
	}
	rf_write_text(writer, text + at);
}

/* The next member, or the next element if it has no name. Names need no escapes. */
static inline void rf_write_name(struct rf_writer *writer, const char *name)
{
	u32 i;

	if (writer->json) {
		if (!writer->first)
			rf_write_text(writer, ",");
		if (name) {
			rf_write_text(writer, "\"");
			rf_write_text(writer, name);
			rf_write_text(writer, "\":");
		}
	} else {
		if (writer->used)
			rf_write_text(writer, "\n");
		for (i = 0; i < writer->depth; i++)
			rf_write_text(writer, "  ");
		if (name)
			rf_write_text(writer, name);
	}
	writer->first = false;
}

static inline void rf_write_number(struct rf_writer *writer, const char *name, u64 value)
{
	if (!value && !writer->json)
		return;
	rf_write_name(writer, name);
	if (!writer->json)
		rf_write_text(writer, " ");
	rf_write_value(writer, value);
}

static inline void rf_write_string(struct rf_writer *writer, const char *name, const char *value)
{
	rf_write_name(writer, name);
	rf_write_text(writer, writer->json ? "\"" : " ");
	rf_write_text(writer, value);
	if (writer->json)
		rf_write_text(writer, "\"");
}

static inline void rf_write_open(struct rf_writer *writer, const char *name, const char *bracket)
{
	rf_write_name(writer, name);
	if (writer->json)
		rf_write_text(writer, bracket);
	writer->depth++;
	writer->first = true;
}

static inline void rf_write_close(struct rf_writer *writer, const char *bracket)
{
	writer->depth--;
	writer->first = false;
	if (writer->json)
		rf_write_text(writer, bracket);
}

static inline void rf_write_object(struct rf_writer *writer, const char *name)
{
	rf_write_open(writer, name, "{");
}

static inline void rf_write_object_end(struct rf_writer *writer)
{
	rf_write_close(writer, "}");
}

static inline void rf_write_list(struct rf_writer *writer, const char *name)
{
	rf_write_open(writer, name, "[");
}

static inline void rf_write_list_end(struct rf_writer *writer)
{
	rf_write_close(writer, "]");
}

/* An element of a list that is an object; text calls it by its number. */
static inline void rf_write_element(struct rf_writer *writer, u64 number)
{
	rf_write_open(writer, NULL, "{");
	if (!writer->json)
		rf_write_value(writer, number);
}

#endif /* RF_WRITER_H */
