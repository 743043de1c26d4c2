# SPDX-License-Identifier: Apache-2.0
#
# The synthesized device, not its source, under the tests of the whole stack: where the
# two tools read the source differently, these go red.
#
#   build/gate/rf_device.v          the coarse netlist: one module of operators, registers
#                                   and memories, before anything is mapped to cells
#   build/ringfence-netlist         the program over that device

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
	@$(CC) $(filter-out %.h,$^) $(UMD_LIBS) $(SIM_LIBS) -o $@

$(GATE_BUILD)/streams: $(MODEL_OBJECTS) $(HOST_BUILD)/host/arguments.o $(HOST_BUILD)/host/setup.o \
		build/umd/libringfence.a build/kmd/libkmd.a build/sim/librfsim_netlist.a
	@echo "  cc $@"
	@$(CC) $^ $(UMD_LIBS) $(SIM_LIBS) -o $@

# One or two of each part of the device
GATE_QUICK := S0-12.interrupt* S0-5.update* S0-21.signal* S0-106.entry* S0-43.masked* \
	S3-10.* S4-27.preempted_vector* device.copy* device.function_reset_resets* device.faults_b*

.PHONY: gate-test gate-quick-test
gate-test: build/ringfence-netlist $(GATE_BUILD)/streams ## the conformance tests, a mix and the main job on the synthesized device
	@tests/run --jobs 1 --timeout 3600 --results build/results/$@.tsv \
		"conform=build/ringfence-netlist conform --jobs $(JOBS) --output $(GATE_BUILD)/conform" \
		"model=$(GATE_BUILD)/streams --rounds 12 --seed 1" \
		"soak=python3 tests/host/soak_test.py build/ringfence-netlist $(SOAK_ROUNDS)" \
		"run=python3 tests/host/run_test.py build/ringfence-netlist"

TEST_PARTS += gate-quick-test

gate-quick-test: build/ringfence-netlist ## a few of them
	@tests/run --jobs $(JOBS) --timeout 900 --results build/results/$@.tsv \
		$(foreach test,$(GATE_QUICK),"$(test)=build/ringfence-netlist conform \
			--filter '$(test)' --output $(GATE_BUILD)/quick")
