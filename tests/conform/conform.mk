# SPDX-License-Identifier: Apache-2.0
#
#   conform            the conformance tests on DEVICE, build/conform/sim.{tsv,xml}, and
#                      docs/conformance.md, which has one row for each requirement
#                      MODEL=model.a: on a model at the TLP seam in place of the RTL;
#                      DEVICE=sim:link=gen1x1: through a PCIe link, build/conform/sim-link.*
#   conform-small      the same tests on the small device: 8 slots, no shadow of monitored values,
#                      no vector engine
#   miniport-test      the portable tests on the sample miniport, and on faulty ones
#   conform-model-test the example of a model at the TLP seam, and faulty ones
#   conform-test       what is part of make test, of which
#   conform-table-test is the last: whether docs/conformance.md is what the results give

DEVICE ?= sim:

# A model in place of the RTL: an archive with verilated_create() and verilated_has_waves()
# (sim/device_model.h).
MODEL ?=

ifdef MODEL
ifeq ($(wildcard $(MODEL))$(filter build/%,$(MODEL)),)
$(error MODEL=$(MODEL): there is no such file; it is an archive with a model, docs/bench-your-device.md)
endif
CONFORM_PROGRAM := build/ringfence-model
# What another device passes is no result of ours.
CONFORM_OUTPUT := build/conform-model

# The archive may be another one than last time.
.PHONY: build/ringfence-model
build/ringfence-model: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a \
		$(SIM_SOURCES:sim/%.c=$(SIM_BUILD)/c/%.o) $(MODEL)
	@echo "  cc $@"
	@$(CC) $^ $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@
else
CONFORM_PROGRAM := build/ringfence
CONFORM_OUTPUT := build/conform
endif

CONFORM_SOME := $(filter-out *,$(TEST))
CONFORM_LINK := $(findstring link=,$(DEVICE))
# The page is of the whole suite on the device itself.
CONFORM_NO_PAGE := $(CONFORM_SOME)$(SHARD)$(MODEL)$(CONFORM_LINK)
CONFORM_FILTER := $(if $(word 2,$(TEST)),@($(subst $(select_space),|,$(strip $(TEST)))),$(TEST))

.PHONY: conform conform-small conform-test conform-table-test
conform: $(CONFORM_PROGRAM) $(if $(CONFORM_NO_PAGE),,kmd-test umd-test guest-quick-test) $(if $(CONFORM_LINK),link-model) ## [test] run the conformance tests (DEVICE=sim:link=gen1x1, MODEL=model.a); without these and TEST= also write docs/conformance.md
	$(call shard_run,$@,$(CONFORM_PROGRAM) conform --device $(DEVICE) --jobs $(JOBS) \
		--filter '$(CONFORM_FILTER)' $(if $(SHARD),--shard $(SHARD) \
		--name sim$(if $(CONFORM_LINK),-link).$(shard_file) --output $(SHARDS)/conform,\
		--output $(CONFORM_OUTPUT)$(if $(CONFORM_SOME),-some)))
	@$(if $(CONFORM_NO_PAGE),:,python3 tests/conform/report.py)

# These look behind the library, and at the miniport.
$(addprefix %/tests/conform/,watch.o stack.o counted.o stack_tests.o doorbell_tests.o \
	kernel_tests.o monitored_tests.o memory_tests.o swap_tests.o packet_tests.o driver_tests.o \
	power_tests.o hang_tests.o storage_tests.o two.o cross_tests.o cross_life_tests.o \
	peer_tests.o linked_tests.o): \
	HOST_CFLAGS += -Iumd -Ikmd/include/uapi -Ikmd/ddi
# These look into the graphics kernel.
$(addprefix %/tests/conform/,swap_tests.o driver_tests.o power_tests.o \
	storage_tests.o cross_life_tests.o peer_tests.o linked_tests.o): \
	HOST_CFLAGS += -Ikmd/core -Ikmd/hosted -Ikmd/include/uapi/drm

CONFORM_SMALL := build/ringfence-small conform --jobs $(JOBS) --name sim-small
CONFORM_SMALL_LINKED := $(CONFORM_SMALL)-link --device sim:link=gen1x1

