# SPDX-License-Identifier: Apache-2.0
#
# TEST=PATTERN runs the tests whose names match, in every target that runs tests: names are
# those that a target prints; patterns are the shell's, several are separated by spaces.
# tests/run leaves out the others. What is built for one test alone is selected here.

TEST ?= *
export TEST

select_empty :=
select_space := $(select_empty) $(select_empty)
# $(call selected,names)
selected = $(if $(filter-out *,$(TEST)),$(shell for name in $(1); do case "$$name" in \
	($(subst $(select_space),|,$(strip $(TEST)))) echo "$$name";; esac; done),$(1))
