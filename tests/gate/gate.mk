# SPDX-License-Identifier: Apache-2.0
#
# The synthesized device, not its source, under the tests of the whole stack: where the
# two tools read the source differently, these go red.
#
#   build/gate/rf_device.v          the coarse netlist: one module of operators, registers
#                                   and memories, before anything is mapped to cells
#   build/ringfence-netlist         the program over that device
#   build/gate/mapped/rf_device.v   the mapped netlist: LUTs, carry cells, flip-flops, block
#                                   RAM and multipliers of an ECP5, made as tools/fpga does
#   build/ringfence-mapped          the program over that device

GATE_BUILD := build/gate

$(GATE_BUILD)/rf_device.v: $(SIM_RTL)
	@mkdir -p $(@D)
	@echo "  synthesize $@"
	@yosys -q -l $@.log -p "read_verilog -sv $(RTL_PACKAGES) rtl/rf_device.sv; \
		hierarchy -check -top rf_device $(addprefix -libdir ,$(RTL_FOLDERS)) \
			-chparam LocalMemoryLog2 20; \
		proc; flatten; opt; memory_collect; write_verilog -noattr $@"

$(eval $(call sim_model,netlist,-Wno-lint $(GATE_BUILD)/rf_device.v,$(GATE_BUILD)/rf_device.v))
$(eval $(call sim_library,_netlist,,netlist))

build/ringfence-netlist: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim_netlist.a
	@echo "  cc $@"
	@$(CC) $(filter-out %.h,$^) $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@

$(GATE_BUILD)/streams: $(MODEL_OBJECTS) $(HOST_COMMON) $(HOST_BUILD)/host/setup.o \
		$(HOST_BUILD)/host/wave.o build/umd/libringfence.a build/kmd/libkmd.a build/sim/librfsim_netlist.a
	@echo "  cc $@"
	@$(CC) $^ $(UMD_LIBS) $(SIM_LIBS) -o $@

# --- the mapped netlist ---------------------------------------------------------------------

# As tools/fpga: what a board's bitstream is made of, but for the board around the device. Its
# local memory is a board's too, 64 KiB. Single bits, as vectors of which one bit depends on
# another are loops to Verilator.
GATE_ECP5 := tools/ecp5.py constraints/ecp5/short_memory.v
MAP_ECP5 = $$(python3 tools/ecp5.py $(1)); splitnets; select -assert-min 1 t:TRELLIS_FF t:DP16KD

# What the cells do, from the Yosys that maps to them. It ships no model of the block RAM and
# of the multiplier: those are in ecp5_cells.sv, which comes first, with another LUT4.
$(GATE_BUILD)/cells/cells_sim.v:
	@mkdir -p $(@D)
	@tools/private-root run yosys -q -p \
		'exec -- cp $$(dirname $$(readlink /proc/$$PPID/exe))/../share/yosys/ecp5/*_sim.v* $(@D)'
	@touch $@

GATE_CELLS := -Wno-lint -Werror-USERERROR +define+NO_INCLUDES -I$(GATE_BUILD)/cells \
	tests/gate/ecp5_cells.sv -v $(GATE_BUILD)/cells/cells_sim.v
GATE_CELL_FILES := tests/gate/ecp5_cells.sv $(GATE_BUILD)/cells/cells_sim.v

$(GATE_BUILD)/mapped/rf_device.v: $(SIM_RTL) $(GATE_ECP5)
	@mkdir -p $(@D)
	@echo "  map $@"
	@tools/private-root run yosys -q -l $@.log -p "logger -werror implicitly; \
		read_verilog -sv $(RTL_PACKAGES) $(filter-out $(RTL_PACKAGES),$(SIM_RTL)); \
		$(call MAP_ECP5,rf_device); write_verilog -noattr $@"

# A block by itself: $(call map_block,top,parameters of it,its file)
define map_block
	@tools/private-root run yosys -q -l $@.log -p "logger -werror implicitly; \
		read_verilog -sv $(RTL_PACKAGES) $(3); \
		hierarchy -check -top $(1) $(addprefix -libdir ,$(RTL_FOLDERS)) $(2); \
		$(call MAP_ECP5,$(1)); rename -top $(4); write_verilog -noattr $@"
endef

# The LUT4 of ecp5_cells.sv and the vendor's, for every INIT, which is an input here
lut4_named = sed -n '/^module LUT4/,/^endmodule/p' $(1) | sed '/parameter/d; \
	s/module LUT4 *(/module $(2) (input wire [15:0] INIT, /'

