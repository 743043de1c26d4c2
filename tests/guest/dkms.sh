#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What DKMS does with what `make install-driver` gives, for the guest's kernel; not in the guest.
#
#	tests/guest/dkms.sh FOLDER
set -eu

cd "$(dirname "$0")/../.."
folder=$1
rm -rf "$folder"
make -s --no-print-directory install-driver "DESTDIR=$folder" >&2

# dkms.conf asks for these
kernel_source_dir=$(tools/private-root in guest sh -c 'echo /usr/src/linux-headers-*-amd64')
dkms_tree=$PWD/$folder
export kernel_source_dir dkms_tree
. "$folder"/usr/src/ringfence-*/dkms.conf

build=$dkms_tree/$PACKAGE_NAME/$PACKAGE_VERSION/build
mkdir -p "${build%/*}"
cp -r "$folder/usr/src/$PACKAGE_NAME-$PACKAGE_VERSION" "$build"
tools/private-root in guest sh -c "${MAKE[0]}" >"$folder/build.log" 2>&1 || cat "$folder/build.log" >&2

echo 1..1
[ -f "$build/${BUILT_MODULE_NAME[0]}.ko" ] || printf 'not '
echo "ok 1 - DKMS builds the module from what is installed"
[ -f "$build/${BUILT_MODULE_NAME[0]}.ko" ]
