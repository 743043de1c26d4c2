# SPDX-License-Identifier: Apache-2.0
#
# make run	real work through the whole stack
# make test	everything that proves it
# make help	the other targets
#
# Everything that is built lies in build/. The folders with rules of their own
# have them in a .mk file, included below.

include tools/path.mk tools/version.mk tools/select.mk tools/shard.mk

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

# Programs built and tests run at the same time
JOBS ?= $(shell nproc)
# Limits of time in tests, times this: more for a busy or slow machine
export TIME_SCALE ?= 1
# Blocks to synthesize
BLOCK ?=

export MAKE

# Verilator's makes compile through it: each test has the same runtime.
export OBJCACHE := ccache
export CCACHE_DIR := $(CURDIR)/build/ccache

# Parts of `make test`, in this order, and what has to be built for them; the .mk
# files add theirs. The long ones start first, so that no core waits for them at the end.
LONG_TEST_PARTS :=
TEST_PARTS := lint-all tools-test rtl-test netlist-test
TEST_PROGRAMS :=

# --- set-up -------------------------------------------------------------------

# An included file that is missing or old is made before anything else, and so
# every target finds its tools without naming them.
build/setup.mk: tools/setup
	@tools/setup
	@mkdir -p $(@D) && touch $@

ifneq ($(filter-out help clean,$(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))),)
ifdef NO_SETUP
setup_missing := $(shell NO_SETUP=1 tools/setup 2>&1)
$(if $(setup_missing),$(info $(setup_missing)))
else
include build/setup.mk
endif
endif

.PHONY: setup
setup: ## [first steps] install the packages that are needed (every target does; NO_SETUP=1: skip)
	@$(if $(NO_SETUP),:,echo "all packages are installed")

# --- generated files ------------------------------------------------------------

GENERATED := rtl/rf_pkg.sv kmd/include/ringfence_hw.h kmd/ddi/rf_registers.c docs/registers.md \
	rtl/link/rf_link_console_pkg.sv host/link_registers.h docs/link-console.md
GENERATOR := tools/generate.py $(wildcard tools/interface/*.py)

.PHONY: generate
generate: ## [source] write the files that are generated from the registers and the requests
	python3 tools/generate.py
	python3 tools/uapi_reference.py
	python3 tools/dcu_words.py

# --- documentation --------------------------------------------------------------

.PHONY: docs
docs: ## [source] build the documentation as a site with search, build/docs/index.html
	@tools/site

# --- lint -----------------------------------------------------------------------

.PHONY: lint lint-all format
lint: ## [source] check style, language subset and generated files of the changes since main
	@tests/run --jobs 1 --timeout 600 --results build/results/$@.tsv \
		"lint=tools/lint --changed --jobs $(JOBS)"

lint-all: ## [test] lint all sources
	@tests/run --jobs 1 --timeout 600 --results build/results/$@.tsv "lint=tools/lint --jobs $(JOBS)"

format: ## [source] format every C and C++ source
	tools/lint --format

# --- for editors ------------------------------------------------------------------

# The models are as they are: only C is looked at.
COMPILE_COMMANDS = build/ringfence build/rf-vfio-user build/sim/rfsim_wave.so kmd-test-programs \
	umd-test-programs build/fuzz/fuzz build/model/streams $(filter-out %.py,$(SIM_TESTS) \
	$(VFIO_USER_TEST) $(EXAMPLES) $(BENCH_SUBMIT) $(GUEST_PROGRAMS))

.PHONY: compile-commands
compile-commands: ## [source] write build/compile_commands.json for clangd
	@mkdir -p build
	@$(MAKE) --no-print-directory -n -B NO_SETUP=1 TEST='*' \
		$(patsubst %,-o build/sim/%/model.a,device wave echo) $(COMPILE_COMMANDS) | \
		tools/compile_commands build/compile_commands.json

# --- tests of the tools ---------------------------------------------------------

TOOLS_TESTS := $(wildcard tests/tools/*_test.py)

.PHONY: tools-test
tools-test: ## [test] tests of the generator and the other tools
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		$(foreach test,$(TOOLS_TESTS),"$(basename $(notdir $(test)))=python3 $(test)")

# --- RTL unit tests -------------------------------------------------------------

# tests/rtl/X_test.cpp drives module X, or X_tb if there is a tests/rtl/X_tb.sv, or the one
# that it names after "// module:".
RTL_FOLDERS := rtl $(sort $(patsubst %/,%,$(wildcard rtl/*/)))
RTL_PACKAGES := rtl/rf_pkg.sv rtl/lib/rf_bus_pkg.sv rtl/link/rf_link_pkg.sv \
	rtl/link/rf_link_console_pkg.sv
