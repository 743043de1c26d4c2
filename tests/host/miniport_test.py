#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loaded miniports: the portable rows on the sample, planted faults, bad shared objects, commands.

Argument: the program ringfence.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SAMPLE = ROOT / "build/examples/miniport.so"
SOURCES = ROOT / "examples/miniport"
INCLUDE = ROOT / "kmd/include"
# Parts of it that are in headers
HELPERS = [INCLUDE / name for name in
           ("rf_miniport_memory.h", "rf_miniport_reports.h", "rf_stream.h")]
LINES = 600  # of the sample
FOLDER = tempfile.TemporaryDirectory(prefix="ringfence-miniport-")
PLACE = pathlib.Path(FOLDER.name)


def run(*command, **environment):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          check=False, cwd=PLACE, timeout=tap.time_limit(120),
                          env={**os.environ, **environment})


def compile_sample(name, *changes):
    """The sample as a shared object, after changes of its text: (file, old, new)."""
    folder = PLACE / name
    folder.mkdir()
    for path in (*SOURCES.iterdir(), *HELPERS):
        text = path.read_text(encoding="utf-8")
        for file, old, new in changes:
            if file == path.name:
                assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {file}"
                text = text.replace(old, new)
        (folder / path.name).write_text(text, encoding="utf-8")
    result = run("cc", "-O1", "-shared", "-fPIC",
                 *(f"-I{ROOT / path}" for path in ("kmd/include", "kmd/ddi", "kmd/hosted")),
                 *sorted(folder.glob("*.c")), "-o", folder / "mine.so")
    assert result.returncode == 0, result.stderr
    return folder / "mine.so"


def rows(library, pattern="*"):
    """{name: passed} of the portable tests."""
    result = run(PROGRAM, "conform", "--miniport", library, "--filter", pattern, "--output",
                 PLACE / "results")
    found = {}
    for line in result.stdout.splitlines():
        if line.startswith(("ok ", "not ok ")):
            assert "SKIP" not in line, line
            found[line.split(" - ")[1]] = line.startswith("ok ")
    assert (result.returncode == 0) == all(found.values()), result
    assert found, result
    return found


def test_sample_passes():
    """the sample passes every portable row"""
    found = rows(SAMPLE)
    assert all(found.values()), [name for name, passed in found.items() if not passed]
    listed = run(PROGRAM, "conform", "--device", "miniport:", "--list").stdout.split()
    assert set(listed) == set(found) and len(found) > 50, len(found)


def test_results():
    """without --output, results are in build/conform if there is build, else in ringfence-conform"""
    for folder, path in (("elsewhere", "ringfence-conform"), ("tree/build", "build/conform")):
        (PLACE / folder).mkdir(parents=True)
        result = run("env", "-C", folder.split("/", maxsplit=1)[0], PROGRAM, "conform", "--miniport",
                     SAMPLE, "--filter", "S0-12*")
        assert result.returncode == 0, result
        assert result.stdout.endswith(f"\n# results: {path}/miniport.tsv and .xml\n"), result.stdout
        place = PLACE / folder.split("/", maxsplit=1)[0] / path
        text = (place / "miniport.tsv").read_text(encoding="utf-8")
        assert "S0-12\tPASS\tS0-12.forty_one_forty_two\t\n" in text, text
        assert (place / "miniport.xml").exists()


def test_no_place_for_results():
    """a folder that cannot be made or is none is named, with the reason, before any test runs"""
    (PLACE / "file").write_text("no folder", encoding="utf-8")
    for folder, reason in (("file", "Not a directory"), ("file/in", "Not a directory"),
                           ("/proc/in", "No such file or directory"),
                           ("", "No such file or directory")):
        result = run(PROGRAM, "conform", "--miniport", SAMPLE, "--filter", "S0-12*", "--output",
                     folder)
        assert result.returncode == 1 and not result.stdout, result
        assert result.stderr == (f"ringfence: cannot write results into the folder '{folder}': "
                                 f"{reason}; --output names another\n"), result.stderr


def test_sample_is_short():
    """the sample is no longer than promised"""
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES.iterdir())
    assert lines <= LINES, lines


