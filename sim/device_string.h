/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device string: everything that can be said about a simulated device in one line, such as
 * "sim:seed=7,random,hold=ring@2:+500". docs/device-string.md has the grammar. This is its only
 * parser; the library, the commands and rf-vfio-user all use it.
 *
 *   rfsim_string_parse()     text -> struct rfsim_string, or a line that says what is wrong
 *   rfsim_string_create()    world and devices, with faults, holds and output files
 *   rfsim_string_close()     complete the output files, before rfsim_world_destroy()
 */
#ifndef RFSIM_DEVICE_STRING_H
#define RFSIM_DEVICE_STRING_H

#include "rfsim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RFSIM_STRING_PREFIX "sim:"
#define RFSIM_STRING_RULES 16 /* of each kind, at most */
#define RFSIM_STRING_PATH 1024 /* bytes of a file name, with its end */
#define RFSIM_STRING_TEXT 2048 /* bytes of a string without its files, with its end */
#define RFSIM_STRING_PROBLEM 512 /* bytes of a line that says what is wrong */
#define RFSIM_STRING_DEVICES 8 /* of one world, at most */
#define RFSIM_STRING_WAVE (RFSIM_STRING_PATH + 2) /* bytes of a name of rfsim_string_wave() */

/* fault=link-down@cycle:FIRST..LAST; last is UINT64_MAX: for ever */
struct rfsim_link_cut {
	uint64_t first, last;
};

/* fault=engine-hang@NODE:NUMBER: the node's engine hangs from its operation @number on. */
struct rfsim_engine_hang {
	unsigned int node;
	uint64_t number;
};

enum rfsim_string_rule_kind {
	RFSIM_STRING_FAULT, /* of reads */
	RFSIM_STRING_HOLD, /* of rings, MSIs and completions; also a lost MSI */
	RFSIM_STRING_HANG,
	RFSIM_STRING_CUT,
	RFSIM_STRING_KINDS,
};

/* What "fault" or "hold" tells of a device. */
struct rfsim_string_rule {
	enum rfsim_string_rule_kind kind;
	unsigned int device;
	union {
		struct rfsim_fault fault;
		struct rfsim_hold hold;
		struct rfsim_engine_hang hang;
		struct rfsim_link_cut cut;
	};
};

/**
 * struct rfsim_string - what a device string says
 * @config: of the world; assertions are on only if the word is there
 * @rules: in their order, @rule_count of them
 * @wave: file for the wave, or ""
 * @timeline: file for the trace events, or ""
 * @page: file for the page that shows them, or ""
 * @record: file for the record (record.h), or ""
 * @device: which device of the world is meant, counted from 0
 * @device_given: by a word
 * @devices: that the world has from its first cycle on; 1 without the word, and then the world
 *           may grow
 * @text: the string without its files
 */
struct rfsim_string {
	struct rfsim_config config;
	unsigned int device, devices;
	bool device_given;
	struct rfsim_string_rule rules[RFSIM_STRING_KINDS * RFSIM_STRING_RULES];
	unsigned int rule_count;
	char wave[RFSIM_STRING_PATH];
	char timeline[RFSIM_STRING_PATH];
	char page[RFSIM_STRING_PATH];
	char record[RFSIM_STRING_PATH];
	char text[RFSIM_STRING_TEXT];
};

/*
 * @text: the whole device string, which begins with "sim:". 0; or -EINVAL, and @problem receives
 * one line (no newline) that names the word and says what would be right.
 */
int rfsim_string_parse(const char *text, struct rfsim_string *string,
		       char problem[RFSIM_STRING_PROBLEM]);

/*
 * The world that a text names: its words in their order without "device=", which does not belong
 * to the world. @world: room for all of @text.
 */
void rfsim_string_world(const char *text, char *world);

/* The file of the wave of a device: that of the string, of the second device FILE.1 or NAME.1.fst. */
void rfsim_string_wave(const struct rfsim_string *string, unsigned int device,
		       char path[RFSIM_STRING_WAVE]);

/*
 * A world with its devices, not enumerated, as the string says. Cycles and ordinals count from
 * here. @device: the first one; rfsim_world_device() has the others. A timeline, a page and a record have all, and each has a wave of its own. Errors of
 * rfsim_world_create() and rfsim_device_create(); of a file that cannot be written, the error of
 * open(2), and -ENOENT also if there is no model that writes waves; with each of them @problem
 * receives a line. After an error there is no world.
 */
int rfsim_string_create(const struct rfsim_string *string, struct rfsim_world **world,
			struct rfsim_device **device, char problem[RFSIM_STRING_PROBLEM]);

/*
 * Complete the files that the string named; @device: the first one. 0; or the error of a write, and
 * @problem receives a line. Nothing is left to do if rfsim_string_create() was not called for the device.
 */
int rfsim_string_close(struct rfsim_device *device, char problem[RFSIM_STRING_PROBLEM]);

#ifdef __cplusplus
}
#endif
#endif
