# SPDX-License-Identifier: Apache-2.0
#
# The program build/ringfence, and the main job:
#
#   make run [INPUT=path] [OUTPUT=path] [TRACE=1]

HOST_BUILD := build/host
HOST_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -Ihost -Iumd/include -Ikmd/include \
	-Ikmd/hosted -Isim
HOST_SOURCES := $(wildcard host/*.c)
HOST_HEADERS := $(wildcard host/*.h umd/include/*.h kmd/hosted/*.h) kmd/include/ringfence_hw.h \
	sim/rfsim.h
HOST_LIBRARIES := build/umd/libringfence.a build/kmd/libkmd.a build/sim/librfsim.a

$(HOST_BUILD)/%.o: host/%.c $(HOST_HEADERS) | $(SETUP)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -c $< -o $@

build/ringfence: $(HOST_SOURCES:host/%.c=$(HOST_BUILD)/%.o) $(HOST_LIBRARIES)
	$(CC) $^ $(SIM_LIBS) -o $@

INPUT ?= docs/registers.md
OUTPUT ?= build/run/output

.PHONY: run
run: build/ringfence ## stream a file through the device (INPUT=, OUTPUT=, TRACE=1)
	@mkdir -p build/run
	@build/ringfence run --input "$(INPUT)" --output "$(OUTPUT)" \
		--timeline build/run/timeline.json $(if $(TRACE),--trace build/run/wave.fst)