.PHONY: gate-lut4
gate-lut4: $(GATE_CELL_FILES)
	@mkdir -p $(GATE_BUILD)/lut4
	@$(call lut4_named,tests/gate/ecp5_cells.sv,own) >$(GATE_BUILD)/lut4/lut4.sv
	@$(call lut4_named,$(GATE_BUILD)/cells/common_sim.vh $(GATE_BUILD)/cells/cells_sim.v,vendor) \
		>>$(GATE_BUILD)/lut4/lut4.sv
	@yosys -q -l $(GATE_BUILD)/lut4/log -p "read_verilog -sv $(GATE_BUILD)/lut4/lut4.sv; \
		miter -equiv -flatten own vendor miter; proc; sat -verify -prove trigger 0 miter" && \
		echo "ok 1 - LUT4 is the vendor's" && echo "1..1"

# The model of the block RAM against rf_ram: one shape, width_depth, for each width of a port
GATE_RAMS := 8_14 8_13 8_12 8_11 16_10 64_9
ram_width = $(word 1,$(subst _, ,$(1)))
ram_depth = $(word 2,$(subst _, ,$(1)))

$(GATE_BUILD)/ram/%.v: rtl/lib/rf_ram.sv tests/gate/gate.mk $(GATE_ECP5)
	@mkdir -p $(@D)
	$(call map_block,rf_ram,-chparam Width $(call ram_width,$*) \
		-chparam DepthLog2 $(call ram_depth,$*),$<,mapped_ram)

$(GATE_BUILD)/ram/%/test: $(GATE_BUILD)/ram/%.v tests/gate/rf_ram_tb.sv tests/gate/rf_ram_test.cpp \
		$(GATE_CELL_FILES) rtl/lib/rf_ram.sv tests/rtl/harness.h
	@mkdir -p $(@D) && rm -f $@
	@echo "  build gate/ram/$*"
	@$(VERILATE_TEST) $(GATE_CELLS) --top-module rf_ram_tb -GWidth=$(call ram_width,$*) \
		-GDepthLog2=$(call ram_depth,$*) --Mdir $(@D) -o test \
		-CFLAGS "-DWIDTH=$(call ram_width,$*) -DDEPTH_LOG2=$(call ram_depth,$*)" $< \
		rtl/lib/rf_ram.sv tests/gate/rf_ram_tb.sv $(CURDIR)/tests/gate/rf_ram_test.cpp \
		>$(@D)/build.log 2>&1 || { cat $(@D)/build.log; rm -f $@; exit 1; }

# Unit tests on mapped blocks: the fence has memories of both kinds, the slots those whose
# output is cleared, the vector engine the multipliers; the link has two clocks, and is there
# once more as both ends of a lane.
GATE_BLOCKS := rf_fence rf_slots rf_engine_vector rf_link rf_link_pair

$(GATE_BUILD)/block/%.v: $(SIM_RTL) tests/gate/gate.mk $(GATE_ECP5)
	@mkdir -p $(@D)
	$(call map_block,$(call rtl_test_top,$*),$(patsubst -G%,-chparam %,$(subst =, ,$(call \
		rtl_test_parameters,$*))),$(call rtl_test_source,$*),$(call rtl_test_top,$*))

