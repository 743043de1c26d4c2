#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make install` installs, in a DESTDIR, as an ordinary user uses it."""

import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (beside the tests of the tools)

VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
NOBODY = 65534

PLACE = pathlib.Path(tempfile.mkdtemp(prefix="ringfence-install-"))
atexit.register(shutil.rmtree, PLACE, ignore_errors=True)
PLACE.chmod(0o755)
SYSTEM = PLACE / "system"
USR = SYSTEM / "usr/local"
HOME = PLACE / "home"
FIRST_FENCE = "fence is 1, memory holds 0123456789abcdef\n"


def user(*command, **environment):
    """Run a command as an ordinary user who has what is installed, and nothing of this tree."""
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.run(command, cwd=HOME, text=True, capture_output=True, check=False, **who,
                          env={"PATH": f"{USR}/bin:/usr/bin:/bin", "HOME": str(HOME),
                               "LD_LIBRARY_PATH": str(USR / "lib"),
                               "MANPATH": f"{USR}/share/man",
                               "PKG_CONFIG_PATH": str(USR / "lib/pkgconfig"),
                               "PKG_CONFIG_SYSROOT_DIR": str(SYSTEM), "LC_ALL": "C.UTF-8",
                               **environment})


def good(*command, **environment):
    result = user(*command, **environment)
    assert result.returncode == 0, result
    return result.stdout


def build(package, example):
    """A program, compiled with what pkg-config says and nothing else."""
    flags = good("pkg-config", "--cflags", "--libs", package).split()
    source = USR / f"share/doc/ringfence/examples/{example}.c"
    good("cc", "-Wall", "-Wextra", "-Werror", source, *flags, "-o", example)
    return HOME / example


def declared(*headers):
    """Functions that headers declare."""
    found = set()
    for header in headers:
        text = subprocess.run(["cc", "-E", "-P", f"-I{USR}/include/ringfence",
                               USR / "include/ringfence" / header], check=True,
                              capture_output=True, text=True).stdout
        text = re.sub(r"^typedef [^;]*;", "", text, flags=re.M)
        found |= set(re.findall(r"\b(rf(?:sim)?_\w+) *\(", text))
    return found


