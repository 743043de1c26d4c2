# SPDX-License-Identifier: Apache-2.0
#
# The user-mode driver:
#
#   build/umd/libringfence.a        and, with the sanitizers,
#   build/umd/libringfence_asan.a
#   build/umd/libringfence_tsan.a
#   umd-test                        its tests, over the simulated device
#
# UMD_CFLAGS is what a program that uses it compiles with, UMD_LIBS what it links with.

UMD_BUILD := build/umd
UMD_CFLAGS := -std=gnu11 -g -Wall -Wextra -Werror -Iumd/include
UMD_OWN_CFLAGS := $(UMD_CFLAGS) -Iumd -Ikmd/include -Ikmd/include/uapi -Ikmd/hosted -Isim \
	-I/usr/include/libdrm
UMD_LIBS := -ldrm -lpciaccess
UMD_SOURCES := $(wildcard umd/*.c)
UMD_HEADERS := $(wildcard umd/*.h umd/include/*.h kmd/include/*.h kmd/include/uapi/drm/*.h \
		 kmd/hosted/*.h sim/*.h)

# $(call umd_library,flavour,flags)
define umd_library
$(UMD_BUILD)/c$(1)/%.o: umd/%.c $(UMD_HEADERS)
	@mkdir -p $$(@D)
	@echo "  cc $$@"
	@$$(CC) $(UMD_OWN_CFLAGS) $(2) -c $$< -o $$@

$(UMD_BUILD)/libringfence$(1).a: $(UMD_SOURCES:umd/%.c=$(UMD_BUILD)/c$(1)/%.o)
	@rm -f $$@
	@echo "  ar $$@"
	@$$(AR) rcs $$@ $$^
endef

UMD_ASAN := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined
UMD_TSAN := -O1 -fsanitize=thread -Wno-tsan

$(eval $(call umd_library,,-O2))
$(eval $(call umd_library,_asan,$(UMD_ASAN)))
$(eval $(call umd_library,_tsan,$(UMD_TSAN)))

# --- tests ------------------------------------------------------------------------
#
# tests/umd/X_test.c runs with AddressSanitizer and UBSan, tests/umd/X_race.c with
# ThreadSanitizer. library_test stands between the library and its carrier.

UMD_TESTS := $(call selected,$(patsubst tests/umd/%.c,%,$(wildcard tests/umd/*_test.c tests/umd/*_race.c)))

# $(call umd_test,pattern,flavour,flags)
define umd_test
$(UMD_BUILD)/test/%_$(1): tests/umd/%_$(1).c $(UMD_HEADERS) $(UMD_BUILD)/libringfence$(2).a \
		build/kmd/libkmd$(2).a build/sim/librfsim$(2).a
	@mkdir -p $$(@D)
	@echo "  cc $$@"
	@$$(CC) $(UMD_OWN_CFLAGS) $(3) $$(filter %.c %.a,$$^) $$(UMD_TEST_LINK) -lcmocka \
		$$(UMD_LIBS) $$(SIM_LIBS) -o $$@
endef

$(eval $(call umd_test,test,_asan,$(UMD_ASAN)))
$(eval $(call umd_test,race,_tsan,$(UMD_TSAN)))

$(UMD_BUILD)/test/library_test: UMD_TEST_LINK := -Wl,--wrap=rf_carrier_request \
	-Wl,--wrap=rf_carrier_ring -Wl,--wrap=rfsim_world_check

TEST_PARTS += umd-test

.PHONY: umd-test umd-test-programs
umd-test: ## [test] build and run the tests of the library
	@$(MAKE) --no-print-directory -k umd-test-programs || true
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		$(foreach test,$(UMD_TESTS),"$(test)=$(UMD_BUILD)/test/$(test)")

umd-test-programs: $(UMD_TESTS:%=$(UMD_BUILD)/test/%)
TEST_PROGRAMS += umd-test-programs