SIGNAL = """\
	rf_write_once64(current, value);
	rf_mb();
	if (value > rf_read_once64(monitored))
		report_signaled(queue->device, current, queue->context->node);
"""
FAULTS = {
    "interrupt although no CPU waits": (
        ("device.c", "if (value > rf_read_once64(monitored))", "if (monitored)"),
        "S0-22.no_waiter_no_interrupt", "S0-12.forty_one_forty_two"),
    "interrupt at the monitored value itself": (
        ("device.c", "if (value > rf_read_once64(monitored))",
         "if (value >= rf_read_once64(monitored))"),
        "S0-12.forty_one_forty_two"),
    "signed comparison": (
        ("device.c", "if (value > rf_read_once64(monitored))",
         "if ((s64)value > (s64)rf_read_once64(monitored))"),
        "S0-22.no_waiter_no_interrupt"),
    "no interrupt of a waited signal": (
        ("device.c", "if (value > rf_read_once64(monitored))", "if (0 && monitored)"),
        "S0-12.forty_one_forty_two", "S1-29.event_collects_waits"),
    "value is written after the interrupt": ([
        ("device.c", SIGNAL, """\
	if (value > rf_read_once64(monitored))
		report_signaled(queue->device, current, queue->context->node);
	late = current; /* in the call after this one */
	late_value = value;
"""),
        ("device.c", "/* First CurrentValue,", "static u64 *late, late_value;\n\n/* First CurrentValue,"),
        ("device.c", "	do {\n		any = false;", "	if (late)\n		rf_write_once64(late, late_value);\n"
         "	late = NULL;\n	do {\n		any = false;")],
        "S0-12.forty_one_forty_two"),
    "lost wake-up: the comparison is with the MonitoredValue of the signal before": (
        ("device.c", SIGNAL, """\
	static u64 sampled = U64_MAX;

	rf_write_once64(current, value);
	if (value > sampled)
		report_signaled(queue->device, current, queue->context->node);
	sampled = rf_read_once64(monitored);
"""),
        "S0-36.waits_race_signals"),
    "wait passes one value too early": (
        ("device.c", "rf_read_once64(current) < packet[2];", "rf_read_once64(current) + 1 < packet[2];"),
        "S0-61.intra_gpu_fences_know_no_cpu"),
    "queues that wait are not looked at again": (
        ("device.c", "if (!queue || !queue->resident", "if (!queue || queue->waits || !queue->resident"),
        "S1-30.everybody_waits_and_signals"),
    "MonitoredValue is not stored": (
        ("miniport.c", "rf_value_write(arguments->monitored_value_kernel_cpu_va[i], value);",
         "(void)0;"),
        "S0-9.monitored_value_follows_waiters"),
    "another fence is named": (
        ("device.c", "fence, fence->core, node", "fence, device->fences->core, node"),
        "S0-64.names_exactly_the_waited_fences"),
    "kernel submissions in the wrong order": (
        ("rf_stream.h", "&stream->submissions[(stream->read - 1)",
         "&stream->submissions[(stream->written - 1)"),
        "S3-1.many_submissions_in_order"),
    "progress before the commands": (
        ("device.c", "queue->active = rf_stream_begin(&queue->stream);",
         "queue->active = rf_stream_begin(&queue->stream),\n		queue->stream.of_kernel ?\n"
         "			signal_progress(queue, rf_stream_submission(&queue->stream)\n"
         "						->hw_queue_progress_fence_id) : (void)0;"),
        "S1-11.engine_store_is_a_signal"),
    "read-only mappings are written": (
        ("rf_miniport_memory.h", "(store && mapping->flags & RF_MAP_READ_ONLY)",
         "(store && !mapping)"),
        "S0-8.monitored_value_is_read_only"),
    "processes see each other's memory": (
        ("rf_miniport_memory.h", "((*link)->process != process || ", "((process && 0) || "),
        "S3-61.processes_are_apart"),
}


def test_planted_faults():
    """each fault in the sample turns the rows red that must notice it"""
    for number, (fault, (change, *must_fail)) in enumerate(FAULTS.items()):
        changes = change if isinstance(change, list) else [change]
        found = rows(compile_sample(f"fault{number}", *changes), f"@({'|'.join(must_fail)})")
        assert set(found) == set(must_fail), (fault, found)
        passed = [name for name, good in found.items() if good]
        assert not passed, f"{fault}: {passed} passed"