def exported(library):
    """Functions that a library exports, by version."""
    found = {}
    for line in subprocess.run(["readelf", "--dyn-syms", "--wide", USR / "lib" / library],
                               check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[3] in ("FUNC", "OBJECT") and \
                fields[6] not in ("UND", "ABS"):
            name, _, version = fields[7].partition("@@")
            found.setdefault(version, set()).add(name)
    return found


def dynamic(library, tag):
    text = subprocess.run(["readelf", "--dynamic", "--wide", USR / "lib" / library], check=True,
                          capture_output=True, text=True).stdout
    return re.findall(rf"\({tag}\).*\[(.*)\]", text)


def test_install():
    """it installs into a DESTDIR, and nothing beside it"""
    HOME.mkdir()
    if os.geteuid() == 0:
        os.chown(HOME, NOBODY, NOBODY)
    subprocess.run(["make", "--no-print-directory", "-s", "install", f"DESTDIR={SYSTEM}",
                    "NO_SETUP=1"], cwd=ROOT, check=True, capture_output=True)
    assert [path.name for path in SYSTEM.iterdir()] == ["usr"]
    assert [path.name for path in (SYSTEM / "usr").iterdir()] == ["local"]
    for path in SYSTEM.rglob("*"):
        if path.is_symlink():
            assert path.exists(), f"{path} leads nowhere"
        elif path.is_file() and path.suffix in (".pc", ".bash", ".1", ".3"):
            assert str(SYSTEM) not in path.read_text(encoding="utf-8"), path


def test_exports():
    """each library exports what its headers declare, under one version; private is of this version"""
    for library, versions in (
            ("libringfence.so.1", {"RINGFENCE_1.0": declared("ringfence.h")}),
            ("libringfence-sim.so.1", {
                "RFSIM_1.0": declared("rfsim.h", "device_string.h"),
                f"RINGFENCE_PRIVATE_{VERSION}": {"rf_carrier_open_named"}})):
        found = exported(library)
        assert set(found) == set(versions), (library, set(found))
        for version, functions in versions.items():
            assert found[version] == functions, (library, found[version] ^ functions)
    assert len(exported("libringfence.so.1")["RINGFENCE_1.0"]) > 50


def test_needs():
    """libraries have the names that programs link with; the first needs libdrm and libc only"""
    for library in ("libringfence.so.1", "libringfence-sim.so.1"):
        assert dynamic(library, "SONAME") == [library], library
        assert (USR / "lib" / library).resolve().name == library.replace(".1", f".{VERSION}")
    # data of a thread is found by a function of the loader
    needed = set(dynamic("libringfence.so.1", "NEEDED")) - {"ld-linux-x86-64.so.2"}
    assert needed == {"libdrm.so.2", "libc.so.6"}, needed


def test_example():
    """an example is compiled with nothing but pkg-config; the library loads the simulator"""
    program = build("ringfence", "first_fence")
    assert dynamic(program, "NEEDED") == ["libringfence.so.1", "libc.so.6"]
    assert good(program, RINGFENCE_DEVICE="sim:") == FIRST_FENCE
    assert good(program, RINGFENCE_DEVICE="sim:seed=7,random") == FIRST_FENCE
    assert good("pkg-config", "--modversion", "ringfence").strip() == VERSION


def test_driver_example():
    """a program on the simulator itself is, too"""
    program = build("ringfence-sim", "lost_wakeup")
    good(program, RINGFENCE_DEVICE="sim:")
    assert user(program, "--wrong", RINGFENCE_DEVICE="sim:hold=ring@1:+144").returncode == 1


def test_headers():
    """each header compiles alone, also as C++"""
    flags = good("pkg-config", "--cflags", "ringfence", "ringfence-sim").split()
    flags += good("pkg-config", "--cflags", "ringfence-miniport").split()
    headers = [path.relative_to(USR / "include/ringfence")
               for path in (USR / "include/ringfence").rglob("*.h")]
    assert len(headers) >= 6, headers
    for header in headers:
        for compiler in (["cc"], ["c++", "-x", "c++"]):
            if compiler[0] == "c++" and (header.name == "tlp.h" or header.parts[0] == "miniport"):
                continue
            (HOME / "probe.c").write_text(f"#include <{header}>\n", encoding="utf-8")
            good(*compiler, "-Wall", "-Werror", *flags, "-fsyntax-only", "probe.c")


def test_wrong_words():
    """what is wrong with a device string is said by the simulator, through the library"""
    result = user(HOME / "first_fence", RINGFENCE_DEVICE="sim:mps=200")
    assert result.returncode == 1, result
    assert result.stderr == ("cannot open sim:mps=200: 'mps=200': 200 is not a power of two from "
                             "128 to 4096\n"), result
    result = user(HOME / "first_fence", RINGFENCE_DEVICE="drm:/dev/null")
    assert result.stderr.startswith("cannot open drm:/dev/null: the driver serves no such"), result
    result = user(HOME / "first_fence", RINGFENCE_DEVICE="pci:0000:ff:1f.7")
    assert result.stderr.startswith("cannot open pci:0000:ff:1f.7: "), result


def test_no_simulator():
    """without the simulator's library, sim: says which package to install"""
    alone = PLACE / "alone"
    alone.mkdir()
    shutil.copy(USR / "lib/libringfence.so.1", alone)
    for device in ("sim:", "sim:random", "serial:/dev/null"):
        result = user(HOME / "first_fence", RINGFENCE_DEVICE=device, LD_LIBRARY_PATH=str(alone))
        assert result.returncode == 1, result
        assert result.stderr.startswith(f"cannot open {device}: the simulator is not installed; "
                                        "install the package libringfence-sim ("), result
    # what it needs not at all works
    result = user(HOME / "first_fence", LD_LIBRARY_PATH=str(alone), RINGFENCE_DEVICE="drm:/dev/null")
    assert "no such render node" in result.stderr, result


def test_other_simulator():
    """a simulator of another version is refused by name"""
    other = PLACE / "other"
    other.mkdir()
    shutil.copy(USR / "lib/libringfence.so.1", other)
    (other / "map").write_text("RINGFENCE_PRIVATE_0.9.9 { global: rf_carrier_open_named; };\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-Wl,-soname,libringfence-sim.so.1",
                    "-Wl,--version-script=map", "-o", "libringfence-sim.so.1"], cwd=other,
                   input="int rf_carrier_open_named(void) { return 0; }\n", text=True, check=True)
    result = user(HOME / "first_fence", RINGFENCE_DEVICE="sim:", LD_LIBRARY_PATH=str(other))
    assert result.returncode == 1 and f"of another version than libringfence {VERSION}" in \
        result.stderr, result


