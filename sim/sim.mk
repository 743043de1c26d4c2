# SPDX-License-Identifier: Apache-2.0
#
# Builds librfsim and its tests. Included by the top Makefile; works alone with
# `make -f sim/sim.mk TARGET`.
#
#   build/sim/librfsim.a            the device, 1 MiB of local memory
#   build/sim/fast/model.a          the same model, compiled by the profile of a run: make fast
#   build/sim/rfsim_wave.so         the same, which can write waves; loaded when they are asked for
#   build/sim/rfsim_link.so         the device behind its PCIe link; loaded for link=
#   build/sim/librfsim_small.a   a small device: 8 slots, no shadow of monitored values, no vector engine
#   build/sim/rfsim_link_small.so   that one behind its link, as on the Versa ECP5-5G in a slot
#   build/sim/librfsim_asan.a       C with AddressSanitizer and UBSan, model plain
#   build/sim/librfsim_tsan.a       C with ThreadSanitizer, model plain
#   build/sim/clink_asan/           the partner of a PCIe link, sim/link/, for its tests
#   build/rf-vfio-user              the device for a virtual machine, in sim/vfio_user/
#   build/rf-serial-board           a simulated board on a pseudo-terminal, in sim/board/
#   build/rf-serial-board-1mbaud    the same at the divider of real boards
#   build/rf-link-board             the console of a board in a PCIe slot, simulated
#   sim-test                        the tests of the library itself, in tests/sim/
#   serial-test                     those of a board at the end of a serial line
#
# Link a program with one of them and $(SIM_LIBS).

include tools/path.mk tools/version.mk tools/select.mk

VERILATOR ?= verilator
SIM_BUILD := build/sim
SIM_LIBS := -lstdc++ -lz -lpthread -lm -ldl
SIM_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -Isim -Ikmd/include \
	-DRFSIM_WAVE_LIBRARY='"$(CURDIR)/$(SIM_BUILD)/rfsim_wave.so"' -DRFSIM_WAVE_HINT='"make waves"' \
	-DRFSIM_LINK_LIBRARY='"$(CURDIR)/$(SIM_BUILD)/rfsim_link.so"' -DRFSIM_LINK_HINT='"make link-model"'