def test_calls_do_not_overlap():
    """with run(), no call of the miniport begins in another"""
    library = compile_sample("overlap", (
        "device.c", "	do {\n		any = false;", "	static int inside;\n\n"
        "	if (__atomic_exchange_n(&inside, 1, __ATOMIC_SEQ_CST))\n		abort();\n"
        "	nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL);\n"
        "	__atomic_store_n(&inside, 0, __ATOMIC_SEQ_CST);\n	do {\n		any = false;"))
    found = rows(library, "S0-36*")
    assert all(found.values()), found


BAD = {
    "missing.so": (None, "cannot read "),
    "text.so": ("", "it is no shared object that can be loaded: "),
    "none.so": ("int nothing;", "it does not define rf_miniport_module; rf_miniport_module.h says how"),
    "other.so": ("MODULE = { .version = 7, .ddi_bytes = sizeof(struct rf_ddi) };",
                 "it has version 7 of rf_miniport_module.h, this program version 1; compile it with"),
    "size.so": ("MODULE = { .version = RF_MINIPORT_MODULE_VERSION, .ddi_bytes = 8 };",
                "its struct rf_ddi has 8 bytes, that of this program "),
    "no_ddi.so": ("MODULE = { RF_MINIPORT_MODULE_HEADER };", "its rf_miniport_module has no ddi"),
    "no_store.so": ("static const struct rf_ddi ddi; MODULE = { RF_MINIPORT_MODULE_HEADER, "
                    ".ddi = &ddi };", "its rf_miniport_module has no store"),
    "no_function.so": ("static const struct rf_ddi ddi; "
                       "static void store(struct rf_miniport_bus *b, u64 o, u64 v) "
                       "{ (void)b; (void)o; (void)v; } "
                       "MODULE = { RF_MINIPORT_MODULE_HEADER, .ddi = &ddi, .store = store };",
                       "its DDI table has no start_device; "),
    "size_of_memory.so": ("static const struct rf_ddi ddi; "
                          "static void store(struct rf_miniport_bus *b, u64 o, u64 v) "
                          "{ (void)b; (void)o; (void)v; } "
                          "MODULE = { RF_MINIPORT_MODULE_HEADER, .ddi = &ddi, .store = store, "
                          ".local_memory_bytes = 5 };",
                          "local_memory_bytes is 5, which is no multiple of 4096"),
}


def test_bad_shared_objects():
    """what cannot be loaded gets one line that says why, from conform and from run"""
    for name, (source, reason) in BAD.items():
        path = PLACE / name
        if source == "":
            path.write_text("no shared object", encoding="utf-8")
        elif source is not None:
            code = ('#include "rf_miniport_module.h"\n' +
                    source.replace("MODULE =", "const struct rf_miniport_module rf_miniport_module ="))
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", path, "-Wl,-z,defs",
                            *(f"-I{ROOT / folder}" for folder in
                              ("kmd/include", "kmd/ddi", "kmd/hosted"))],
                           input=code, text=True, check=True)
        for command in (("conform", "--miniport", path),
                        ("run", "--input", ROOT / "LICENSE", "--device", f"miniport:{path}")):
            result = run(PROGRAM, *command)
            assert result.returncode == 1 and not result.stdout, result
            assert result.stderr.startswith(f"ringfence: cannot open miniport:{path}: {reason}"), \
                (name, result.stderr)
            assert result.stderr.count("\n") == 1, result.stderr


