# SPDX-License-Identifier: Apache-2.0
#
# Neither make nor Verilator's makefiles can name a file in a folder with a space, a colon or
# what a shell reads in its own way. Said before anything is built.

PATH_PLAIN := $(shell case "$$PWD" in (*[!A-Za-z0-9/._+@%,=~-]*) ;; (*) echo yes;; esac)

ifeq ($(PATH_PLAIN),)
$(error ringfence cannot be built in the folder '$(CURDIR)': its path has a space or another \
	character that make cannot handle. Move it to a folder with a plain name)
endif
