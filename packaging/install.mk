# SPDX-License-Identifier: Apache-2.0
#
# What is installed, and the shared libraries:
#
#   build/umd/shared/libringfence.so.1       the library, with the carrier of the kernel's driver
#   build/umd/shared/libringfence-sim.so.1   the simulator, rfsim.h and device_string.h, and the
#                                            driver in process; the first loads it for sim:,
#                                            pci: and serial:
#   build/install/                           programs and manual pages as they are installed
#   install                                  all of it, and headers, pkg-config files, completion
#
# The usual variables say where and how: DESTDIR, PREFIX or prefix, libdir and so on, CC, CFLAGS,
# CPPFLAGS, LDFLAGS. The model is the one of build/sim: Verilator has options of its own.

PREFIX ?= /usr/local
prefix ?= $(PREFIX)
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
docdir ?= $(datadir)/doc/ringfence
pkgconfigdir ?= $(libdir)/pkgconfig
completionsdir ?= $(datadir)/bash-completion/completions
INSTALL ?= install

INSTALL_BUILD := build/install
INSTALL_CFLAGS := -fPIC $(CPPFLAGS) $(or $(CFLAGS),-O2 -g)
# For waves, and for a device behind a PCIe link, the installed programs load these.
WAVE_LIBRARY := $(libdir)/ringfence/rfsim_wave.so
LINK_LIBRARY := $(libdir)/ringfence/rfsim_link.so
SIM_HINT := '"install the package libringfence-sim"'
INSTALL_SIM_CFLAGS := $(INSTALL_CFLAGS) -URFSIM_WAVE_LIBRARY -URFSIM_WAVE_HINT \
	-DRFSIM_WAVE_LIBRARY='"$(WAVE_LIBRARY)"' -DRFSIM_WAVE_HINT=$(SIM_HINT) \
	-URFSIM_LINK_LIBRARY -URFSIM_LINK_HINT \
	-DRFSIM_LINK_LIBRARY='"$(LINK_LIBRARY)"' -DRFSIM_LINK_HINT=$(SIM_HINT)

# So they do with the sample miniport, for miniport: without a path.
SAMPLE_LIBRARY := $(libdir)/ringfence/miniport.so
INSTALL_KMD_CFLAGS := $(INSTALL_CFLAGS) -URF_MINIPORT_SAMPLE -URF_MINIPORT_HINT \
	-DRF_MINIPORT_SAMPLE='"$(SAMPLE_LIBRARY)"' \
	-DRF_MINIPORT_HINT='"install the package libringfence-sim"'

# Objects of other flags are made anew.
INSTALL_FLAGS := $(INSTALL_BUILD)/flags
.PHONY: install-flags
$(INSTALL_FLAGS): install-flags
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(CC) $(CXX) $(INSTALL_SIM_CFLAGS) $(INSTALL_KMD_CFLAGS) $(LDFLAGS))' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(eval $(call sim_objects,_install,$(INSTALL_SIM_CFLAGS)))
$(eval $(call sim_library,_install,_install,device))
$(eval $(call kmd_library,_install,$(INSTALL_KMD_CFLAGS)))
$(eval $(call umd_library,_install,$(INSTALL_CFLAGS)))
$(eval $(call host_objects,$(INSTALL_BUILD),$(INSTALL_CFLAGS)))

INSTALL_UMD := $(UMD_SOURCES:umd/%.c=$(UMD_BUILD)/c_install/%.o)
INSTALL_HOST := $(HOST_SOURCES:%.c=$(INSTALL_BUILD)/%.o)
$(SIM_SOURCES:sim/%.c=$(SIM_BUILD)/c_install/%.o) $(KMD_SOURCES:kmd/%.c=$(KMD_BUILD)/c_install/%.o) \
	$(INSTALL_UMD) $(INSTALL_HOST): $(INSTALL_FLAGS)
$(INSTALL_BUILD)/host/ringfence.o: $(VERSION_HEADER)

# --- shared libraries ---------------------------------------------------------------
#
# An incompatible change needs another number behind .so. What the two have of each other is for
# those of the same version only.

UMD_SHARED := $(UMD_BUILD)/shared
# What only the second has
UMD_HOSTED := $(UMD_BUILD)/c_install/carrier_hosted.o $(UMD_BUILD)/c_install/hosted_device.o
SHARED_LDFLAGS := -Wl,-z,defs -Wl,--as-needed $(LDFLAGS)

# $(call exports,prefix,headers): the functions that headers declare, for a version script
exports = $(CC) -E -P $(addprefix -include ,$(2)) -Isim -x c /dev/null | \
	grep -v '^typedef' | grep -oE '\b$(1)[a-z0-9_]+ *\(' | sort -u | tr '(' ';'