def test_programs():
    """programs run, and print the version"""
    for program in ("ringfence", "rf-vfio-user"):
        assert good(program, "--version") == f"{program} (Ringfence) {VERSION}\n"
    assert "local memory" in good("ringfence", "info")
    (HOME / "input").write_bytes(bytes(range(256)) * 20)
    assert good("ringfence", "run", "--input", "input").endswith(
        "The result is what the CPU computes.\n")
    for word in ("wave=w.fst", "link=gen1x1"):
        result = user("ringfence", "run", "--input", "input", "--device", f"sim:{word}")
        assert result.returncode == 1 and "install the package libringfence-sim" in \
            result.stderr, result


def test_miniport():
    """the sample is a device; its source, compiled with nothing but pkg-config, passes all rows"""
    sample = f"miniport:{USR}/lib/ringfence/miniport.so"
    assert good("ringfence", "run", "--input", "input", "--device", sample).endswith(
        "The result is what the CPU computes.\n")
    assert good(HOME / "first_fence", RINGFENCE_DEVICE=sample) == FIRST_FENCE
    # a DESTDIR is not where it looks for it by itself
    result = user("ringfence", "run", "--input", "input", "--device", "miniport:")
    assert result.returncode == 1 and "install the package libringfence-sim" in result.stderr, result
    sources = sorted((USR / "share/doc/ringfence/examples/miniport").glob("*.c"))
    flags = good("pkg-config", "--cflags", "ringfence-miniport").split()
    good("cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *sources, *flags, "-o", "mine.so")
    text = good("ringfence", "conform", "--miniport", "mine.so", "--output", "results")
    assert text.count("\nok ") > 50 and "not ok" not in text and "SKIP" not in text, text


def test_man():
    """programs, headers and each function have a manual page, without a warning of the formatter"""
    folder = USR / "share/man"
    for name in ("man1/ringfence.1", "man1/rf-vfio-user.1", "man3/ringfence.3", "man3/rfsim.3"):
        result = user("man", "--warnings", "-l", folder / name)
        assert result.returncode == 0 and not result.stderr, result
        assert len(result.stdout.splitlines()) > 20, result
    assert VERSION in good("man", "-l", folder / "man1/rf-vfio-user.1")
    text = re.sub(r"\s+", " ", good("man", "-l", folder / "man3/ringfence.3", MANWIDTH="300"))
    functions = declared("ringfence.h")
    for function in functions:
        assert f"{function}(" in text, f"{function}() is not in ringfence(3)"
    for function in functions | declared("rfsim.h"):
        assert (folder / f"man3/{function}.3").exists(), f"there is no {function}(3)"


def complete(*words):
    """What bash offers for the last word."""
    script = (f". /usr/share/bash-completion/bash_completion; . {USR}/share/bash-completion/"
              'completions/ringfence; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
              'COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9; '
              'compopt() { :; }; _ringfence; printf "%s\\n" "${COMPREPLY[@]}"')
    return set(good("bash", "--norc", "-c", script, "bash", *words).split())


def test_completion():
    """bash completes commands, options and kinds of devices, as the programs have them"""
    commands = complete("ringfence", "")
    assert {"info", "run", "conform", "sweep", "--version"} <= commands, commands
    assert complete("ringfence", "re") == {"replay"}
    assert {"--input", "--output", "--device", "--json"} <= complete("ringfence", "run", "--")
    assert complete("ringfence", "run", "--inp") == {"--input"}
    assert complete("ringfence", "run", "--device", "") == {"sim:", "drm:", "pci:", "serial:", "miniport:"}
    assert complete("ringfence", "link", "--device", "") == {"serial:"}
    assert complete("ringfence", "link", "--hold", "") == {"on", "off"}
    assert complete("ringfence", "link", "--idle", "b") == {"bit", "both"}
    assert complete("ringfence", "run", "--input", "inp") == {"input"}
    assert complete("rf-vfio-user", "--st") == {"--strict"}


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
