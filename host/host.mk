# SPDX-License-Identifier: Apache-2.0
#
# The program build/ringfence, and the main job:
#
#   make run [INPUT=path] [OUTPUT=path] [TRACE=1]
#
#   make bench                      measurements, build/bench.json
#   make timing                     timing diagrams of what they measure
#
# build/ringfence-small is the same over the small device: 8 slots, every MonitoredValue in system
# memory, no vector engine.

HOST_BUILD := build/host
HOST_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -Ihost -Iumd/include -Ikmd/include \
	-Ikmd/hosted -Isim -Iumd
# What the program links with beyond the library; the guest does not have it
HOST_LIBS := -l:libjson-c.a
HOST_SOURCES := $(wildcard host/*.c tests/conform/*.c)
HOST_HEADERS := $(wildcard host/*.h tests/conform/*.h umd/include/*.h kmd/*/*.h kmd/core/*/*.h) \
	umd/problem.h $(wildcard sim/*.h)
HOST_OBJECTS := $(HOST_SOURCES:%.c=$(HOST_BUILD)/%.o)
# What programs of tests take of it
HOST_COMMON := $(HOST_BUILD)/host/arguments.o $(HOST_BUILD)/host/output.o

# $(call host_objects,folder,flags)
define host_objects
$(1)/%.o: %.c $(HOST_HEADERS) | $(SETUP)
	@mkdir -p $$(@D)
	@echo "  cc $$@"
	@$$(CC) $$(HOST_CFLAGS) $(2) -c $$< -o $$@
endef

$(eval $(call host_objects,$(HOST_BUILD)))

build/ringfence: $(MINIPORT_SAMPLE)
build/ringfence: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a build/sim/librfsim.a
	@echo "  cc $@"
	@$(CC) $(filter %.o %.a,$^) $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@

build/ringfence-small: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim_small.a
	@echo "  cc $@"
	@$(CC) $^ $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@

# What make fast has its profile of
build/ringfence-train: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim_train.a
	@echo "  cc $@"
	@$(CC) -fprofile-generate $^ $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@

# What make fast makes of build/ringfence, beside it
build/ringfence-fast: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim_fast.a
	@echo "  cc $@"
	@$(CC) $^ $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@

TEST_PARTS += fast-test

.PHONY: fast-test
fast-test: build/ringfence build/ringfence-fast ## [test] the faster simulator gives the same cycles, in less time
	@tests/run --jobs 1 --results build/results/$@.tsv \
		"fast=python3 tests/host/fast_test.py build/ringfence build/ringfence-fast"

comma := ,
INPUT ?= LICENSES/GPL-2.0.txt
OUTPUT ?= build/run/output

.PHONY: run
run: build/ringfence $(if $(TRACE),waves) ## [first steps] stream a file through the device (INPUT=, OUTPUT=, TRACE=1)
	@mkdir -p build/run
	@build/ringfence run --input "$(INPUT)" --output "$(OUTPUT)" \
		--device sim:timeline=build/run/timeline.json,page=build/run/timeline.html$(if $(TRACE),$(comma)wave=build/run/wave.fst)

.PHONY: readme
readme: build/ringfence ## [source] update the sample output in README.md and docs/two-devices.md
	@tools/readme $<

# umd/examples/*.c, as programs of a user would be built
EXAMPLES := $(patsubst umd/examples/%.c,build/examples/%,$(wildcard umd/examples/*.c))

build/examples/%: umd/examples/%.c build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim.a umd/include/ringfence.h | $(SETUP)
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -Iumd/include $(filter %.c %.a,$^) $(UMD_LIBS) $(SIM_LIBS) -o $@

# It is a driver, on the simulation itself.
build/examples/lost_wakeup: private UMD_LIBS += -Isim -Ikmd/include
build/examples/lost_wakeup: $(wildcard sim/*.h) kmd/include/ringfence_hw.h

.PHONY: examples
examples: $(EXAMPLES) $(MINIPORT_SAMPLE) build/examples/tlp_model.a ## [first steps] programs of umd/examples, miniport and model of examples/

$(HOST_BUILD)/host/ringfence.o: $(VERSION_HEADER)
%/host/ringfence.o: HOST_CFLAGS += -Ibuild/include

# It names the counters as a dump does.
%/host/info.o: HOST_CFLAGS += -Ikmd/ddi

# They look into the library, for handles.
%/host/job.o %/host/trace.o: HOST_CFLAGS += -Ikmd/include/uapi

# It looks into the driver.
%/host/soak.o: HOST_CFLAGS += -Ikmd/include/uapi -Ikmd/include/uapi/drm \
	-Ikmd/ddi -Ikmd/core

SECONDS ?= 60
SEED ?= 1
SOAK_ROUNDS := 200

.PHONY: soak soak-test
soak: build/ringfence build/model/streams ## [prove and harden] mix everything, and random streams against a model, for a time (SECONDS=, SEED=)
	$(call shard_run,$@,$(call shard_one,everything mixed with seed $(SHARD_SEED),\
		build/ringfence soak --seconds $(SECONDS) --seed $(SHARD_SEED)) && \
		build/model/streams --seconds $(SECONDS) --seed $(SHARD_SEED))

TEST_PARTS += soak-test

soak-test: build/ringfence ## [test] a short soak, twice with the same seed
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		"soak=python3 tests/host/soak_test.py build/ringfence $(SOAK_ROUNDS)"

TEST_PARTS += run-test

.PHONY: run-test
run-test: build/ringfence build/ringfence-small build/fst2vcd build/rf-vfio-user build/rf-link-board $(EXAMPLES) waves link-model link-model-small ## [test] results, output, files and error messages of the programs
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv "run=python3 tests/host/run_test.py build/ringfence" \
		"trace=python3 tests/host/trace_test.py build/ringfence build/fst2vcd" \
		"small=python3 tests/host/small_test.py build/ringfence build/ringfence-small $(SOAK_ROUNDS)" \
		"command=python3 tests/host/command_test.py build/ringfence" \
		"link=python3 tests/host/link_test.py build/ringfence build/rf-link-board" \
		"output=python3 tests/host/output_test.py build/ringfence build/fst2vcd" \
		"dump=python3 tests/host/dump_test.py build/ringfence" \
		"replay=python3 tests/host/replay_test.py build/ringfence build/rf-vfio-user \
			build/examples/first_fence" \
		"sleep=python3 tests/host/sleep_test.py build/ringfence" \
		"sweep=python3 tests/host/sweep_test.py build/ringfence build/examples/lost_wakeup"

# --- the page of a timeline ----------------------------------------------------------

TEST_PARTS += page-test

.PHONY: page-test page-picture
page-test: build/ringfence build/examples/first_fence ## [test] the HTML timeline in a headless browser
	@tests/run --jobs 1 --results build/results/$@.tsv \
		"page=python3 tests/host/page_test.py build/ringfence build/examples/first_fence"

# $(call page_picture,name in docs/images,height,words of a device string)
define page_picture
	@build/ringfence run --input LICENSES/GPL-2.0.txt \
		--device sim:$(3)timeline=build/run/$(1).json,page=build/run/$(1).html >/dev/null
	@chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--user-data-dir=build/run/browser --window-size=1280,$(2) \
		--screenshot=docs/images/$(1).png "file://$(CURDIR)/build/run/$(1).html" 2>/dev/null
endef

page-picture: build/ringfence ## [source] the HTML timelines of docs/images, of make run and of two devices
	@mkdir -p build/run docs/images && rm -rf build/run/browser
	$(call page_picture,timeline,440,)
	$(call page_picture,two_devices,720,devices=2$(comma))

# --- measurements -------------------------------------------------------------------

BENCH_SUBMIT := build/bench/submit
BENCH_SUBMIT_WRAP := $(addprefix -Wl$(comma)--wrap=,rf_hosted_ring hosted_view_create \
	hosted_view_destroy)

$(BENCH_SUBMIT): tests/bench/submit.c build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim.a
	@mkdir -p $(@D)
	@$(CC) $(HOST_CFLAGS) $(KMD_CFLAGS) $^ $(UMD_LIBS) $(SIM_LIBS) $(BENCH_SUBMIT_WRAP) -o $@

# Also leaves the count of each function beside it.
build/bench/submit_instructions: $(BENCH_SUBMIT) tests/bench/submit_instructions
	@tests/bench/submit_instructions $< build/bench/callgrind.out >$@ 2>$@.functions || \
		{ cat $@.functions; exit 1; }

build/bench/simulation_instructions: build/ringfence tests/bench/simulation_instructions
	@mkdir -p $(@D)
	@tests/bench/simulation_instructions $< build/bench/simulation.out >$@.new
	@mv $@.new $@

BENCH_COUNTED := build/bench/submit_instructions build/bench/simulation_instructions

.PHONY: bench bench-record bench-test
bench: build/ringfence link-model $(BENCH_COUNTED) ## [measure] latencies, rates, interrupts; build/bench.json
	@build/ringfence bench --output build/bench.json \
		--submit-instructions $$(cat build/bench/submit_instructions) \
		--simulation-instructions $$(cat build/bench/simulation_instructions)

bench-record: bench ## [measure] record the present measurements
	@tests/bench/bench_test.py --record

TEST_PARTS += bench-test
TEST_PROGRAMS += $(BENCH_SUBMIT)

bench-test: ## [test] compare the measurements with the recorded ones
	@tests/run --timeout 900 --results build/results/$@.tsv \
		"bench=$(MAKE) --no-print-directory -s bench >build/bench.log 2>&1 || { cat build/bench.log; exit 1; }; \
		tests/bench/bench_test.py"

# --- timing diagrams ----------------------------------------------------------------

FST_FOLDER := $(VERILATOR_ROOT)/include/gtkwave

build/fst2vcd: tools/fst2vcd.c
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) -O2 -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FST_FOLDER) $< \
		$(addprefix $(FST_FOLDER)/,fstapi.c lz4.c fastlz.c) -lz -o $@

.PHONY: timing timing-test timing-waves
timing-waves: build/ringfence build/fst2vcd waves
	@rm -rf build/timing && mkdir -p build/timing
	@for wave in $$(sed -n 's/^wave = "\(.*\)"/\1/p' docs/hardware/timing.toml); do \
		build/ringfence bench --filter "$$wave" --waves build/timing >/dev/null && \
		build/fst2vcd "build/timing/$$wave.fst" >"build/timing/$$wave.vcd" || exit 1; done

timing: timing-waves ## [measure] draw the timing diagrams of docs/hardware
	@tools/timing docs/hardware/timing.toml build/timing docs/hardware

TEST_PARTS += timing-test
TEST_PROGRAMS += build/fst2vcd

timing-test: ## [test] compare the timing diagrams with the simulation
	@tests/run --timeout 900 --results build/results/$@.tsv \
		"timing=$(MAKE) --no-print-directory -s timing-waves >build/timing.log 2>&1 || { cat build/timing.log; exit 1; }; \
		tests/bench/timing_test.py"
