# SPDX-License-Identifier: Apache-2.0
#
# The user-mode driver:
#
#   build/umd/libringfence.a        and, with the sanitizers,
#   build/umd/libringfence_asan.a
#   build/umd/libringfence_tsan.a
#
# UMD_CFLAGS is what a program that uses it compiles with.

UMD_BUILD := build/umd
UMD_CFLAGS := -std=gnu11 -g -Wall -Wextra -Werror -Iumd/include
UMD_OWN_CFLAGS := $(UMD_CFLAGS) -Iumd -Ikmd/include -Ikmd/include/uapi -Ikmd/hosted -Isim
UMD_SOURCES := $(wildcard umd/*.c)
UMD_HEADERS := $(wildcard umd/*.h umd/include/*.h kmd/include/*.h kmd/include/uapi/drm/*.h \
		 kmd/hosted/*.h) sim/rfsim.h

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

$(eval $(call umd_library,,-O2))
$(eval $(call umd_library,_asan,-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined))
$(eval $(call umd_library,_tsan,-O1 -fsanitize=thread -Wno-tsan))
