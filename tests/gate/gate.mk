# SPDX-License-Identifier: Apache-2.0
#
# The synthesized device, not its source, under the tests of the whole stack.
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
	@$(CC) $^ $(UMD_LIBS) $(SIM_LIBS) -o $@