$(GATE_BUILD)/block/rf_link.v $(GATE_BUILD)/block/rf_link_pair.v: $(wildcard rtl/link/*.sv)
$(GATE_BUILD)/block/rf_link_pair.v: tests/rtl/rf_link_pair_tb.sv
$(GATE_BUILD)/block/rf_link/test: $(LINK_PARTNER)
$(GATE_BUILD)/block/%/test: $(GATE_BUILD)/block/%.v tests/rtl/%_test.cpp $(GATE_CELL_FILES) \
		$(wildcard tests/rtl/*.h)
	@mkdir -p $(@D) && rm -f $@
	@echo "  build gate/block/$*"
	@$(VERILATE_TEST) $(GATE_CELLS) --top-module $(call rtl_test_top,$*) --Mdir $(@D) -o test $< \
		$(CURDIR)/tests/rtl/$*_test.cpp $(call rtl_test_partner,$*) \
		>$(@D)/build.log 2>&1 || { cat $(@D)/build.log; rm -f $@; exit 1; }

GATE_PROGRAMS := $(GATE_RAMS:%=$(GATE_BUILD)/ram/%/test) $(GATE_BLOCKS:%=$(GATE_BUILD)/block/%/test)

# 50 MB of C++ in one piece, not optimized: two minutes to compile. In files of their own, each
# with all the declarations, and optimized, it takes half an hour.
$(SIM_BUILD)/mapped/model.a: SIM_OPT := -O0
$(SIM_BUILD)/mapped/model.a: SIM_MAKE := VM_PARALLEL_BUILDS=0
$(eval $(call sim_model,mapped,tests/gate/mapped.vlt $(GATE_CELLS) \
	$(GATE_BUILD)/mapped/rf_device.v,$(GATE_BUILD)/mapped/rf_device.v $(GATE_CELL_FILES) \
	tests/gate/mapped.vlt))
$(eval $(call sim_library,_mapped,,mapped))

build/ringfence-mapped: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim_mapped.a
	@echo "  cc $@"
	@$(CC) $(filter-out %.h,$^) $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@

# Of the conformance tests on the mapped netlist: one at least for each block of rf_device,
GATE_MAPPED := device.correlation_and_liveness device.counters_are_exact
# rf_pcie: configuration, MSI-X, completer, requester, transmit
GATE_MAPPED += device.bar_sizing device.vectors device.ring_behind_local_write \
	device.read_aborted_stops_its_queue device.bus_master_off_stops_the_queue
# rf_memory, rf_translate, local memory
GATE_MAPPED += device.rules_of_page_table_entries device.tables_in_local_memory
# rf_doorbell, rf_slots, rf_slot_bands, rf_context, rf_node, rf_fetch, rf_decode
GATE_MAPPED += S3-10.* S3-9.* device.ring_without_slot_pends device.yields_once_for_each_reason \
	device.suspended_queue_keeps_its_rings device.bad_packet_stops_its_queue \
	device.trap_stops_until_resume
# the engines and their ports
GATE_MAPPED += device.copy_any_alignment device.vector_equals_c \
	S4-3.pending_preemption_survives_the_reset
# rf_interrupt, rf_wait, and the log of rf_fence
GATE_MAPPED += S0-68.overflow_is_told S0-21.any_write_releases S0-106.entry_byte_for_byte
# resets
GATE_MAPPED += device.function_reset_*
# and every test of fences that is about all 64 bits: values, comparisons, halves, wrap counts
GATE_MAPPED += S0-1.last_value_signaled S0-13.compare_is_unsigned_and_strict \
	S0-9.no_waiter_no_interrupt S0-33.update_stores_reads_compares S0-72.batch_of_updates \
	S0-5.* S0-21.wait_is_unsigned S0-120.index_word_is_one_write

GATE_EMPTY :=
GATE_MAPPED_FILTER := @($(subst $(GATE_EMPTY) ,|,$(strip $(GATE_MAPPED))))

# One or two of each part of the device
GATE_QUICK := S0-12.interrupt* S0-5.update* S0-21.signal* S0-106.entry* S0-43.masked* \
	S3-10.* S4-27.preempted_vector* device.copy* device.function_reset_resets* device.faults_b*

.PHONY: gate-test gate-quick-test
gate-test: build/ringfence-netlist $(GATE_BUILD)/streams build/ringfence-mapped ## [test] conformance tests, a soak and the main job on the synthesized device
	@$(MAKE) --no-print-directory -s -k $(GATE_PROGRAMS) || true
	@tests/run --jobs 1 --timeout 7200 --results build/results/$@.tsv \
		"conform=build/ringfence-netlist conform --jobs $(JOBS) --output $(GATE_BUILD)/conform" \
		"model=$(GATE_BUILD)/streams --rounds 12 --seed 1" \
		"soak=python3 tests/host/soak_test.py build/ringfence-netlist $(SOAK_ROUNDS)" \
		"run=python3 tests/host/run_test.py build/ringfence-netlist" \
		"lut4=$(MAKE) --no-print-directory -s gate-lut4" \
		$(foreach ram,$(GATE_RAMS),"ram_$(ram)=$(GATE_BUILD)/ram/$(ram)/test") \
		$(foreach block,$(GATE_BLOCKS),"$(block)=$(GATE_BUILD)/block/$(block)/test") \
		"mapped=build/ringfence-mapped conform --jobs $(JOBS) \
			--filter '$(GATE_MAPPED_FILTER)' --output $(GATE_BUILD)/mapped-conform" \
		"mapped_run=python3 tests/host/run_test.py build/ringfence-mapped"

TEST_PARTS += gate-quick-test
# The first, since what it is made of takes longest one after another
TEST_PROGRAMS := build/ringfence-netlist $(TEST_PROGRAMS)

gate-quick-test: build/ringfence-netlist ## [test] a few tests on the synthesized device
	@tests/run --jobs $(JOBS) --timeout 900 --results build/results/$@.tsv \
		$(foreach test,$(GATE_QUICK),"$(test)=build/ringfence-netlist conform \
			--filter '$(test)' --output $(GATE_BUILD)/quick")
