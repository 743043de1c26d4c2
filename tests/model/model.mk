# SPDX-License-Identifier: Apache-2.0
#
# Random command streams of several processes against a model of the device in C:
# model-test, a few of them, as part of make test; make soak runs others for a time.

MODEL_OBJECTS := $(patsubst %.c,$(HOST_BUILD)/%.o,$(wildcard tests/model/*.c))

# It looks behind the library, and traces in the driver.
$(MODEL_OBJECTS): tests/model/model.h
$(MODEL_OBJECTS): HOST_CFLAGS += -Iumd -Ikmd/include/uapi -Ikmd/include/uapi/drm -Ikmd/ddi \
	-Ikmd/core

build/model/streams: $(MODEL_OBJECTS) $(HOST_COMMON) $(HOST_BUILD)/host/setup.o \
		$(HOST_BUILD)/host/wave.o build/umd/libringfence.a build/kmd/libkmd.a build/sim/librfsim.a
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) $^ $(UMD_LIBS) $(SIM_LIBS) -o $@

TEST_PARTS += model-test
TEST_PROGRAMS += build/model/streams

.PHONY: model-test
model-test: build/model/streams ## [test] random command streams against a model in C
	@tests/run --timeout 300 --results build/results/$@.tsv \
		"model=build/model/streams --rounds 12 --seed 1"
