# SPDX-License-Identifier: Apache-2.0
#
# A Linux guest in QEMU with the simulated device: see docs/guest.md.
#
#   guest        a shell there
#   guest-test   the tests of this folder, there

GUEST_BUILD := build/guest
GUEST_MODULE := $(GUEST_BUILD)/module/ringfence.ko
GUEST_PROGRAMS := build/rf-vfio-user build/ringfence $(GUEST_BUILD)/user
GUEST_INPUT := docs/registers.md
GUEST := tools/guest --module $(GUEST_MODULE) --add build/ringfence=/usr/bin/ringfence \
	--add tests/guest=/tests --add $(GUEST_BUILD)/user=/tests/user \
	--add kmd/include/ringfence_hw.h=/tests/ringfence_hw.h --add $(GUEST_INPUT)=/tests/input
GUEST_TESTS := pci_test driver_test

# A warning of the compiler or of kernel-doc is an error here.
$(GUEST_MODULE): kmd/Kbuild $(wildcard kmd/core/*.[ch] kmd/ddi/*.[ch] kmd/linux/*.[ch]) \
		$(wildcard kmd/include/*.h kmd/include/uapi/drm/*.h) tools/guest-module
	@mkdir -p $(@D)
	@echo "  build $@"
	@tools/guest-module $(@D) W=1 >$(GUEST_BUILD)/module.log 2>&1 && \
		! grep -i warning $(GUEST_BUILD)/module.log || \
		{ cat $(GUEST_BUILD)/module.log; rm -f $@; exit 1; }

$(GUEST_BUILD)/user: tests/guest/user.c $(UMD_HEADERS) build/umd/libringfence.a \
		build/kmd/libkmd.a build/sim/librfsim.a
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) -O2 $(UMD_OWN_CFLAGS) $(filter %.c %.a,$^) $(UMD_LIBS) $(SIM_LIBS) -o $@

TEST_PARTS += guest-test

.PHONY: guest guest-test guest-module
guest-module: $(GUEST_MODULE) ## the kernel module for the guest

guest: $(GUEST_MODULE) $(GUEST_PROGRAMS) ## a shell in a Linux guest with the device (Ctrl-A X ends it)
	@$(GUEST)

guest-test: $(GUEST_MODULE) $(GUEST_PROGRAMS) ## the tests in the guest
	@tests/run --jobs 1 --live --timeout 300 --results build/results/$@.tsv \
		"guest_test=tests/guest/guest_test.py" \
		"guest=$(GUEST) /tests/all $(GUEST_TESTS)" \
		"iommu=$(GUEST) --iommu /tests/all iommu_test"
