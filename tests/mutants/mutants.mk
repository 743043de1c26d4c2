# SPDX-License-Identifier: Apache-2.0
#
# make mutants: plant every fault of mutants.toml, see which tests notice, and
# record that in tests/mutants/matrix.tsv. Takes up to an hour.

.PHONY: mutants mutants-test
mutants: | $(SETUP) ## [prove and harden] plant faults and see tests go red; prints which test noticed which
	@tests/run --live --jobs 1 --timeout 14400 "mutants=tests/mutants/run --matrix tests/mutants/matrix.tsv"

TEST_PARTS += mutants-test

mutants-test: | $(SETUP) ## [test] three of the mutants, others at each commit
	@tests/run --jobs 1 --timeout 900 --results build/results/$@.tsv \
		"mutants=tests/mutants/run --rotate 3"