RTL_TESTS := $(call selected,$(patsubst tests/rtl/%_test.cpp,%,$(wildcard tests/rtl/*_test.cpp)))
RTL_TEST_PROGRAMS := $(RTL_TESTS:%=build/rtl/%/test)
# Verilator runs a make of its own, apart from this one's options and jobs.
VERILATE_TEST := env -u MAKEFLAGS verilator --cc --exe --build -Wall -Wno-fatal \
	-Werror-USERERROR -O3 --x-assign unique --x-initial unique --assert \
	$(addprefix -y ,$(RTL_FOLDERS)) -CFLAGS "-I$(CURDIR)/tests/rtl -I$(CURDIR)/sim"

rtl_test_says = $(shell sed -n 's,^// $(2): *,,p' tests/rtl/$(1)_test.cpp)
rtl_test_top = $(or $(call rtl_test_says,$(1),module),$(if $(wildcard \
	tests/rtl/$(1)_tb.sv),$(1)_tb,$(1)))
rtl_test_source = $(firstword $(foreach top,$(rtl_test_top),$(wildcard \
	tests/rtl/$(top).sv rtl/$(top).sv rtl/*/$(top).sv)))
rtl_test_parameters = $(call rtl_test_says,$(1),parameters)
# Against the link partner, for tests with a line "// partner: ...": sim/link/ without sanitizers
LINK_PARTNER := build/rtl/link_partner.a
PARTNER_TESTS := $(patsubst tests/rtl/%_test.cpp,%,$(shell grep -l '^// partner:' tests/rtl/*_test.cpp))
rtl_test_partner = $(if $(filter $(1),$(PARTNER_TESTS)),$(CURDIR)/$(LINK_PARTNER))

$(LINK_PARTNER): $(wildcard sim/link/*.[ch]) sim/tlp.h
	@mkdir -p $(@D)/link && rm -f $@
	@$(foreach source,$(wildcard sim/link/*.c),$(CC) -std=gnu11 -O2 -Isim -c $(source) \
		-o $(@D)/link/$(basename $(notdir $(source))).o &&) ar -rcs $@ $(@D)/link/*.o

# A program that fails to build is not there, and tests/run counts it as failed.
build/rtl/%/test: tests/rtl/%_test.cpp $(wildcard tests/rtl/*.h) sim/link_serdes.h
	@mkdir -p $(@D) && rm -f $@
	@echo "  build rtl/$*"
	@$(VERILATE_TEST) --top-module $(call rtl_test_top,$*) --Mdir $(@D) -o test \
		$(call rtl_test_parameters,$*) $(RTL_PACKAGES) $(call rtl_test_source,$*) $(CURDIR)/$< \
		$(call rtl_test_partner,$*) >$(@D)/build.log 2>&1 || { cat $(@D)/build.log; rm -f $@; exit 1; }
	@sed -n 's,^.* : ,,p' $(@D)/V*__ver.d | tr ' ' '\n' | sed -n 's,.*\.sv$$,$@: &\n&:,p' >$@.d

$(foreach way,rtl netlist,$(PARTNER_TESTS:%=build/$(way)/%/test)): $(LINK_PARTNER)
build/rtl/rf_translate_16_sets/test: tests/rtl/rf_translate_test.cpp
build/rtl/rf_decode_copy/test build/rtl/rf_decode_none/test: tests/rtl/rf_decode_test.cpp
build/rtl/rf_node_registers_copy/test: tests/rtl/rf_node_registers_test.cpp
build/rtl/rf_node_compute/test: tests/rtl/rf_node_test.cpp
build/rtl/rf_ltssm_downstream/test: tests/rtl/rf_ltssm_test.cpp
build/rtl/rf_fence_asleep/test: tests/rtl/rf_fence_test.cpp
build/rtl/rf_command_processor_asleep/test: tests/rtl/rf_command_processor_test.cpp
build/rtl/rf_pcie_asleep/test: tests/rtl/rf_pcie_test.cpp
build/rtl/rf_ecp5_serdes_gears/test build/rtl/rf_ecp5_serdes_ctc/test \
	build/rtl/rf_ecp5_serdes_switches/test: tests/rtl/rf_ecp5_serdes_test.cpp

# The SystemVerilog files that each program was made from
-include $(wildcard $(RTL_TEST_PROGRAMS:%=%.d))

.PHONY: rtl-test rtl-test-programs
rtl-test: ## [test] build and run the RTL unit tests
	@$(MAKE) --no-print-directory -s -k -j $(JOBS) rtl-test-programs || true
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		$(foreach test,$(RTL_TESTS),"$(test)=build/rtl/$(test)/test")

rtl-test-programs: $(RTL_TEST_PROGRAMS)
TEST_PROGRAMS += rtl-test-programs

.PHONY: link-soak
link-soak: build/rtl/rf_link_physical/test build/rtl/rf_link/test build/rtl/rf_link_endpoint/test build/netlist/rf_link/test build/rtl/rf_ecp5_serdes_switches/test build/ringfence build/ringfence-small link-model link-model-small build/sim/test/link_loss_test_asan ## [prove and harden] the PCIe link: a thousand lanes drawn at random, ten million TLPs each way on one link with errors, conformance, losses in every third cycle
	@tests/run --live --jobs $(JOBS) --timeout 14400 --results build/results/$@.tsv \
		"rf_link_physical=env RF_LINK_SEEDS=1000 build/rtl/rf_link_physical/test" \
		"rf_link=env RF_LINK_TLPS=250000 build/rtl/rf_link/test" \
		"rf_link_endpoint=env RF_LINK_TLPS=2500000 build/rtl/rf_link_endpoint/test" \
		"netlist=env RF_LINK_TLPS=2000 build/netlist/rf_link/test" \
		"rf_ecp5_serdes_switches=env RF_SERDES_LOSSES=1 build/rtl/rf_ecp5_serdes_switches/test" \
		"losses=env RF_LINK_STEP=3 build/sim/test/link_loss_test_asan" \
		"conform=build/ringfence conform --jobs $(JOBS) --name sim-link --device sim:link=gen1x1" \
		"conform-errors=build/ringfence conform --jobs 1 --filter '@(S0-1*|S1-*)' --name sim-link-errors \
			--device sim:link=gen1x1$(comma)link-errors=2000" \
		"conform-small=$(CONFORM_SMALL_LINKED)"

# A loss or Recovery in every cycle of the work, in parts that each take one cycle of so many
LINK_LOSS_PARTS := 32
LINK_LOSSES := $(shell seq 0 $$(($(LINK_LOSS_PARTS) - 1)))

.PHONY: link-loss-soak
link-loss-soak: link-model build/sim/test/link_loss_test_asan ## [prove and harden] the PCIe link lost in each of 5,000 cycles, in eight ways, and retrained (some two hours of two cores)
	@tests/run --jobs $(JOBS) --live --timeout 14400 --results build/results/$@.tsv \
		$(foreach part,$(LINK_LOSSES),"losses_$(part)=env RF_LINK_FIRST=$(part) \
			RF_LINK_STEP=$(LINK_LOSS_PARTS) build/sim/test/link_loss_test_asan")

# The same tests once more, on what Yosys makes of these blocks
NETLIST_BLOCKS := rf_fence rf_wait rf_doorbell rf_translate rf_memory rf_serial_link rf_link \
	rf_link_pair
NETLIST_TESTS := $(filter $(RTL_TESTS),$(NETLIST_BLOCKS))
NETLIST_TEST_PROGRAMS := $(NETLIST_TESTS:%=build/netlist/%/test)

build/netlist/%.v: $(wildcard rtl/*.sv rtl/*/*.sv) tests/rtl/%_test.cpp
	@mkdir -p $(@D)
	@yosys -q -l $@.log -p "read_verilog -sv $(RTL_PACKAGES) $(call rtl_test_source,$*); \
		hierarchy -check -top $(call rtl_test_top,$*) $(addprefix -libdir ,$(RTL_FOLDERS)) \
			$(patsubst -G%,-chparam %,$(subst =, ,$(filter-out -D%,$(call rtl_test_parameters,$*)))); \
		proc; flatten; opt; memory_collect; write_verilog -noattr $@"

build/netlist/rf_link_pair.v: tests/rtl/rf_link_pair_tb.sv
build/netlist/%/test: build/netlist/%.v tests/rtl/%_test.cpp $(wildcard tests/rtl/*.h)
	@mkdir -p $(@D) && rm -f $@
	@echo "  build netlist/$*"
	@$(VERILATE_TEST) -Wno-lint --top-module $(call rtl_test_top,$*) --Mdir $(@D) -o test \
		$(RTL_PACKAGES) $< $(CURDIR)/tests/rtl/$*_test.cpp \
		$(call rtl_test_partner,$*) >$(@D)/build.log 2>&1 || { cat $(@D)/build.log; rm -f $@; exit 1; }

.PHONY: netlist-test netlist-test-programs
netlist-test: ## [test] RTL unit tests of some blocks on their coarse netlist
	@$(MAKE) --no-print-directory -s -k -j $(JOBS) netlist-test-programs || true
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		$(foreach test,$(call selected,$(NETLIST_BLOCKS)),"$(test)=build/netlist/$(test)/test")

netlist-test-programs: $(NETLIST_TEST_PROGRAMS)
TEST_PROGRAMS += netlist-test-programs

# --- the other parts of the project ------------------------------------------------

# Each defines its targets with a "## [group] comment" for make help and adds the targets
# that belong to `make test` to TEST_PARTS. A part of `make test` runs its tests
# through tests/run --results build/results/$@.tsv.
-include sim/sim.mk
-include kmd/kmd.mk
-include umd/umd.mk
-include host/host.mk
-include packaging/install.mk
-include packaging/deb.mk
-include tests/guest/guest.mk
-include tests/conform/conform.mk
-include tests/model/model.mk
-include tests/fuzz/fuzz.mk
-include tests/formal/formal.mk
-include tests/gate/gate.mk
-include tests/coverage/coverage.mk
-include tests/mutants/mutants.mk
-include tests/shards/shards.mk
-include tests/tutorials/tutorials.mk

# --- synthesis ------------------------------------------------------------------

TEST_PARTS += synth-test

SYNTH_BLOCKS = $(call selected,$(shell sed '/^#/d; /^block/d; s/\t.*//' constraints/ecp5/report.tsv))

.PHONY: synth synth-test synth-record
synth: ## [hardware] area and speed of each block on ECP5 (BLOCK=module for one)
	@status=0; tests/run --selected --jobs 1 --timeout 7200 --results build/results/$@.tsv \
		"synth=tools/synth --jobs $(JOBS) $(BLOCK)" || status=$$?; \
	grep -v '^#' build/synth/report.tsv | cut -f 1-9 | expand -t 24,32,40,48,56,68,80,88; \
	exit $$status

synth-test: | $(SETUP) ## [test] area and speed of the blocks that differ from the recorded ones
	@tests/run --selected --jobs 1 --timeout 4200 --results build/results/$@.tsv \
		$(if $(SYNTH_BLOCKS),"synth=tools/synth --jobs $(JOBS) --known $(if \
			$(filter-out *,$(TEST)),$(SYNTH_BLOCKS))")

# Blocks that are as recorded are not built again, by nobody.
synth-record: | $(SETUP) ## [hardware] record the present report
	-@$(MAKE) --no-print-directory synth
	@mkdir -p constraints/ecp5
	cp build/synth/report.tsv constraints/ecp5/report.tsv

# --- boards ---------------------------------------------------------------------

BOARD ?= ulx3s_85f versa_ecp5_5g versa_ecp5_5g_pcie um5g_85f_pcie
# Of a board's top, other than they are: PARAMETERS="Switches=1"
PARAMETERS ?=

TEST_PARTS += fpga-test

.PHONY: fpga fpga-seeds fpga-test
fpga: ## [hardware] bitstream and report of a board (BOARD=ulx3s_85f, versa_ecp5_5g, versa_ecp5_5g_pcie or um5g_85f_pcie; PARAMETERS="Switches=1": other parameters of its top)
	@status=0; for board in $(BOARD); do tools/fpga $(PARAMETERS:%=--set %) $$board || \
		status=1; done; exit $$status

# Goes on where it was ended.
fpga-seeds: ## [hardware] place and route each board with five seeds (BOARD=)
	@status=0; for board in $(BOARD); do tools/fpga --seeds $$board || status=1; done; exit $$status

fpga-test: ## [test] run the boards' tops, without the device, through all FPGA tools
	@tests/run --jobs $(JOBS) --timeout 2400 --results build/results/$@.tsv \
		"boards_test=python3 tests/fpga/boards_test.py"

# --- everything -----------------------------------------------------------------

# Parts run side by side: what several of them need is built before. What fails to
# build is not there, and its parts say so.
.PHONY: test test-programs clean help
test: ## [first steps] run every test; the last line has the counts
	@$(MAKE) --no-print-directory -s -k -j $(JOBS) test-programs || true
	@tests/all --at-once 2 --jobs $(JOBS) --last conform-table-test $(LONG_TEST_PARTS) $(TEST_PARTS)

test-programs: $(TEST_PROGRAMS)

clean: ## [build] remove everything that was built
	rm -rf build

help: ## [first steps] show this list
	@awk -f tools/help.awk $(MAKEFILE_LIST)