$(UMD_SHARED)/exports.map: umd/include/ringfence.h packaging/install.mk
	@mkdir -p $(@D)
	@{ echo 'RINGFENCE_1.0 { global:' && $(call exports,rf_,$<) && echo 'local: *; };'; } >$@

$(UMD_SHARED)/exports-sim.map: sim/rfsim.h sim/device_string.h VERSION packaging/install.mk
	@mkdir -p $(@D)
	@{ echo 'RFSIM_1.0 { global:' && $(call exports,rfsim_,$(filter %.h,$^)) && \
		echo 'local: *; };' && \
		echo 'RINGFENCE_PRIVATE_$(VERSION) { global: rf_carrier_open_named; };'; } >$@

$(UMD_SHARED)/loaded.o: umd/shared/loaded.c $(UMD_HEADERS) $(VERSION_HEADER) $(INSTALL_FLAGS)
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) -D_GNU_SOURCE $(UMD_OWN_CFLAGS) -Ibuild/include $(INSTALL_CFLAGS) -c $< -o $@

$(UMD_SHARED)/libringfence.so.1: $(filter-out $(UMD_HOSTED),$(INSTALL_UMD)) $(UMD_SHARED)/loaded.o \
		$(UMD_SHARED)/exports.map
	@echo "  cc $@"
	@$(CC) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(@F) \
		-Wl,--version-script=$(UMD_SHARED)/exports.map $(filter %.o,$^) -ldrm -o $@

$(UMD_SHARED)/libringfence-sim.so.1: $(UMD_HOSTED) $(KMD_BUILD)/libkmd_install.a \
		$(SIM_BUILD)/librfsim_install.a $(UMD_SHARED)/exports-sim.map
	@echo "  cc $@"
	@$(CXX) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(@F) \
		-Wl,--version-script=$(UMD_SHARED)/exports-sim.map $(UMD_HOSTED) \
		$(KMD_BUILD)/libkmd_install.a -Wl,--whole-archive $(SIM_BUILD)/librfsim_install.a \
		-Wl,--no-whole-archive -lpciaccess $(SIM_LIBS) -o $@

$(UMD_SHARED)/first_fence: umd/examples/first_fence.c $(UMD_SHARED)/libringfence.so.1
	@echo "  cc $@"
	@$(CC) -O2 $(UMD_CFLAGS) $^ -o $@

# --- programs -----------------------------------------------------------------------

$(INSTALL_BUILD)/bin/ringfence: $(INSTALL_HOST) $(UMD_BUILD)/libringfence_install.a \
		$(KMD_BUILD)/libkmd_install.a $(SIM_BUILD)/librfsim_install.a
	@mkdir -p $(@D)
	@echo "  cc $@"
	@$(CC) -Wl,--as-needed $(LDFLAGS) $^ $(UMD_LIBS) -ljson-c $(SIM_LIBS) -o $@

$(eval $(call vfio_user_program,$(INSTALL_BUILD)/bin/rf-vfio-user,_install,$(INSTALL_CFLAGS) \
	-Wl$(comma)--as-needed $(LDFLAGS)))

# --- the sample miniport --------------------------------------------------------------

$(INSTALL_BUILD)/miniport.so: $(MINIPORT_SOURCES) $(MINIPORT_HEADERS) $(INSTALL_FLAGS)
	@mkdir -p $(@D)
	@$(CC) $(MINIPORT_CFLAGS) $(INSTALL_CFLAGS) $(LDFLAGS) $(filter %.c,$^) -o $@

# --- manual pages -------------------------------------------------------------------

INSTALL_MAN := $(INSTALL_BUILD)/man
MAN_PAGES := $(addprefix $(INSTALL_MAN)/,ringfence.1 rf-vfio-user.1 ringfence.3 rfsim.3)

$(INSTALL_MAN)/ringfence.1: host/ringfence.1
	@mkdir -p $(@D)
	@cp $< $@

$(INSTALL_MAN)/rf-vfio-user.1: $(INSTALL_BUILD)/bin/rf-vfio-user packaging/rf-vfio-user.h2m
	@mkdir -p $(@D)
	@help2man --no-info --manual 'User Commands' --include packaging/rf-vfio-user.h2m \
		--name 'a simulated Ringfence device for a virtual machine' $< >$@.new && mv $@.new $@

