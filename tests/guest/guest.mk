# SPDX-License-Identifier: Apache-2.0
#
# A Linux guest in QEMU with the simulated device: see docs/guest.md.
#
#   guest              a shell there
#   guest-test         the tests of this folder
#   guest-quick-test   of these, what is part of make test
#   guest-newest       the driver's on the newest kernel that Debian has
#   guest-debug        the driver's on a kernel with every checker
#   guest-fuzz         requests at random on that kernel

GUEST_BUILD := build/guest
GUEST_MODULE := $(GUEST_BUILD)/module/ringfence.ko
GUEST_PROGRAMS := build/rf-vfio-user build/ringfence $(GUEST_BUILD)/user $(GUEST_BUILD)/fuzz \
	$(GUEST_BUILD)/life $(GUEST_BUILD)/peer build/umd/shared/first_fence build/examples/two_devices
GUEST_INPUT := docs/registers.md
GUEST := tools/guest --module $(GUEST_MODULE) --add build/ringfence=/usr/bin/ringfence \
	--add tests/guest=/tests --add $(GUEST_BUILD)/user=/tests/user \
	--add $(GUEST_BUILD)/fuzz=/tests/fuzz --add $(GUEST_BUILD)/life=/tests/life \
	--add $(GUEST_BUILD)/peer=/tests/peer --add build/examples/two_devices=/tests/two_devices \
	--add build/umd/shared/first_fence=/tests/first_fence \
	--add build/umd/shared/libringfence.so.1=/usr/lib/libringfence.so.1 \
	--add kmd/include/ringfence_hw.h=/tests/ringfence_hw.h --add $(GUEST_INPUT)=/tests/input
GUEST_LOADER := /lib64/ld-linux-x86-64.so.2
GUEST_TESTS := pci_test driver_test cache_test

# Root reaches registers also under the driver: the tests make an engine hang. vgem has
# dma_fences of its own.
GUEST += --append iomem=relaxed --kernel-module vgem

# Tests take minutes, on a busy host some times as many: the limits are for what hangs.
GUEST_TEST := $(GUEST) --timeout 1200
GUEST_RUN := tests/run --jobs 1 --live --timeout 1300

