// SPDX-License-Identifier: Apache-2.0
/*
 * fst2vcd WAVE: a wave of the simulation, as VCD on standard output. The reader is that
 * which comes with Verilator.
 */
#include <stdio.h>

#include "fstapi.h"

int main(int argc, char **argv)
{
	void *wave = argc == 2 ? fstReaderOpen(argv[1]) : NULL;

	if (!wave) {
		fprintf(stderr, "Usage: fst2vcd WAVE\n");
		return 2;
	}
	if (!fstReaderProcessHier(wave, stdout))
		return 1;
	fstReaderSetFacProcessMaskAll(wave);
	if (!fstReaderIterBlocks(wave, NULL, NULL, stdout))
		return 1;
	fstReaderClose(wave);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "fst2vcd: cannot write all of it\n");
		return 1;
	}
	return 0;
}
