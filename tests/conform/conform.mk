# SPDX-License-Identifier: Apache-2.0
#
#   conform            the conformance tests on DEVICE, build/conform/sim.{tsv,xml}, and
#                      docs/conformance.md, which has one row for each requirement
#   conform-small      the same tests on the small device: 8 slots, no shadow of monitored values
#   miniport-test      the portable tests on the sample miniport, and on faulty ones
#   conform-test       what is part of make test, of which
#   conform-table-test is the last: whether docs/conformance.md is what the results give

DEVICE ?= sim:

CONFORM_SOME := $(filter-out *,$(TEST))
CONFORM_FILTER := $(if $(word 2,$(TEST)),@($(subst $(select_space),|,$(strip $(TEST)))),$(TEST))

.PHONY: conform conform-small conform-test conform-table-test
conform: build/ringfence $(if $(CONFORM_SOME)$(SHARD),,kmd-test umd-test guest-quick-test) ## [test] run the conformance tests (DEVICE=sim:); without TEST= also write docs/conformance.md
	$(call shard_run,$@,build/ringfence conform --device $(DEVICE) --jobs $(JOBS) \
		--filter '$(CONFORM_FILTER)' $(if $(SHARD),--shard $(SHARD) \
		--name sim.$(shard_file) --output $(SHARDS)/conform,\
		--output build/$(if $(CONFORM_SOME),conform-some,conform)))
	@$(if $(CONFORM_SOME)$(SHARD),:,python3 tests/conform/report.py)

# These look behind the library, and at the miniport.
$(addprefix %/tests/conform/,watch.o stack.o counted.o stack_tests.o doorbell_tests.o \
	kernel_tests.o monitored_tests.o memory_tests.o swap_tests.o packet_tests.o driver_tests.o \
	power_tests.o hang_tests.o storage_tests.o): \
	HOST_CFLAGS += -Iumd -Ikmd/include/uapi -Ikmd/ddi
# These look into the graphics kernel.
$(addprefix %/tests/conform/,swap_tests.o driver_tests.o power_tests.o \
	storage_tests.o): \
	HOST_CFLAGS += -Ikmd/core -Ikmd/hosted -Ikmd/include/uapi/drm

CONFORM_SMALL := build/ringfence-small conform --jobs $(JOBS) --name sim-small

conform-small: build/ringfence-small ## [test] the conformance tests on the small device
	@tests/run --selected --jobs 1 --timeout 900 --results build/results/$@.tsv \
		"conform-small=$(CONFORM_SMALL) --filter '$(CONFORM_FILTER)'"

LONG_TEST_PARTS += conform-test
TEST_PROGRAMS += build/ringfence build/ringfence-small

# Where monitored values lie, and how many slots there are, is a matter of the queues' and fences'
# tests alone.
conform-test: build/ringfence build/ringfence-small ## [test] the conformance tests on both devices, as in make test
	@tests/run --jobs 1 --timeout 900 --results build/results/$@.tsv \
		"conform=build/ringfence conform --jobs $(JOBS)" \
		"conform-small=$(CONFORM_SMALL) --filter 'S0-*'" \
		"conform-small-doorbells=$(CONFORM_SMALL) --filter 'S3-[19]*'"

TEST_PARTS += miniport-test

.PHONY: miniport-test
miniport-test: build/ringfence $(MINIPORT_SAMPLE) build/examples/first_fence ## [test] the portable conformance tests on the sample miniport and on faulty ones
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		"miniport=python3 tests/host/miniport_test.py build/ringfence"

conform-table-test:
	@tests/run --results build/results/$@.tsv "conform-table=python3 tests/conform/report.py --check"
