# SPDX-License-Identifier: Apache-2.0
#
# The tutorials, done as their text says: docs/tutorials/*.md and CONTRIBUTING.md.
#
#   tutorial-test       in the source tree; what needs packages is part of deb-test
#   contributing-test   CONTRIBUTING.md with what needs the device, some minutes

TEST_PARTS += tutorial-test
TEST_PROGRAMS += build/rf-serial-board build/ringfence $(EXAMPLES)

.PHONY: tutorial-test contributing-test
tutorial-test: build/rf-serial-board build/ringfence $(EXAMPLES) ## [test] the tutorials, typed as written, in the source tree
	@tests/run --jobs $(JOBS) --results build/results/$@.tsv \
		"typed=tests/tutorials/typed_test.py" \
		"pages=env -u MAKEFLAGS -u MAKELEVEL -u TEST NO_SETUP=1 bash -c \
			'bash <(tests/tutorials/typed.py source docs/tutorials/*.md)'" \
		"contributing=tests/tutorials/contributing_test.py"

contributing-test: ## [prove and harden] CONTRIBUTING.md, step by step, in a copy; some minutes
	@tests/run --jobs 1 --timeout 1800 --results build/results/$@.tsv \
		"contributing=tests/tutorials/contributing_test.py --all"
