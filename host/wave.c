// SPDX-License-Identifier: Apache-2.0
#include "wave.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* In the order of a submission's way through the device; NULL, and the group's name. */
static const struct {
	const char *group;
	const char *signal;
} signals[] = {
	{ "PCIe, to the device", NULL },
	{ NULL, "rx_tlp_valid_i" },
	{ NULL, "rx_tlp_ready_o" },
	{ NULL, "rx_tlp_hdr_i[127:0]" },
	{ "Doorbell and fetch", NULL },
	{ NULL, "doorbell_valid" },
	{ NULL, "event_ring" },
	{ NULL, "event_ring_fetch[1:0]" },
	{ NULL, "event_packet[1:0]" },
	{ "Nodes", NULL },
	{ NULL, "node_busy[1:0]" },
	{ NULL, "node_slot[7:0]" },
	{ NULL, "event_wait[1:0]" },
	{ "Engines", NULL },
	{ NULL, "engine_valid[1:0]" },
	{ NULL, "engine_ready[1:0]" },
	{ NULL, "engine_done[1:0]" },
	{ "Fences", NULL },
	{ NULL, "fence_valid[1:0]" },
	{ NULL, "fence_ready[1:0]" },
	{ NULL, "fence_done" },
	{ NULL, "snoop_valid" },
	{ NULL, "wait_valid" },
	{ NULL, "wait_ready" },
	{ NULL, "release_valid" },
	{ NULL, "release_slot[3:0]" },
	{ "Interrupts", NULL },
	{ NULL, "record_valid[4:0]" },
	{ NULL, "interrupt_raised" },
	{ NULL, "interrupt_suppressed" },
	{ "PCIe, from the device", NULL },
	{ NULL, "tx_tlp_valid_o" },
	{ NULL, "tx_tlp_ready_i" },
	{ NULL, "tx_tlp_hdr_o[127:0]" },
	{ NULL, "tx_read_tlp_valid_o" },
	{ NULL, "tx_read_tlp_ready_i" },
	{ NULL, "tx_read_tlp_hdr_o[127:0]" },
};

/* Flags of a line: bits in binary, buses in hexadecimal, both right-justified. */
#define FLAGS_BIT "@28"
#define FLAGS_BUS "@22"
#define FLAGS_GROUP_BEGIN "@800200"
#define FLAGS_GROUP_END "@1000200"

/* The dump file is named relatively: both may be moved together. */
static int write_save_file(const char *wave, const char *path)
{
	const char *base = strrchr(wave, '/');
	const char *group = NULL;
	FILE *file = fopen(path, "w");
	size_t i;

	if (!file)
		return -errno;
	fprintf(file, "[dumpfile] \"%s\"\n[timestart] 0\n[treeopen] TOP.\n",
		base ? base + 1 : wave);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (signals[i].group) {
			if (group)
				fprintf(file, FLAGS_GROUP_END "\n-%s\n", group);
			group = signals[i].group;
			fprintf(file, FLAGS_GROUP_BEGIN "\n-%s\n", group);
			continue;
		}
		fprintf(file, "%s\nTOP.rf_device.%s\n",
			strchr(signals[i].signal, '[') ? FLAGS_BUS : FLAGS_BIT, signals[i].signal);
	}
	fprintf(file, FLAGS_GROUP_END "\n-%s\n", group);
	return fclose(file) ? -EIO : 0;
}

int rf_wave_begin(struct rfsim_device *device, const char *path)
{
	char save[PATH_MAX];
	int error;

	snprintf(save, sizeof(save), "%s.gtkw", path);
	error = rfsim_trace(device, path);
	if (error) {
		fprintf(stderr, "ringfence: cannot write %s\n", path);
		return error;
	}
	error = write_save_file(path, save);
	if (error)
		fprintf(stderr, "ringfence: cannot write %s: %s\n", save, strerror(-error));
	return error;
}
