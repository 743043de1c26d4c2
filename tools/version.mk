# SPDX-License-Identifier: Apache-2.0
#
# The file VERSION has the one version of the project. C sources take it from a header.

ifndef VERSION_HEADER # sim/sim.mk works alone, too
VERSION := $(shell cat VERSION)
VERSION_HEADER := build/include/ringfence_version.h

$(VERSION_HEADER): VERSION
	@mkdir -p $(@D)
	@echo '#define RF_VERSION "$(VERSION)"' >$@
endif