SIM_ASAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
SIM_TSAN := -fsanitize=thread
SIM_SOURCES := $(wildcard sim/*.c)
SIM_HEADERS := $(wildcard sim/*.h) sim/timeline.html kmd/include/ringfence_hw.h

VERILATOR_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)
SIM_VERILATE := $(VERILATOR) --cc -O3 --x-assign fast --x-initial fast --assert \
	--threads 1 --timescale 1ns/1ns -Wno-fatal -Werror-USERERROR \
	--top-module rf_device --prefix Vrf_device
SIM_RTL_FOLDERS := lib pcie mem mmu sched cp fence engine
SIM_RTL := $(wildcard rtl/*.sv $(SIM_RTL_FOLDERS:%=rtl/%/*.sv)) rtl/rf_pkg.sv

# $(call sim_model,name,verilator arguments,sources): the model and its wrapper
# as one archive, build/sim/<name>/model.a. One that counts sets these for itself
# (tests/coverage/).
SIM_RUNTIME := verilated.o verilated_threads.o
# Of one that goes into a shared library; calls inside are those of a program all the same.
SIM_SHARED := -CFLAGS -fPIC -CFLAGS -fvisibility=hidden
# Of one that can write waves
SIM_WAVES := --trace-fst
# Calls of Verilator's writer of waves that wave_file.c stands in for
SIM_WAVE_FILES := fopen unlink tmpfile fflush fclose mmap
OBJCOPY ?= objcopy
# The loops are Verilator's over the edges of all clocks.
SIM_OPT := -O1 -ftree-loop-vectorize -fvect-cost-model=unlimited -funroll-loops -fstore-merging \
	-fcse-follow-jumps -frerun-cse-after-loop -fno-ivopts
SIM_SLOW := -O0
SIM_MAKE :=
SIM_CXXFLAGS :=
SIM_EDIT :=

# make -n runs a line with a +, which a line with jobs of its own needs.
SIM_DRY := $(findstring n,$(firstword -$(MAKEFLAGS)))

# $(call sim_archive,verilator arguments): a recipe's lines, which make the model, $@.new
define sim_archive
	@mkdir -p $(@D)
	@echo "  build $(patsubst build/%/,%,$(dir $@))"
	+@$(if $(SIM_DRY),true ||) { $(SIM_VERILATE) $(1) --Mdir $(@D) && $(SIM_EDIT) \
	$(MAKE) $(SIM_MAKE) -C $(@D) -f Vrf_device.mk OPT_FAST='$(SIM_OPT)' OPT_SLOW=$(SIM_SLOW) \
		Vrf_device__ALL.a $(SIM_RUNTIME) $(if $(findstring --trace-fst,$(1)),&& \
	$(OBJCOPY) $(foreach call,$(SIM_WAVE_FILES),--redefine-sym $(call)=rfsim_wave_$(call)) \
		$(@D)/verilated_fst_c.o); } >$(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }
	@$(if $(SIM_DRY),true ||) cp $(@D)/Vrf_device__ALL.a $@.new
	@$(if $(SIM_DRY),true ||) $(AR) rcs $@.new $(addprefix $(@D)/,$(SIM_RUNTIME))
endef

define sim_model
$(SIM_BUILD)/$(1)/model.a: $(3) sim/verilated_device.cpp sim/device_model.h sim/wave_file.h
	$$(call sim_archive,$(2))
	@$$(CXX) -std=c++17 -O2 -Wall -Wextra -fPIC $(if $(findstring --trace-fst,$(2)),-DRFSIM_WAVES) \
		$(if $(findstring rf_device_stepped,$(2)),-DRFSIM_STEPPED) \
		$(if $(filter device wave train fast,$(1)),-DRFSIM_LINK=nullptr) \
		$(if $(filter small,$(1)),-DRFSIM_LINK='"$(CURDIR)/$(SIM_BUILD)/rfsim_link_small.so"') \
		$$(SIM_CXXFLAGS) -Isim -I$$(@D) -isystem $(VERILATOR_ROOT)/include \
		-c sim/verilated_device.cpp -o $$(@D)/verilated_device.o
	@$$(AR) rcs $$@.new $$(@D)/verilated_device.o
	@mv $$@.new $$@
endef

# The model and what its waves are written by, with nothing to be seen but its creation
$(SIM_BUILD)/rfsim_wave.so: sim/wave_file.c sim/wave_file.h sim/model.map $(SIM_BUILD)/wave/model.a
	@$(CC) $(SIM_CFLAGS) -fPIC -c $< -o $(SIM_BUILD)/wave/wave_file.o
	@$(CXX) -shared -Wl,--version-script=sim/model.map -Wl,--whole-archive $(SIM_BUILD)/wave/model.a \
		-Wl,--no-whole-archive $(SIM_BUILD)/wave/wave_file.o -lz -lpthread -o $@

.PHONY: waves
waves: $(SIM_BUILD)/rfsim_wave.so ## [build] the model for waves (wave= in a device string, bench --waves)

# $(call sim_objects,flavour,flags): the C sources, build/sim/c<flavour>/*.o
define sim_objects
$(SIM_BUILD)/c$(1)/%.o: sim/%.c $(SIM_HEADERS)
	@mkdir -p $$(@D)
	@$$(CC) $(SIM_CFLAGS) $(2) -c $$< -o $$@
endef

# $(call sim_library,library,flavour,model)
define sim_library
$(SIM_BUILD)/librfsim$(1).a: $(SIM_SOURCES:sim/%.c=$(SIM_BUILD)/c$(2)/%.o) $(SIM_BUILD)/$(3)/model.a
	@cp $(SIM_BUILD)/$(3)/model.a $$@.new
	@$$(AR) rcs $$@.new $$(filter %.o,$$^)
	@mv $$@.new $$@
endef

SIM_DEVICE := -GLocalMemoryLog2=20 -y rtl $(SIM_RTL_FOLDERS:%=-y rtl/%) rtl/rf_pkg.sv \
	rtl/lib/rf_bus_pkg.sv rtl/rf_device.sv

# Waves show both edges of the clock; without them a cycle is one evaluation, and blocks sleep
# (rtl/lib/rf_clock_gate.sv).
SIM_STEPPED := --top-module rf_device_stepped -DRF_CLOCK_GATES $(SIM_DEVICE) \
	sim/rf_device_stepped.sv
SIM_STEPPED_RTL := $(SIM_RTL) sim/rf_device_stepped.sv
# In as few files as Verilator writes, so that the compiler sees more of it at once
SIM_WHOLE := --output-split 0
SIM_SMALL := -GMonitoredShadow=0 -GSlots=8 -GVectorEngine=0

$(eval $(call sim_model,device,$(SIM_SHARED) $(SIM_STEPPED),$(SIM_STEPPED_RTL)))
$(eval $(call sim_model,wave,$(SIM_SHARED) $(SIM_WAVES) $(SIM_DEVICE),$(SIM_RTL)))
$(eval $(call sim_model,train,$(SIM_SHARED) $(SIM_WHOLE) $(SIM_STEPPED),$(SIM_STEPPED_RTL)))
$(eval $(call sim_model,fast,$(SIM_SHARED) $(SIM_WHOLE) $(SIM_STEPPED),$(SIM_STEPPED_RTL) $(SIM_BUILD)/fast/profile))
$(eval $(call sim_model,small,$(SIM_SMALL) $(SIM_STEPPED),$(SIM_STEPPED_RTL)))
$(eval $(call sim_model,echo,$(SIM_WAVES) tests/sim/echo_device.sv,tests/sim/echo_device.sv))
# Those that were built with other options are built again.
$(foreach model,device small train fast,$(SIM_BUILD)/$(model)/model.a): sim/sim.mk
$(SIM_BUILD)/wave/model.a $(SIM_BUILD)/echo/model.a: SIM_RUNTIME += verilated_fst_c.o
$(eval $(call sim_objects,,))
$(eval $(call sim_objects,_asan,$(SIM_ASAN)))
$(eval $(call sim_objects,_tsan,$(SIM_TSAN)))
$(eval $(call sim_library,,,device))
$(eval $(call sim_library,_small,,small))
$(eval $(call sim_library,_asan,_asan,device))
$(eval $(call sim_library,_tsan,_tsan,device))
$(eval $(call sim_library,_echo,,echo))
$(eval $(call sim_library,_echo_asan,_asan,echo))
$(eval $(call sim_library,_echo_tsan,_tsan,echo))

# Compiled by what a short run does: the compiler lays what is seldom taken out of the way. It
# stands in for the model of librfsim.a until the RTL changes.
SIM_TRAINING := bench --filter 'copy_write*'
$(SIM_BUILD)/train/model.a: private SIM_OPT := -O3 -fprofile-generate
$(SIM_BUILD)/fast/model.a: private SIM_OPT := -O3 -fprofile-use -Werror=missing-profile
$(SIM_BUILD)/fast/model.a: private SIM_SLOW := -O1
$(SIM_BUILD)/fast/model.a: private SIM_EDIT := cp $(SIM_BUILD)/train/*.gcda $(SIM_BUILD)/fast/ &&
$(SIM_BUILD)/train/model.a $(SIM_BUILD)/fast/model.a: private SIM_MAKE := OBJCACHE=
$(eval $(call sim_library,_train,,train))
$(eval $(call sim_library,_fast,,fast))

$(SIM_BUILD)/fast/profile: build/ringfence-train
	@mkdir -p $(@D)
	@rm -f $(SIM_BUILD)/train/*.gcda
	@$< $(SIM_TRAINING) >$@.new
	@mv $@.new $@

.PHONY: fast
fast: $(SIM_BUILD)/fast/model.a ## [build] a faster simulator, optimised with the profile of a run
	@cp $< $(SIM_BUILD)/device/model.a
	@$(MAKE) --no-print-directory build/ringfence build/rf-vfio-user

# $(call sim_test,program,flavour,flags): against the stand-in device.
define sim_test
$(SIM_BUILD)/test/$(1)$(2): tests/sim/$(1).c $(wildcard tests/sim/*.h) tests/fuzz/strings.h $(SIM_HEADERS) \
		$(SIM_BUILD)/librfsim_echo$(2).a
	@mkdir -p $$(@D)
	@$$(CC) $(SIM_CFLAGS) $(3) -Itests/sim $$< $(SIM_BUILD)/librfsim_echo$(2).a \
		-lcmocka $(SIM_LIBS) -o $$@
endef

$(eval $(call sim_test,sim_test,_asan,$(SIM_ASAN)))
$(eval $(call sim_test,checker_test,_asan,$(SIM_ASAN)))
$(eval $(call sim_test,string_test,_asan,$(SIM_ASAN)))
$(eval $(call sim_test,thread_test,_tsan,$(SIM_TSAN)))

DEVICE_TESTS := device_test link_loss_test
$(DEVICE_TESTS:%=$(SIM_BUILD)/test/%_asan): $(SIM_BUILD)/test/%_asan: tests/sim/%.c tests/sim/unit.h \
		kmd/include/ringfence_hw.h $(SIM_HEADERS) $(SIM_BUILD)/librfsim_asan.a
	@mkdir -p $(@D)
	@$(CC) $(SIM_CFLAGS) $(SIM_ASAN) -Ikmd/include $< $(SIM_BUILD)/librfsim_asan.a \
		-lcmocka $(SIM_LIBS) -o $@

# rf_device behind its PCIe link, and the link partner
SIM_LINKED_RTL := $(SIM_RTL) $(wildcard rtl/link/*.sv) rtl/rf_device_linked.sv
LINK_SOURCES := $(wildcard sim/link/*.c)
LINK_HEADERS := $(wildcard sim/link/*.h) sim/tlp.h

$(SIM_BUILD)/clinked/%.o: sim/link/%.c $(LINK_HEADERS)
	@mkdir -p $(@D)
	@$(CC) $(SIM_CFLAGS) -fPIC -c $< -o $@

# $(call sim_linked,suffix,parameters)
define sim_linked
$(SIM_BUILD)/linked$(1)/model.a: $(SIM_LINKED_RTL)
	$$(call sim_archive,$(SIM_SHARED) --top-module rf_device_linked -GMillisecond=20 $(2) \
		-DRF_CLOCK_GATES -y rtl/link $(SIM_DEVICE) rtl/link/rf_link_pkg.sv rtl/rf_device_linked.sv)
	@mv $$@.new $$@

$(SIM_BUILD)/linked$(1)/link_device.o: sim/link_device.cpp sim/link_serdes.h sim/device_model.h \
		$(LINK_HEADERS) $(SIM_BUILD)/linked$(1)/model.a
	@$$(CXX) -std=c++17 -O2 -Wall -Wextra -fPIC $$(SIM_CXXFLAGS) -Isim -I$$(@D) \
		-isystem $(VERILATOR_ROOT)/include -c $$< -o $$@

$(SIM_BUILD)/rfsim_link$(1).so: sim/model.map $(SIM_BUILD)/linked$(1)/link_device.o \
		$(LINK_SOURCES:sim/link/%.c=$(SIM_BUILD)/clinked/%.o) $(SIM_BUILD)/linked$(1)/model.a
	@$$(CXX) -shared -Wl,-z,defs -Wl,--version-script=$$< $$(filter %.o %.a,$$^) -lpthread -o $$@.new
	@mv $$@.new $$@
endef

$(eval $(call sim_linked))
# As rf_board_pcie.sv has it, but for the size of local memory
$(eval $(call sim_linked,_small,$(SIM_SMALL) -GTlbSetsLog2=4))

.PHONY: link-model link-model-small
link-model: $(SIM_BUILD)/rfsim_link.so ## [build] the model of a device behind a PCIe link (link= in a device string)
link-model-small: $(SIM_BUILD)/rfsim_link_small.so ## [build] the same of the small device, for build/ringfence-small

# The link partner stands alone: no model. $(call link_test,program)
LINK_TESTS := link_symbol_test link_training_test link_data_test link_watch_test

$(SIM_BUILD)/clink_asan/%.o: sim/link/%.c $(LINK_HEADERS)
	@mkdir -p $(@D)
	@$(CC) $(SIM_CFLAGS) $(SIM_ASAN) -c $< -o $@

define link_test
$(SIM_BUILD)/test/$(1)_asan: tests/sim/$(1).c $(wildcard tests/sim/link*.h) $(LINK_HEADERS) \
		$(LINK_SOURCES:sim/link/%.c=$(SIM_BUILD)/clink_asan/%.o)
	@mkdir -p $$(@D)
	@$$(CC) $(SIM_CFLAGS) $(SIM_ASAN) -Itests/sim $$(filter %.c %.o,$$^) -lcmocka -o $$@
endef

$(foreach test,$(LINK_TESTS),$(eval $(call link_test,$(test))))

# $(call vfio_user_program,program,flavour,flags)
define vfio_user_program
$(1): $(wildcard sim/vfio_user/*.[ch]) $(SIM_HEADERS) $(VERSION_HEADER) $(SIM_BUILD)/librfsim$(2).a
	@mkdir -p $$(@D)
	@$$(CC) $(SIM_CFLAGS) -Ibuild/include -D_GNU_SOURCE $(3) $$(filter %.c,$$^) \
		$(SIM_BUILD)/librfsim$(2).a $(SIM_LIBS) -o $$@
endef

$(eval $(call vfio_user_program,build/rf-vfio-user,,))
$(eval $(call vfio_user_program,$(SIM_BUILD)/test/rf-vfio-user_asan,_asan,$(SIM_ASAN)))

VFIO_USER_TESTS := vfio_user_test vfio_user_devices_test
$(VFIO_USER_TESTS:%=$(SIM_BUILD)/test/%): $(SIM_BUILD)/test/%: tests/sim/%.c \
		$(addprefix tests/sim/vfio_user_client.,c h) sim/vfio_user/protocol.h \
		kmd/include/ringfence_hw.h
	@mkdir -p $(@D)
	@$(CC) $(SIM_CFLAGS) -D_GNU_SOURCE -Ikmd/include $(filter %.c,$^) -lcmocka -o $@

# $(call serial_board,program,divider,top's file,source,objects): a board's top behind a pseudo-terminal
SERIAL_BOARD_FOLDERS := $(SIM_RTL_FOLDERS) serial link board

define serial_board
build/$(1): $(wildcard sim/board/* sim/*.h rtl/*.sv $(SERIAL_BOARD_FOLDERS:%=rtl/%/*.sv)) rtl/rf_pkg.sv $(VERSION_HEADER) $(5)
	@mkdir -p $(SIM_BUILD)/$(1)
	@echo "  build $(1)"
	@$(VERILATOR) --cc --exe --build -O3 --x-assign fast --x-initial fast --assert \
		-Wno-fatal -Werror-USERERROR --threads 1 --top-module $(basename $(notdir $(3))) -GDivider=$(2) \
		--Mdir $(SIM_BUILD)/$(1) -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0" \
		-CFLAGS "-std=c++17 -DDIVIDER=$(2) -I$(CURDIR)/build/include -I$(CURDIR)/sim" \
		-y rtl $(SERIAL_BOARD_FOLDERS:%=-y rtl/%) $$(RTL_PACKAGES) \
		$(3) $$(abspath sim/board/$(4).cpp $(5)) \
		-o $$(abspath $$@) \
		>$(SIM_BUILD)/$(1)/build.log 2>&1 || { cat $(SIM_BUILD)/$(1)/build.log; exit 1; }
endef

$(eval $(call serial_board,rf-serial-board,4,rtl/board/rf_board.sv,serial_board))
$(eval $(call serial_board,rf-serial-board-1mbaud,62,rtl/board/rf_board.sv,serial_board))
# The console of a board in a PCIe slot, with the root port at the other end of its link
$(eval $(call serial_board,rf-link-board,4,sim/board/rf_link_board.sv,link_board,$(LINK_SOURCES:sim/link/%.c=$(SIM_BUILD)/clinked/%.o)))

$(SIM_BUILD)/test/serial_test: tests/sim/serial_test.c kmd/include/ringfence_hw.h \
		$(SIM_HEADERS) $(SIM_BUILD)/librfsim_asan.a
	@mkdir -p $(@D)
	@$(CC) $(SIM_CFLAGS) -D_GNU_SOURCE $(SIM_ASAN) -Ikmd/include $< $(SIM_BUILD)/librfsim_asan.a \
		-lcmocka $(SIM_LIBS) -o $@

SERIAL_TEST := $(SIM_BUILD)/test/serial_test build/rf-serial-board build/rf-serial-board-1mbaud
SERIAL_STACK_TEST := tests/sim/serial_stack_test.py build/rf-serial-board build/examples/first_fence
VFIO_USER_SERVER := $(SIM_BUILD)/test/rf-vfio-user_asan
SIM_TESTS := $(addprefix $(SIM_BUILD)/test/,sim_test_asan checker_test_asan \
	string_test_asan thread_test_tsan $(DEVICE_TESTS:%=%_asan) \
	$(LINK_TESTS:%=%_asan))

TEST_PARTS += sim-test

.PHONY: sim-test sim-test-programs
sim-test: ## [test] the tests of the simulation library
	@$(MAKE) --no-print-directory -s -k sim-test-programs || true
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		$(foreach test,$(SIM_TESTS),"$(notdir $(test))=$(test)") \
		$(foreach test,$(VFIO_USER_TESTS),"$(test)=$(SIM_BUILD)/test/$(test) $(VFIO_USER_SERVER)")

# With TEST=, those of that name alone: the link's need no model.
SIM_SELECTED = $(call selected,$(notdir $(SIM_TESTS)) $(VFIO_USER_TESTS))
SIM_PROGRAMS = $(addprefix $(SIM_BUILD)/test/,$(SIM_SELECTED)) \
	$(if $(filter $(VFIO_USER_TESTS),$(SIM_SELECTED)),$(VFIO_USER_SERVER)) \
	$(if $(filter-out link_%,$(SIM_SELECTED)),waves) \
	$(if $(filter $(DEVICE_TESTS:%=%_asan) $(VFIO_USER_TESTS),$(SIM_SELECTED)),link-model)

sim-test-programs: $(SIM_PROGRAMS)
TEST_PROGRAMS += sim-test-programs

LONG_TEST_PARTS += serial-test

SERIAL_CONFORM := tests/sim/serial_conform_test build/rf-serial-board build/ringfence
# Fences and their interrupts
SERIAL_CONFORM_SUBSET := 'S0-1[236].*'

.PHONY: serial-test serial-test-programs serial-conform-test
serial-test: ## [test] a simulated board at the end of a serial line, and some of the conformance tests on it
	@$(MAKE) --no-print-directory -s -k serial-test-programs || true
	@tests/run --jobs 1 --timeout 1200 --results build/results/$@.tsv \
		"serial_test=$(SERIAL_TEST)" "serial_stack_test=python3 $(SERIAL_STACK_TEST)" \
		"serial_conform=$(SERIAL_CONFORM) $(SERIAL_CONFORM_SUBSET)"

serial-conform-test: ## [test] copy and recovery at a board's divider; every conformance test that a serial line allows
	@$(MAKE) --no-print-directory -s -k serial-test-programs || true
	@tests/run --jobs $(JOBS) --timeout 14400 --results build/results/$@.tsv \
		"serial_test=$(SERIAL_TEST) long" "serial_conform=$(SERIAL_CONFORM) '*'"

serial-test-programs: $(SERIAL_TEST) $(SERIAL_STACK_TEST) $(SERIAL_CONFORM)
TEST_PROGRAMS += serial-test-programs
