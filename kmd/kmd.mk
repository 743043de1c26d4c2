# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver as a library of the process: core, miniport and hosted shell.
#
#   build/kmd/libkmd.a              with the simulated bus; link with librfsim
#   build/kmd/libkmd_asan.a         with AddressSanitizer and UBSan
#   build/kmd/libkmd_tsan.a         with ThreadSanitizer
#   kmd-test                        the tests of the driver
#   install-driver                  sources of the Linux driver, for DKMS
#
# KMD_CFLAGS is what a program that uses the hosted shell compiles with.

KMD_BUILD := build/kmd
KMD_CFLAGS := -std=gnu11 -g -Wall -Wextra -Werror -Ikmd/include -Ikmd/include/uapi/drm \
	-Ikmd/core -Ikmd/ddi -Ikmd/hosted
# The device "miniport:" without a path; installed, it is another (packaging/install.mk).
MINIPORT_SAMPLE := build/examples/miniport.so
KMD_CFLAGS += -DRF_MINIPORT_SAMPLE='"$(CURDIR)/$(MINIPORT_SAMPLE)"' \
	-DRF_MINIPORT_HINT='"make $(MINIPORT_SAMPLE)"'
KMD_ASAN := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined
KMD_TSAN := -O1 -fsanitize=thread -Wno-tsan
KMD_SOURCES := $(wildcard kmd/core/*/*.c kmd/ddi/*.c kmd/hosted/*.c)
KMD_HEADERS := $(wildcard kmd/*/*.h kmd/core/*/*.h kmd/include/uapi/drm/*.h) sim/rfsim.h

# $(call kmd_library,flavour,flags)
define kmd_library
$(KMD_BUILD)/c$(1)/%.o: kmd/%.c $(KMD_HEADERS) | $(SETUP)
	@mkdir -p $$(@D)
	@echo "  cc $$@"
	@$$(CC) $(KMD_CFLAGS) -Isim $(2) -c $$< -o $$@

$(KMD_BUILD)/libkmd$(1).a: $(KMD_SOURCES:kmd/%.c=$(KMD_BUILD)/c$(1)/%.o)
	@rm -f $$@
	@echo "  ar $$@"
	@$$(AR) rcs $$@ $$^
endef

$(eval $(call kmd_library,,-O2))
$(eval $(call kmd_library,_asan,$(KMD_ASAN)))
$(eval $(call kmd_library,_tsan,$(KMD_TSAN)))

# --- the sample miniport ------------------------------------------------------------

# What a miniport is compiled with
MINIPORT_HEADERS := $(addprefix kmd/include/,rf_miniport_module.h rf_miniport_memory.h \
	rf_miniport_reports.h rf_stream.h rf_bus.h rf_os.h rf_types.h ringfence_hw.h) \
	kmd/ddi/rf_ddi.h kmd/hosted/rf_os_shell.h
MINIPORT_SOURCES := $(wildcard examples/miniport/*.c)
MINIPORT_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -shared -fPIC -Ikmd/include -Ikmd/ddi \
	-Ikmd/hosted

$(MINIPORT_SAMPLE): $(MINIPORT_SOURCES) examples/miniport/device.h $(MINIPORT_HEADERS) | $(SETUP)
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) $(MINIPORT_CFLAGS) $(MINIPORT_SOURCES) -o $@

# --- tests ------------------------------------------------------------------------
#
# tests/kmd/X_test.c runs with AddressSanitizer and UBSan, tests/kmd/X_race.c with
# ThreadSanitizer; both over the fake miniport and bus of tests/kmd/fake*.c.

KMD_ALL_TESTS := $(patsubst tests/kmd/%.c,%,$(wildcard tests/kmd/*_test.c tests/kmd/*_race.c))
KMD_TESTS := $(call selected,$(KMD_ALL_TESTS))
KMD_TEST_SUPPORT := $(filter-out $(KMD_ALL_TESTS:%=tests/kmd/%.c),$(wildcard tests/kmd/*.c))
KMD_TEST_HEADERS := $(wildcard tests/kmd/*.h) $(KMD_HEADERS)

# $(call kmd_test,pattern,flavour,flags)
define kmd_test
$(KMD_BUILD)/test/%_$(1): tests/kmd/%_$(1).c $(KMD_TEST_SUPPORT) $(KMD_TEST_HEADERS) \
		$(KMD_BUILD)/libkmd$(2).a
	@mkdir -p $$(@D)
	@echo "  cc $$@"
	@$$(CC) $(KMD_CFLAGS) -D'rf_count_round()=((void)0)' -Itests/kmd $(3) $$(filter %.c %.a,$$^) -lcmocka -lpthread -o $$@
endef

$(eval $(call kmd_test,test,_asan,$(KMD_ASAN)))
$(eval $(call kmd_test,race,_tsan,$(KMD_TSAN)))

TEST_PARTS += kmd-test

.PHONY: kmd-test kmd-test-programs
kmd-test: | $(SETUP) ## [test] build and run the tests of the driver
	@$(MAKE) --no-print-directory -k -j $(JOBS) kmd-test-programs || true
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		$(foreach test,$(KMD_TESTS),"$(test)=$(KMD_BUILD)/test/$(test)")

kmd-test-programs: $(KMD_TESTS:%=$(KMD_BUILD)/test/%)
TEST_PROGRAMS += kmd-test-programs

# --- the Linux driver ---------------------------------------------------------------

KMD_DKMS = $(DESTDIR)/usr/src/ringfence-$(VERSION)

.PHONY: install-driver
install-driver: ## [install and package] the Linux driver's sources, for DKMS (DESTDIR=)
	rm -rf $(KMD_DKMS)
	mkdir -p $(KMD_DKMS)
	cp -r kmd/Kbuild kmd/core kmd/ddi kmd/linux kmd/include $(KMD_DKMS)
	sed 's,#MODULE_VERSION#,$(VERSION),' kmd/dkms.conf >$(KMD_DKMS)/dkms.conf
	$(if $(DESTDIR),,dkms install --force ringfence/$(VERSION))
