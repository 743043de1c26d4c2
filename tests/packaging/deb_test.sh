#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs as root of a clean system, see deb_test.py: installs the packages of /debs, and uses them as
# an ordinary user. Prints TAP.
#
#	deb_test.sh VERSION
set -u

version=$1
count=0 failures=0
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

# check NAME COMMAND...: a command of root
check() {
	name=$1
	shift
	count=$((count + 1))
	if said=$("$@" 2>&1); then
		echo "ok $count - $name"
	else
		failures=$((failures + 1))
		echo "not ok $count - $name"
		echo "$said" | tail -n 20 | sed 's/^/# /'
	fi
}

# user NAME SCRIPT: commands of an ordinary user, which must all succeed
user() {
	check "$1" su - tester -c "set -eu; version=$version; $2"
}

install_packages() {
	apt-get -q -y --no-install-recommends install "$@"
}

absent() {
	! ls -d "$@" 2>/dev/null
}

useradd --create-home --shell /bin/bash tester

check "packages install, with what they depend on" install_packages /debs/*.deb
check "DKMS knows the driver" sh -c "dkms status | grep '^ringfence[/, ]*$version'"
check "the driver's sources name the version" \
	grep "^PACKAGE_VERSION=\"$version\"" "/usr/src/ringfence-$version/dkms.conf"

# The newest headers that the release has of a kernel that the driver is for: 6.12 or later
headers=$(apt-cache search --names-only "^linux-headers-[0-9]+\\.[0-9]+\\.[0-9]+[+~a-z0-9.]*-$(dpkg --print-architecture)\$" |
	cut -d ' ' -f 1 | sort -V | tail -n 1)
release=${headers#linux-headers-}
module_is_built() {
	dkms status -k "$release" | grep -E "^ringfence[/, ]*$version.*(built|installed)" &&
		modinfo -k "$release" -F vermagic ringfence | grep "^$release "
}
if dpkg --compare-versions "$release" ge 6.12; then
	# Headers depend on the kernel, whose initramfs takes minutes and is not started here.
	dpkg-divert --quiet --local --rename --add /usr/sbin/update-initramfs
	ln -s /bin/true /usr/sbin/update-initramfs
	check "headers of $release install" install_packages "$headers"
	check "DKMS has built the driver for them" module_is_built
else
	count=$((count + 1))
	echo "ok $count - DKMS builds the driver # SKIP no headers of Linux 6.12 or later, the newest: $headers"
fi

user "programs print the version" '
	[ "$(ringfence --version)" = "ringfence (Ringfence) $version" ]
	[ "$(rf-vfio-user --version)" = "rf-vfio-user (Ringfence) $version" ]'
user "ringfence info" 'ringfence info | grep "local memory"'
user "ringfence run" '
	head -c 5000 /bin/sh >input
	ringfence run --input input --output output
	[ "$(stat -c %s output)" = 5000 ]
	ringfence run --input input --device sim:seed=7,random | grep "what the CPU computes"'
user "a wave is written by the installed model" '
	ringfence run --input input --device sim:wave=w.fst
	[ -s w.fst ] && [ -s w.fst.gtkw ]'
user "the installed model of a PCIe link is used" '
	ringfence run --input input --device sim:link=gen1x1 | grep "what the CPU computes"'
user "a race is provoked as docs/device-string.md says" '
	cc -O2 /usr/share/doc/libringfence-dev/examples/lost_wakeup.c \
		$(pkg-config --cflags --libs ringfence-sim) -o lost_wakeup
	! ringfence sweep --move ring@1 --against ring@1 --from 130 --to 160 -- \
		./lost_wakeup --wrong >sweep.txt
	grep "lost wake-up" sweep.txt'
user "an example is compiled with nothing but pkg-config" '
	[ "$(pkg-config --modversion ringfence)" = "$version" ]
	cc /usr/share/doc/libringfence-dev/examples/first_fence.c \
		$(pkg-config --cflags --libs ringfence) -o first_fence
	[ "$(RINGFENCE_DEVICE=sim: ./first_fence)" = "fence is 1, memory holds 0123456789abcdef" ]'
user "rf-vfio-user serves" '
	timeout 60 rf-vfio-user --once "$HOME/socket" >server.txt 2>&1 &
	for i in $(seq 100); do [ -S socket ] && break; sleep 0.1; done
	[ -S socket ]
	kill $!; wait $! || :'
user "manual pages" '
	for page in ringfence rf-vfio-user; do man 1 $page | grep -q NAME; done
	man 3 ringfence | grep -q rf_device_open
	man rf_fence_wait | grep -q rf_fence_wait
	man rfsim_step | grep -q rfsim_step
	man -f ringfence | grep "(1)"'
user "completion for bash" '
	set +eu
	. /usr/share/bash-completion/bash_completion
	loader=__load_completion # of bash-completion 2.11; later ones:
	! declare -F _comp_load || loader=_comp_load
	for program in ringfence rf-vfio-user; do
		$loader $program
		complete -p $program | grep _ringfence || exit 1
	done'
user "documents" '
	zcat /usr/share/doc/ringfence/changelog.gz | grep "^ringfence ($version)"
	zcat -f /usr/share/doc/ringfence/device-string.md* | grep read-latency'

for page in board-owner driver-developer hardware-team; do
	check "the first ten minutes: $page" su - tester -c "bash /debs/$page.sh"
done

check "the simulator can be removed" sh -c '
	apt-get -q -y remove libringfence-sim && ! dpkg -s libringfence-dev 2>/dev/null | grep "ok installed"'
user "without it, sim: names the package, and programs of ringfence work" '
	! RINGFENCE_DEVICE=sim: ./first_fence 2>said.txt
	grep "install the package libringfence-sim" said.txt
	ringfence run --input input | grep "what the CPU computes"
	for word in wave=w2.fst link=gen1x1; do
		! ringfence run --input input --device sim:$word 2>said.txt
		grep "install the package libringfence-sim" said.txt
	done'
check "the rest can be removed" apt-get -q -y purge ringfence libringfence1 rf-vfio-user \
	ringfence-dkms
check "nothing is left" absent /usr/bin/ringfence /usr/bin/rf-vfio-user /usr/include/ringfence \
	/usr/lib/*/libringfence* /usr/lib/*/ringfence "/usr/src/ringfence-$version" \
	/usr/share/doc/ringfence /usr/share/man/man3/rf_* /var/lib/dkms/ringfence

echo "1..$count"
[ $failures -eq 0 ]