conform-small: build/ringfence-small $(if $(CONFORM_LINK),link-model-small) ## [test] the conformance tests on the small device (DEVICE=sim:link=gen1x1)
	@tests/run --selected --jobs 1 --timeout $(if $(CONFORM_LINK),7200,900) --results build/results/$@.tsv \
		"conform-small=$(CONFORM_SMALL)$(if $(CONFORM_LINK),-link) --device $(DEVICE) --filter '$(CONFORM_FILTER)'"

LONG_TEST_PARTS += conform-test
TEST_PROGRAMS += build/ringfence build/ringfence-small link-model link-model-small

# Where monitored values lie, how many slots and which engines there are, is a matter of the queues',
# fences' and packets' tests alone.
# Through the link, in little time, of what it could break: interrupts, stores to what a process has
# mapped, doorbells, memory that is freed, signals from device to device, and a root port that stalls;
# with errors on the lane, the packets. make link-soak runs all.
CONFORM_LINKED := --jobs $(JOBS) --filter '@(S0-1[236].*|S0-35.update_waits*|S0-6[3-8].*|S0-7[02].*|S0-74.ring_of_three_peers|S0-79.each_signal_interrupts|S0-82.*|S0-87.@(gpu_*|peers_*|late_*|*_wait_of_a_peer)|S0-8[89].*|S3-2*|S3-6[0234].*|S3-61.!(processes_end*)|device.read_without*|device.invalidate_waits*)'
CONFORM_LINKED_ERRORS := --jobs $(JOBS) --filter '@(S0-12.*|S1-*)'
# Of the small device there: monitored values in system memory, few slots, few sets of the TLB
CONFORM_LINKED_SMALL := --filter '@(S0-1[236].*|S3-1[468].*|S3-12.objects*|device.invalidate_waits*)'
conform-test: build/ringfence build/ringfence-small link-model link-model-small ## [test] the conformance tests on both devices, as in make test
	@tests/run --jobs 1 --timeout 900 --results build/results/$@.tsv \
		"conform=build/ringfence conform --jobs $(JOBS)" \
		"conform-small=$(CONFORM_SMALL) --filter 'S0-*'" \
		"conform-small-doorbells=$(CONFORM_SMALL) --filter 'S3-[19]*'" \
		"conform-small-engine=$(CONFORM_SMALL) --filter '@(device.vector_*|device.bad_packet*)'" \
		"conform-link=build/ringfence conform $(CONFORM_LINKED) --name sim-link --device sim:link=gen1x1" \
		"conform-link-errors=build/ringfence conform $(CONFORM_LINKED_ERRORS) --name sim-link-errors \
			--device sim:link=gen1x1$(comma)link-errors=2000" \
		"conform-link-small=$(CONFORM_SMALL_LINKED) $(CONFORM_LINKED_SMALL)"

build/examples/tlp_model.a: examples/tlp_model/model.c $(wildcard sim/*.h) kmd/include/ringfence_hw.h
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) $(SIM_CFLAGS) -c $< -o $(@:.a=.o) && rm -f $@ && $(AR) rcs $@ $(@:.a=.o)

TEST_PARTS += miniport-test

.PHONY: miniport-test
# The library's tests there, on the device miniport: too
MINIPORT_UMD_TESTS := $(addprefix $(UMD_BUILD)/test/,library_test ownership_test)
miniport-test: build/ringfence $(MINIPORT_SAMPLE) build/examples/first_fence $(MINIPORT_UMD_TESTS) ## [test] the portable conformance tests on the sample miniport and on faulty ones
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		"miniport=python3 tests/host/miniport_test.py build/ringfence" \
		$(foreach test,$(MINIPORT_UMD_TESTS),"$(notdir $(test))=env RF_TEST_DEVICE=miniport: $(test)") \
		"ways=python3 tests/conform/ways.py --check build/ringfence"

TEST_PARTS += conform-model-test

.PHONY: conform-model-test
conform-model-test: build/ringfence build/examples/tlp_model.a ## [test] make conform MODEL= with the example, faulty models and none
	@tests/run --jobs 1 --results build/results/$@.tsv \
		"model=python3 tests/host/model_test.py"

conform-table-test:
	@tests/run --results build/results/$@.tsv "conform-table=python3 tests/conform/report.py --check"