$(INSTALL_MAN)/ringfence.3: umd/include/ringfence.h packaging/header-manual VERSION
$(INSTALL_MAN)/rfsim.3: sim/rfsim.h packaging/header-manual VERSION
$(INSTALL_MAN)/%.3:
	@rm -rf $(INSTALL_MAN)/$*.links && mkdir -p $(INSTALL_MAN)/$*.links
	@packaging/header-manual --links $(INSTALL_MAN)/$*.links $< >$@.new && mv $@.new $@

# --- installation -------------------------------------------------------------------

INSTALL_HEADERS := umd/include/ringfence.h sim/rfsim.h sim/device_string.h sim/tlp.h \
	kmd/include/ringfence_hw.h
# The rest of MINIPORT_HEADERS
INSTALL_MINIPORT_HEADERS := $(filter-out $(INSTALL_HEADERS),$(MINIPORT_HEADERS))
INSTALL_PROGRAMS := $(addprefix $(INSTALL_BUILD)/bin/,ringfence rf-vfio-user)
SHARED_LIBRARIES := $(addprefix $(UMD_SHARED)/,libringfence.so.1 libringfence-sim.so.1)
INSTALL_DOCS := README.md CHANGELOG.md $(addprefix docs/,install.md device-string.md \
	programmers-guide.md bench-your-device.md)

.PHONY: install-programs install
install-programs: $(INSTALL_PROGRAMS) $(SHARED_LIBRARIES) $(SIM_BUILD)/rfsim_wave.so \
	$(SIM_BUILD)/rfsim_link.so $(INSTALL_BUILD)/miniport.so $(MAN_PAGES)
TEST_PROGRAMS += install-programs

install: install-programs ## [install and package] libraries, programs, headers, manual pages (PREFIX=, DESTDIR=)
	$(INSTALL) -d $(addprefix $(DESTDIR),$(bindir) $(libdir)/ringfence $(includedir)/ringfence/drm \
		$(includedir)/ringfence/miniport $(docdir)/examples/miniport \
		$(pkgconfigdir) $(mandir)/man1 $(mandir)/man3 $(completionsdir) $(docdir)/examples)
	$(INSTALL) -m 755 $(INSTALL_PROGRAMS) $(DESTDIR)$(bindir)
	for library in libringfence libringfence-sim; do \
		$(INSTALL) -m 644 $(UMD_SHARED)/$$library.so.1 \
			$(DESTDIR)$(libdir)/$$library.so.$(VERSION) && \
		ln -sf $$library.so.$(VERSION) $(DESTDIR)$(libdir)/$$library.so.1 && \
		ln -sf $$library.so.1 $(DESTDIR)$(libdir)/$$library.so || exit 1; done
	$(INSTALL) -m 644 $(SIM_BUILD)/rfsim_wave.so $(DESTDIR)$(WAVE_LIBRARY)
	$(INSTALL) -m 644 $(SIM_BUILD)/rfsim_link.so $(DESTDIR)$(LINK_LIBRARY)
	$(INSTALL) -m 644 $(INSTALL_BUILD)/miniport.so $(DESTDIR)$(SAMPLE_LIBRARY)
	$(INSTALL) -m 644 $(INSTALL_MINIPORT_HEADERS) $(DESTDIR)$(includedir)/ringfence/miniport
	$(INSTALL) -m 644 $(INSTALL_HEADERS) $(DESTDIR)$(includedir)/ringfence
	$(INSTALL) -m 644 kmd/include/uapi/drm/ringfence_drm.h $(DESTDIR)$(includedir)/ringfence/drm
	for file in ringfence ringfence-sim ringfence-miniport; do \
		sed -e 's,@prefix@,$(prefix),; s,@includedir@,$(includedir),; s,@libdir@,$(libdir),' \
			-e 's,@version@,$(VERSION),' packaging/$$file.pc.in \
			>$(DESTDIR)$(pkgconfigdir)/$$file.pc || exit 1; done
	$(INSTALL) -m 644 $(INSTALL_MAN)/*.1 $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 $(INSTALL_MAN)/*.3 $(INSTALL_MAN)/*.links/*.3 $(DESTDIR)$(mandir)/man3
	for program in ringfence rf-vfio-user; do $(INSTALL) -m 644 packaging/ringfence.bash \
		$(DESTDIR)$(completionsdir)/$$program || exit 1; done
	$(INSTALL) -m 644 $(INSTALL_DOCS) $(DESTDIR)$(docdir)
	$(INSTALL) -m 644 umd/examples/*.c $(DESTDIR)$(docdir)/examples
	$(INSTALL) -m 644 $(wildcard examples/miniport/*.[ch]) $(DESTDIR)$(docdir)/examples/miniport

TEST_PARTS += install-test

install-test: install-programs ## [test] what make install installs, used by a program and an ordinary user
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		"install=python3 tests/packaging/install_test.py"
