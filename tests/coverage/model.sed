# SPDX-License-Identifier: Apache-2.0
#
# What make coverage changes in the C++ that Verilator makes of a model.

# Counters outlive their model, because they are written when the process ends; and one
# thread counts, without the price of atomic counters.
s/std::atomic<uint32_t>\* /uint32_t* /
s/std::atomic<uint32_t> __Vcoverage\[\([0-9]*\)\];/uint32_t (\&__Vcoverage)[\1] = *reinterpret_cast<uint32_t (*)[\1]>(new uint32_t[\1]);/
s/\.fetch_add(1, std::memory_order_relaxed)/ += 1/

# A value that a signal has from the start is no change of it: what the first settling
# counted is forgotten.
/^ .*_eval_settle(&/{
i\        const std::vector<uint32_t> initial(std::begin(vlSymsp->__Vcoverage), std::end(vlSymsp->__Vcoverage));
a\        std::copy(initial.begin(), initial.end(), std::begin(vlSymsp->__Vcoverage));
}
