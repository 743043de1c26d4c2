# SPDX-License-Identifier: Apache-2.0
#
# make fuzz [SEED=1] [SECONDS=60] [ROUNDS=]: random TLPs and random queues against
# two that must not notice. A failure names the seed that repeats it.
# make fuzz-vfio-user, with the same: rf-vfio-user and clients that send anything.

FUZZ_OBJECTS := $(patsubst %.c,$(HOST_BUILD)/%.o,$(wildcard tests/fuzz/*.c))
SEED ?= 1
# not the shell's own SECONDS
SECONDS ?= 60
ROUNDS ?=

$(FUZZ_OBJECTS): tests/fuzz/fuzz.h tests/fuzz/strings.h tests/conform/dev.h

build/fuzz/fuzz: $(FUZZ_OBJECTS) $(HOST_COMMON) $(HOST_BUILD)/tests/conform/dev.o \
		build/kmd/libkmd.a build/sim/librfsim.a
	@mkdir -p $(@D)
	$(CC) $^ $(SIM_LIBS) -o $@

.PHONY: fuzz
fuzz: build/fuzz/fuzz ## [prove and harden] random TLPs and queues (SEED=, SECONDS=, ROUNDS=)
	$(call shard_run,$@,build/fuzz/fuzz --seed $(SHARD_SEED) \
		$(if $(ROUNDS),--rounds $(ROUNDS),--seconds $(SECONDS)))

FUZZ_SERVER := $(SIM_BUILD)/test/rf-vfio-user_asan

.PHONY: fuzz-vfio-user
fuzz-vfio-user: $(FUZZ_SERVER) ## [prove and harden] random clients of rf-vfio-user (SEED=, SECONDS=, ROUNDS=)
	@tests/fuzz/vfio_user.py --seed $(SEED) \
		$(if $(ROUNDS),--rounds $(ROUNDS),--seconds $(SECONDS)) $(FUZZ_SERVER)

TEST_PARTS += fuzz-test
TEST_PROGRAMS += build/fuzz/fuzz $(FUZZ_SERVER)

.PHONY: fuzz-test
fuzz-test: build/fuzz/fuzz $(FUZZ_SERVER) ## [test] a short fuzz, as in make test
	@tests/run --jobs 1 --timeout 300 --results build/results/$@.tsv \
		"fuzz=build/fuzz/fuzz --seed 1 --rounds 12" \
		"vfio_user=tests/fuzz/vfio_user.py --seed 1 --rounds 60 $(FUZZ_SERVER)" \
		"vfio_user_devices=tests/fuzz/vfio_user.py --seed 1 --rounds 30 --witness $(FUZZ_SERVER)"
