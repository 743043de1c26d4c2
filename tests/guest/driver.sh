# SPDX-License-Identifier: Apache-2.0
#
# For the tests in the guest that use the driver; after tap.sh.

driver=/sys/bus/pci/drivers/ringfence
parameters=/sys/module/ringfence/parameters

# What unprivileged users get from udev elsewhere. While a file of an earlier one is open the node
# has another number: /run/node is the present one.
render_node() {
	RINGFENCE_NODE=/dev/dri/$(basename "$sysfs"/drm/renderD*)
	export RINGFENCE_NODE
	ln -sfn "$RINGFENCE_NODE" /run/node
	chgrp render "$RINGFENCE_NODE" && chmod 660 "$RINGFENCE_NODE"
}

load() {
	modprobe ringfence && render_node && stay_awake
}

# Interrupts, and what is counted, are there as long as the device is awake.
stay_awake() {
	echo on >"$sysfs/power/control"
}

# It sleeps when it is not in use.
let_sleep() {
	echo 100 >"$sysfs/power/autosuspend_delay_ms"
	echo auto >"$sysfs/power/control"
}

unbind() {
	echo "$function" >$driver/unbind
}

bind() {
	echo "$function" >$driver/bind && render_node && stay_awake
}

as_user() {
	su user -c "$*"
}

# What the kernel complained of since it was last asked
complaints() {
	dmesg -r -c | grep -E '^<[0-4]>' | grep -vE 'loading out-of-tree module|module verification failed|hrtimer: interrupt took|Long readout interval|callbacks suppressed'
}

quiet() {
	said=$(complaints)
	printf '%s\n' "$said"
	[ -z "$said" ]
}

# Of what is left in the log: whatever was done to the device, the kernel is in order.
sound() {
	! dmesg | grep -E 'BUG|WARNING|UBSAN|DMA-API|Oops|Call Trace|RIP:|refcount|blocked for more than|stall|lockup'
}

# The first check of a test that has the driver for itself, and the last ones
begin() {
	dmesg -c >/dev/null
	load
	check "the driver loads and serves the device" [ -n "$RINGFENCE_NODE" ]
}

end() {
	check "the driver unloads" rmmod ringfence
	check "the kernel is content" quiet
	finish
}

loaded() {
	lspci -k -s "$function" | grep -q 'driver in use: ringfence' &&
		grep -q 'PCI-MSIX.*ringfence' /proc/interrupts &&
		[ -c "$RINGFENCE_NODE" ]
}

# statistic NAME, of this device
statistic() {
	sed -n "s/^$1 //p" "/sys/kernel/debug/dri/$function/statistics"
}

# As far as the devices; the machine itself does not sleep.
suspend() {
	echo 0 >/sys/module/suspend/parameters/pm_test_delay
	echo devices >/sys/power/pm_test && echo mem >/sys/power/state
}

# with_tdr MILLISECONDS COMMAND [ARGUMENT...]: how often the driver looks follows from it
with_tdr() {
	echo "$1" >$parameters/tdr_ms
	shift
	"$@"
	status=$?
	echo 2000 >$parameters/tdr_ms
	return $status
}

# start CHECK [PROGRAM]: in the background, until it waits
start() {
	rm -f /tmp/said
	as_user "${2:-/tests/user}" "$1" >/tmp/said 2>&1 &
	started=$!
	for i in $(tries 100); do
		grep -q waiting /tmp/said 2>/dev/null && return 0
		usleep 100000
	done
	cat /tmp/said
	return 1
}

# asleep: the device is in D3, soon
asleep() {
	for i in $(tries 100); do
		[ "$(cat "$sysfs/power/runtime_status")" = suspended ] && break
		usleep 100000
	done
	equal "runtime status" "$(cat "$sysfs/power/runtime_status")" suspended &&
		equal "power state" "$(cat "$sysfs/power_state")" D3hot
}
