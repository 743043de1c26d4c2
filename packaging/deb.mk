# SPDX-License-Identifier: Apache-2.0
#
#   deb         Debian packages, build/deb/*.deb, by debhelper (debian/)
#   deb-test    lintian, and the packages in a clean system, with their tutorials
#   clean-test  tutorials of the source tree in a clean system
#
# The packages are built in a copy of the sources, with a changelog made of VERSION. The models
# that are there are taken along: a copy without them builds them itself.

DEB_BUILD := build/deb
DEB_SOURCE := $(DEB_BUILD)/ringfence-$(VERSION)
DEB_CHANGES = $(DEB_BUILD)/ringfence_$(VERSION)_$(shell dpkg --print-architecture).changes
DEB_MODELS := $(patsubst %,$(SIM_BUILD)/%/model.a,device wave linked) $(SIM_BUILD)/linked/link_device.o
# What the packages are made of
DEB_INPUTS := VERSION CHANGELOG.md README.md Makefile $(shell find debian docs host kmd packaging \
	sim umd tests/conform tools -type f ! -path '*/__pycache__/*')

$(DEB_BUILD)/built: $(DEB_INPUTS) $(DEB_MODELS)
	@rm -rf $(DEB_BUILD) && mkdir -p $(DEB_SOURCE)
	@echo "  build $(DEB_BUILD)"
	@tar -c --exclude-vcs --exclude=./build --exclude=__pycache__ . | tar -x -C $(DEB_SOURCE)
	@for model in $(DEB_MODELS); do \
		mkdir -p $(DEB_SOURCE)/$${model%/*} && cp -p $$model $(DEB_SOURCE)/$$model || exit 1; done
	@packaging/debian-changelog >$(DEB_SOURCE)/debian/changelog
	@cd $(DEB_SOURCE) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u TEST -u CCACHE_DIR \
		DEB_BUILD_OPTIONS="parallel=$(JOBS) noautodbgsym" \
		dpkg-buildpackage -b -us -uc -nc >../build.log 2>&1 || { tail -n 60 ../build.log; exit 1; }
	@rm -rf $(DEB_SOURCE)
	@touch $@

.PHONY: deb deb-test clean-test
deb: $(DEB_BUILD)/built ## [install and package] Debian packages, build/deb/*.deb
	@ls $(DEB_BUILD)/*.deb

LONG_TEST_PARTS += deb-test
TEST_PROGRAMS += $(DEB_BUILD)/built

deb-test: $(DEB_BUILD)/built ## [test] lintian; the packages, installed in a clean system and used by an ordinary user
	@tests/run --jobs $(JOBS) --timeout 900 --results build/results/$@.tsv \
		"lintian=tests/packaging/lintian_test $(DEB_CHANGES)" \
		"deb=python3 tests/packaging/deb_test.py $(DEB_BUILD)"

# What is committed; many minutes, since all is built there
clean-test: ## [prove and harden] the tutorials of the source tree, in a clean system, by an ordinary user
	@tests/run --jobs 1 --timeout 3600 --results build/results/$@.tsv \
		"source=tests/packaging/source_test.py"
