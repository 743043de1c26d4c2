# SPDX-License-Identifier: Apache-2.0
#
# make coverage: the RTL unit tests and the conformance tests on models that count, and what
# they left out. The report is build/coverage/report.txt (README.md).

# One module twice would count the same lines with other widths, and what rf_board_pcie's test puts in
# the place of three modules the lines of those.
COVERAGE_TESTS := $(filter-out rf_translate_16_sets rf_board_pcie,$(RTL_TESTS))
COVERAGE_PROGRAMS := $(COVERAGE_TESTS:%=build/coverage/%/test)
COVERAGE_RTL := build/coverage/rtl
# Wider signals carry data, which the tests compare word by word.
COVERAGE_WIDTH := 16
# Split, a block counts an arm by what its condition is when the block ends.
COVERAGE_OPTIONS := --coverage-line --coverage-toggle --coverage-user \
	--coverage-max-width $(COVERAGE_WIDTH) -fno-split
COVERAGE_VERILATE := $(subst -y rtl,-y $(COVERAGE_RTL),$(filter-out --build,$(VERILATE_TEST)))

build/coverage/%/test: tests/rtl/%_test.cpp $(wildcard tests/rtl/*.h)
	@mkdir -p $(@D) && rm -f $@
	@echo "  build coverage/$*"
	@{ $(COVERAGE_VERILATE) $(COVERAGE_OPTIONS) --top-module $(call rtl_test_top,$*) --Mdir $(@D) \
		-o test $(call rtl_test_parameters,$*) $(RTL_PACKAGES) \
		$(patsubst rtl/%,$(COVERAGE_RTL)/%,$(call rtl_test_source,$*)) $(CURDIR)/$< \
		$(call rtl_test_partner,$*) && \
	sed -i -f tests/coverage/model.sed $(@D)/*.cpp $(@D)/*.h && \
	env -u MAKEFLAGS $(MAKE) -s -C $(@D) -f V$(call rtl_test_top,$*).mk OPT_FAST=-O1; } \
		>$(@D)/build.log 2>&1 || { cat $(@D)/build.log; rm -f $@; exit 1; }
	@sed -n 's,^.* : ,,p' $(@D)/V*__ver.d | tr ' ' '\n' | sed -n 's,.*\.sv$$,$@: &\n&:,p' >$@.d

$(PARTNER_TESTS:%=build/coverage/%/test): $(LINK_PARTNER)

# The planted files that each program was made from
-include $(wildcard $(COVERAGE_PROGRAMS:%=%.d))

# The whole device under the conformance tests counts what the unit tests have left.
COVERAGE_DEVICE := build/coverage/left.vlt $(subst -y rtl,-y $(COVERAGE_RTL),\
	$(SIM_DEVICE:rtl/rf_device.sv=$(COVERAGE_RTL)/rf_device.sv))

build/sim/coverage/model.a: build/coverage/left.vlt
build/sim/coverage/model.a: SIM_RUNTIME += verilated_cov.o
build/sim/coverage/model.a: SIM_CXXFLAGS := -DVM_COVERAGE=1
build/sim/coverage/model.a: SIM_EDIT = sed -i -f tests/coverage/model.sed $(@D)/*.cpp $(@D)/*.h &&

$(eval $(call sim_model,coverage,--assert $(COVERAGE_OPTIONS) $(COVERAGE_DEVICE),\
	$(SIM_RTL:rtl/%=$(COVERAGE_RTL)/%)))
$(eval $(call sim_library,_coverage,,coverage))

build/ringfence-coverage: $(HOST_OBJECTS) build/umd/libringfence.a build/kmd/libkmd.a \
		build/sim/librfsim_coverage.a
	@echo "  cc $@"
	@$(CC) $^ $(UMD_LIBS) $(HOST_LIBS) $(SIM_LIBS) -o $@

# Not the sweeps of races over all their cycles, which take longer than all else together,
# nor the ends of processes at any moment, which on these models come near the limit of a test
COVERAGE_CONFORM := !(S0-3[67].*|S0-43.last*|S3-57.*|S3-61.processes_end_at_any_moment)

# With TEST=module the counts of all others stay.
COVERAGE_PARTS := coverage-units $(if $(filter *,$(TEST)),coverage-stack) coverage-report

.PHONY: coverage $(COVERAGE_PARTS) coverage-programs
coverage: ## [prove and harden] RTL coverage by unit tests and conformance tests
	@tests/all --jobs $(JOBS) $(COVERAGE_PARTS)

coverage-units:
	@tests/coverage/plant $(COVERAGE_RTL)
	@$(MAKE) --no-print-directory -s -k -j $(JOBS) coverage-programs || true
	@rm -f $(COVERAGE_TESTS:%=build/coverage/%/counts)
	@tests/run --jobs $(JOBS) --timeout 1200 --results build/results/$@.tsv \
		$(foreach test,$(COVERAGE_TESTS),\
			"$(test)=RF_COVERAGE=build/coverage/$(test)/counts build/coverage/$(test)/test")

coverage-programs: $(COVERAGE_PROGRAMS)

coverage-stack:
	@tests/coverage/left build/coverage
	@$(MAKE) --no-print-directory -s -j $(JOBS) build/ringfence-coverage
	@rm -rf build/coverage/stack && mkdir -p build/coverage/stack
	@tests/run --jobs 1 --timeout 3600 --live --results build/results/$@.tsv \
		"conform=RF_COVERAGE=build/coverage/stack build/ringfence-coverage conform \
			--filter '$(COVERAGE_CONFORM)' --jobs $(JOBS) --output build/coverage/stack"

coverage-report:
	@tests/run --selected --results build/results/$@.tsv "coverage=tests/coverage/report build/coverage"
