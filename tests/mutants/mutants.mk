# SPDX-License-Identifier: Apache-2.0
#
# make mutants: plant every fault of mutants.toml, see which tests notice, and
# record that in tests/mutants/matrix.tsv. Takes up to an hour.

.PHONY: mutants mutants-test
mutants: | $(SETUP) ## [prove and harden] plant faults and require a test to fail for each
	@tests/run --selected --live --jobs 1 --timeout 14400 $(if $(SHARD),\
		--results $(SHARDS)/$@.$(shard_file).tsv) \
		"mutants=tests/mutants/run $(if $(SHARD),--shard $(SHARD) \
			--tree build/mutants/tree.$(shard_file)) \
			--matrix $(if $(SHARD),$(SHARDS)/$@.$(shard_file).matrix,tests/mutants/matrix.tsv)"

# make random-mutants TEST='rf_slots rf_wait*' COUNT=40 SEED=1: places of these modules changed at
# random, judged by their unit tests; tests/mutants/random.tsv keeps the result of each module.
COUNT ?= 40
SEED ?= 1
.PHONY: random-mutants
random-mutants: | $(SETUP) ## [prove and harden] change TEST's modules at COUNT places drawn by SEED; see if unit tests notice
	@set -f; tests/mutants/random --count $(COUNT) --seed $(SEED) \
		--table tests/mutants/random.tsv $(TEST)

TEST_PARTS += mutants-test

mutants-test: | $(SETUP) ## [test] three planted faults, different ones at each commit
	@tests/run --jobs 1 --timeout 900 --results build/results/$@.tsv \
		"mutants=tests/mutants/run --rotate 3"
