# SPDX-License-Identifier: Apache-2.0
#
# Proofs on the RTL (tests/formal/README.md).

LONG_TEST_PARTS += formal-test

# The proofs to make: PROOF=rf_wait for one, as TEST=
PROOF ?= $(call selected,$(shell sed -n 's/^\[\([a-z_]*\)\]$$/\1/p' tests/formal/proofs.toml))

.PHONY: formal formal-test
formal: ## [prove and harden] run the proofs, their cover statements and mutants (PROOF=name for one)
	@tests/run --selected --timeout 7200 --live \
		--results $(if $(SHARD),$(SHARDS)/$@.$(shard_file),build/results/$@).tsv \
		$(if $(call sharded,$(PROOF)),"formal=tests/formal/prove --jobs $(JOBS) $(call sharded,$(PROOF))")

# The mutants, some covers and one proof take most of the time; `make formal` has them.
SLOW_PROOFS := rf_pcie_receive

formal-test:
	@tests/run --jobs $(JOBS) --timeout 900 --results build/results/$@.tsv \
		$(foreach proof,$(filter-out $(SLOW_PROOFS),$(PROOF)),"$(proof)=tests/formal/prove --only proof --only cover --quick $(proof)")
