# SPDX-License-Identifier: Apache-2.0
#
# Parts of a campaign at the same time, as docs/many-machines.md has them.

TEST_PARTS += shards-test

.PHONY: shards-test
shards-test: build/fuzz/fuzz build/ringfence ## [test] parts of a campaign at once, and their report
	@tests/run --timeout 600 --results build/results/$@.tsv "shards=python3 tests/shards/parallel_test.py"