# A warning of the compiler, of kernel-doc or of sparse is an error here.
$(GUEST_MODULE): kmd/Kbuild $(wildcard kmd/core/*.h kmd/core/*/*.[ch] kmd/ddi/*.[ch] kmd/linux/*.[ch]) \
		$(wildcard kmd/include/*.h kmd/include/uapi/drm/*.h) tools/guest-module
	@mkdir -p $(@D)
	@echo "  build $@"
	@tools/guest-module guest $(@D) W=1 C=1 >$(GUEST_BUILD)/module.log 2>&1 && \
		! grep -i warning $(GUEST_BUILD)/module.log || \
		{ cat $(GUEST_BUILD)/module.log; rm -f $@; exit 1; }

$(GUEST_BUILD)/fuzz $(GUEST_BUILD)/life: $(GUEST_BUILD)/%: tests/guest/%.c \
		kmd/include/uapi/drm/ringfence_drm.h
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) -O2 $(UMD_OWN_CFLAGS) $< -o $@

$(GUEST_BUILD)/user $(GUEST_BUILD)/peer: $(GUEST_BUILD)/%: tests/guest/%.c tests/guest/program.h \
		$(UMD_HEADERS) build/umd/libringfence.a \
		build/kmd/libkmd.a build/sim/librfsim.a
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) -O2 $(UMD_OWN_CFLAGS) $(filter %.c %.a,$^) $(UMD_LIBS) $(SIM_LIBS) -o $@

# For the newest kernel that Debian has: what kernels have changed is noticed here.
$(GUEST_BUILD)/newest/ringfence.ko: $(GUEST_MODULE)
	@echo "  build $@"
	@tools/guest-module newest $(@D) W=1 >$(GUEST_BUILD)/newest.log 2>&1 && \
		! grep -i warning $(GUEST_BUILD)/newest.log || \
		{ cat $(GUEST_BUILD)/newest.log; rm -f $@; exit 1; }

$(GUEST_BUILD)/debug/ringfence.ko: $(GUEST_MODULE)
	@echo "  build $@"
	@tools/guest-module kernel $(@D)

GUEST_NEWEST := $(subst $(GUEST_MODULE),$(GUEST_BUILD)/newest/ringfence.ko,$(GUEST_TEST)) \
	--kernel newest

GUEST_DEBUG := $(subst $(GUEST_MODULE),$(GUEST_BUILD)/debug/ringfence.ko,$(GUEST_TEST)) --kernel debug

# Part of make test, which has little time
LONG_TEST_PARTS += guest-quick-test
TEST_PROGRAMS += $(GUEST_MODULE) $(GUEST_PROGRAMS)

# Programs that show the use of GPUs, which usage_test runs, and what they are linked with
GUEST_MONITORS := $(GUEST_BUILD)/monitors

$(GUEST_MONITORS): tools/private-root
	@rm -rf $@ $@.new && mkdir -p $@.new
	@echo "  copy $@"
	@root=$$(tools/private-root path monitors) && for program in gputop nvtop; do \
		cp $$root/usr/bin/$$program $@.new && \
		tools/private-root in monitors $(GUEST_LOADER) --list /usr/bin/$$program | \
			sed -nE 's,.* => (/\S+) .*,\1,p' | while read -r library; do \
				cp "$$root$$library" $@.new || exit 1; done || exit 1; done && \
		cp "$$root$(GUEST_LOADER)" $@.new
	@mv $@.new $@

GUEST_TWO := --device sim:devices=2
GUEST_LINK := --device sim:link=gen1x1

GUEST_QUICK := "guest=$(GUEST_TEST) /tests/all $(GUEST_TESTS)" \
	"guest_two=$(GUEST_TEST) $(GUEST_TWO) /tests/peer_test quick"

.PHONY: guest guest-test guest-quick-test guest-newest guest-debug guest-fuzz
guest: $(GUEST_MODULE) $(GUEST_PROGRAMS) ## [first steps] a shell in a Linux guest with the device (Ctrl-A X ends it)
	@$(GUEST)

guest-quick-test: $(GUEST_MODULE) $(GUEST_PROGRAMS) ## [test] the device and its driver in a Linux guest
	@$(GUEST_RUN) --results build/results/$@.tsv $(GUEST_QUICK)

guest-test: $(GUEST_MODULE) $(GUEST_BUILD)/newest/ringfence.ko $(GUEST_PROGRAMS) $(GUEST_MONITORS) link-model ## [test] all tests that need a guest
	@$(GUEST_RUN) --results build/results/$@.tsv $(GUEST_QUICK) \
		"conform=$(GUEST_TEST) /tests/conform_test" \
		"bare=$(GUEST_TEST) /tests/bare_test" \
		"tools=$(GUEST_TEST) /tests/all tools_test" \
		"usage=$(GUEST_TEST) --add $(GUEST_MONITORS)=/monitors /tests/usage_test" \
		"life=$(GUEST_TEST) /tests/life_test" \
		"iommu=$(GUEST_TEST) --iommu /tests/all iommu_test" \
		"two=$(GUEST_TEST) $(GUEST_TWO) /tests/two_test" \
		"two_iommu=$(GUEST_TEST) --iommu $(GUEST_TWO) /tests/two_test" \
		"peer=$(GUEST_TEST) $(GUEST_TWO) /tests/peer_test" \
		"peer_iommu=$(GUEST_TEST) --iommu $(GUEST_TWO) /tests/peer_test" \
		"link=$(GUEST_TEST) $(GUEST_LINK) /tests/link_test" \
		"bounce=$(GUEST_TEST) --append swiotlb=force /tests/bounce_test" \
		"aer=$(GUEST_TEST) --kernel-module aer_inject /tests/aer_test" \
		"config=$(GUEST) --timeout 3600 /tests/config_test" \
		"gone=tests/guest/gone.py $(GUEST_TEST) /tests/gone_test" \
		"gone_asleep=tests/guest/gone.py $(GUEST_TEST) /tests/gone_test asleep" \
		"guest_test=tests/guest/guest_test.py" \
		"dkms=tests/guest/dkms.sh $(GUEST_BUILD)/dkms" \
		"newest=$(GUEST_NEWEST) /tests/all driver_test"

guest-newest: $(GUEST_BUILD)/newest/ringfence.ko $(GUEST_PROGRAMS) ## [test] the driver's tests on the newest kernel that Debian has
	@$(GUEST_RUN) --results build/results/$@.tsv "newest=$(GUEST_NEWEST) /tests/all driver_test"

guest-debug: $(GUEST_BUILD)/debug/ringfence.ko $(GUEST_PROGRAMS) ## [test] the driver's tests on a kernel with KASAN and LOCKDEP
	@$(GUEST_RUN) --results build/results/$@.tsv \
		"debug=$(GUEST_DEBUG) /tests/all driver_test" \
		"debug_life=$(GUEST_DEBUG) /tests/life_test" \
		"debug_irqsoff=$(GUEST_DEBUG) --icount /tests/irqsoff_test" \
		"debug_iommu=$(GUEST_DEBUG) --iommu /tests/all iommu_test" \
		"debug_peer=$(GUEST_DEBUG) $(GUEST_TWO) /tests/peer_test"

SECONDS ?= 60
SEED ?= 1
guest-fuzz: $(GUEST_BUILD)/debug/ringfence.ko $(GUEST_PROGRAMS) ## [prove and harden] random requests on the debug kernel (SECONDS=, SEED=)
	@$(GUEST_RUN) --timeout $$(($(SECONDS) + 1300)) --results build/results/$@.tsv \
		"fuzz=$(GUEST_DEBUG) --timeout $$(($(SECONDS) + 1200)) /tests/fuzz_test $(SECONDS) $(SEED)"
