# SPDX-License-Identifier: Apache-2.0
#
# For the tests that run in the guest (busybox sh): TAP, and facts about the device.

count=0
failed=0

# check NAME COMMAND [ARGUMENT...]: what a failed command printed is shown.
check() {
	name=$1
	shift
	count=$((count + 1))
	if said=$("$@" 2>&1); then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		printf '%s\n' "$said" | sed 's/^/#   /'
		failed=$((failed + 1))
	fi
}

finish() {
	echo "1..$count"
	[ $failed -eq 0 ]
	exit
}

# scaled N: times TIME_SCALE
scaled() {
	awk "BEGIN { print int($1 * ${TIME_SCALE:-1}) + 1 }"
}

# tries N: so many turns of a loop that waits for something, times TIME_SCALE
tries() {
	seq "$(scaled "$1")"
}

# equal WHAT IS SHALL
equal() {
	echo "$1 is $2, not $3"
	[ "$2" = "$3" ]
}

# A constant of ringfence_hw.h, in decimal
constant() {
	value=$(sed -nE "s/^#define $1\s+(0x[0-9a-f]+|[0-9]+)(ULL)?\$/\1/p" /tests/ringfence_hw.h)
	[ -n "$value" ] || {
		echo "no constant $1" >&2
		return 1
	}
	echo $((value))
}

# constant_at NAME INDEX, of one that is a function
constant_at() {
	value=$(sed -nE "s/^#define $1\(i\)\s+(.*)\$/\1/p" /tests/ringfence_hw.h)
	[ -n "$value" ] || {
		echo "no constant $1" >&2
		return 1
	}
	i=$2
	echo $((value))
}

hex() {
	printf "%0$1x\n" "$2"
}

# The devices, each as 0000:01:00.0
functions=$(lspci -D -n -d "$(hex 4 "$(constant RF_VENDOR_ID)"):$(hex 4 "$(constant RF_DEVICE_ID)")" |
	cut -d ' ' -f 1)

# choose NUMBER: the device that is meant from now on, counted from 1
choose() {
	function=$(echo "$functions" | sed -n "$1p")
	sysfs=/sys/bus/pci/devices/$function
}

choose 1

# bar NUMBER: bus address
bar() {
	sed -n "$(($1 + 1))s/ .*//p" "$sysfs/resource"
}

# bar_end NUMBER: the address behind it
bar_end() {
	echo $(($(sed -n "$(($1 + 1))s/^[^ ]* \([^ ]*\) .*/\1/p" "$sysfs/resource") + 1))
}

# Registers are 64 bits wide. register_read OFFSET; register_write OFFSET VALUE
register_read() {
	devmem $(($(bar 0) + $1)) 64
}

register_write() {
	devmem $(($(bar 0) + $1)) 64 "$2"
}

# config REGISTER, as setpci names it: what it holds, in hex
config() {
	setpci -s "$function" "$1"
}
