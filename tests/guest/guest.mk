# SPDX-License-Identifier: Apache-2.0
#
# A Linux guest in QEMU with the simulated device: see docs/guest.md.
#
#   guest        a shell there
#   guest-test   the tests of this folder, there

GUEST_HEADERS := kmd/include/ringfence_hw.h
GUEST := tools/guest --add tests/guest=/tests --add $(GUEST_HEADERS)=/tests/ringfence_hw.h
GUEST_TESTS := pci_test

TEST_PARTS += guest-test

.PHONY: guest guest-test
guest: build/rf-vfio-user ## a shell in a Linux guest with the device (Ctrl-A X ends it)
	@$(GUEST)

guest-test: build/rf-vfio-user ## the tests in the guest
	@tests/run --jobs 1 --live --timeout 300 --results build/results/$@.tsv \
		"guest_test=tests/guest/guest_test.py" \
		"guest=$(GUEST) /tests/all $(GUEST_TESTS)"