def test_failing_functions():
    """a start_device or open that fails is reported, and so is a crash: each as one row or line"""
    library = compile_sample("nostart", (
        "miniport.c", "	device = calloc(1, sizeof(*device));\n", "	return -EIO;\n"
        "	device = calloc(1, sizeof(*device));\n"))
    result = run(PROGRAM, "run", "--input", ROOT / "LICENSE", "--device", f"miniport:{library}")
    assert result.returncode == 1 and "driver failed: Input/output error" in result.stderr, result
    result = run(PROGRAM, "conform", "--miniport", library, "--filter", "S0-12*")
    assert result.returncode == 1 and "not ok 1 - S0-12.forty_one_forty_two" in result.stdout
    assert "the miniport does not start: Input/output error" in result.stdout, result.stdout
    library = compile_sample("crash", (
        "device.c", "	rf_write_once64(current, value);\n", "	__builtin_trap();\n"
        "	rf_write_once64(current, value);\n"))
    result = run(PROGRAM, "conform", "--miniport", library, "--filter", "S0-[12]*")
    assert result.returncode == 1 and "# ended by signal " in result.stdout, result
    assert "\nok " in result.stdout, result.stdout


def test_arguments():
    """--miniport and --device are one or the other; a filter that matches no portable test says so"""
    for words, line in (
            (("--miniport", SAMPLE, "--device", "sim:"),
             "ringfence: --miniport names the device, so --device is not taken"),
            (("--miniport", ""), "ringfence: --miniport needs a file, such as ./mine.so"),
            (("--miniport", SAMPLE, "--filter", "S4-22*"), "ringfence: no test matches 'S4-22*'")):
        result = run(PROGRAM, "conform", *words)
        assert result.returncode == 2 and result.stderr.splitlines()[0] == line, result


def test_main_job():
    """the main job gives the CPU's result, and takes a small part of the simulation's time"""
    source = PLACE / "input"
    source.write_bytes((ROOT / "LICENSES/GPL-2.0.txt").read_bytes() * 4)
    seconds = {}
    for device in (*["miniport:"] * 10, f"miniport:{SAMPLE}", "sim:"):  # others use the processor
        result = run(PROGRAM, "run", "--input", source, "--output", "output", "--json", "--device",
                     device)
        assert result.returncode == 0, result
        took = json.loads(result.stdout)["seconds"]
        seconds[device] = min(took, seconds.get(device, took))
        words = [int.from_bytes(source.read_bytes()[i:i + 4], "little")
                 for i in range(0, source.stat().st_size // 4 * 4, 4)]
        expected = b"".join(((2654435761 * word + 40503) % 2**32).to_bytes(4, "little")
                            for word in words)
        assert (PLACE / "output").read_bytes()[:len(expected)] == expected, device
    print(f"# {seconds['sim:'] / seconds['miniport:']:.0f} times as fast")
    assert seconds["sim:"] > 20 * seconds["miniport:"], seconds


def test_speed():
    """its engines move thousands of times as much in a second as those of the simulation"""
    def best(key, *words):
        return max(json.loads(run(PROGRAM, "bench", "--filter", key, "--json", *words).stdout)
                   [key]["value"] for _ in range(5))  # others use the processor

    moves = best("local_copy_mb_per_s", "--device", "miniport:") * 1e6
    cycles = best("simulated_cycles_per_second")
    print(f"# {moves / (8 * cycles):.0f} times as fast")  # a word of 8 bytes in a cycle at most
    assert moves > 1000 * 8 * cycles, (moves, cycles)


def test_large_input():
    """Each of its buffers of commands is a piece of memory, of which a handle has a limit."""
    with tempfile.NamedTemporaryFile() as large:
        large.write(bytes(range(256)) * (40 << 10))
        large.flush()
        result = run(PROGRAM, "run", "--input", large.name, "--device", "miniport:")
    assert result.returncode == 0, result.stderr


def test_commands():
    """other commands and a program with the library work on it, or say why not"""
    result = run(ROOT / "build/examples/first_fence", RINGFENCE_DEVICE="miniport:")
    assert result.stdout == "fence is 1, memory holds 0123456789abcdef\n", result
    assert "native fences        yes" in run(PROGRAM, "info", "--device", "miniport:").stdout
    told = json.loads(run(PROGRAM, "bench", "--device", "miniport:", "--json").stdout)
    assert told["interrupts_per_1000_waited_fences"]["value"] == 1000, told
    assert told["interrupts_per_1000_unwaited_fences"]["value"] == 0, told
    result = run(PROGRAM, "dump", "--device", "miniport:")
    assert result.returncode == 1 and "a dump is of drm:, pci: or sim:" in result.stderr, result


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
