# SPDX-License-Identifier: Apache-2.0
#
# SHARD=i/n: of a campaign, the i-th of n parts, for many machines (docs/many-machines.md). Each
# leaves its results in SHARDS; make merge makes one report of all n.

SHARD ?=
SHARDS ?= build/shards
SHARDED := conform formal fuzz mutants soak

ifneq ($(SHARD),)
shard_numbers := $(shell echo '$(SHARD)' | \
	awk -F/ '/^[1-9][0-9]*\/[1-9][0-9]*$$/ && $$1 + 0 <= $$2 + 0 { print $$1, $$2 }')
ifeq ($(shard_numbers),)
$(error SHARD=$(SHARD) is no part: SHARD=1/4, 2/4, 3/4 and 4/4 are the four parts of a campaign)
endif
ifneq ($(filter-out $(SHARDED),$(MAKECMDGOALS)),)
$(error SHARD= is for $(SHARDED), not for $(filter-out $(SHARDED),$(MAKECMDGOALS)))
endif
shard_i := $(word 1,$(shard_numbers))
shard_n := $(word 2,$(shard_numbers))
shard_file := $(shard_i)-of-$(shard_n)
# $(call sharded,names): those of this part
sharded = $(foreach name,$(shell echo $(1) | tr ' ' '\n' | \
	awk 'NR % $(shard_n) == $(shard_i) % $(shard_n)'),$(name))
# Each part draws by a seed of its own, and no two values of SEED have one in common.
SHARD_SEED = $(shell echo $$(($(SEED) * $(shard_n) + $(shard_i) - 1)))
# $(call shard_run,target,command): as part of the campaign
shard_run = @tests/run --selected --live --jobs 1 --timeout 14400 \
	--results $(SHARDS)/$(1).$(shard_file).tsv "$(1)-$(shard_file)=$(2)"
# $(call shard_one,name,command): a command that prints no TAP is one test
shard_one = echo 1..1; if $(2); then echo 'ok - $(1)'; else echo 'not ok - $(1)'; false; fi
else
sharded = $(1)
SHARD_SEED = $(SEED)
shard_run = @$(2)
shard_one = $(2)
endif

.PHONY: merge
merge: ## [prove and harden] one report of the parts that ran with SHARD=i/n
	@tools/merge_shards $(SHARDS)
