#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/run: what it counts as passed, and that nothing bad counts so."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import tap

RUN = pathlib.Path(__file__).resolve().parents[1] / "run"


def run(*arguments, scale="1", **environment):
    return subprocess.run([RUN, *arguments], text=True, capture_output=True, check=False,
                          env=dict(os.environ, TIME_SCALE=scale, **environment))


def counts(command, passed, failed, skipped, *options, scale="1"):
    result = run(*options, f"program={command}", scale=scale)
    last = result.stdout.splitlines()[-1]
    assert last == f"{passed} passed, {failed} failed, {skipped} skipped", result.stdout
    assert result.returncode == (1 if failed else 0), result.returncode
    return result.stdout


def test_selected():
    """TEST leaves out programs of other names, and is nothing that a program sees"""
    good = "printf 'ok 1 - a\\n1..1\\n'"
    tests = [f"{name}={good}" for name in ("alpha", "beta", "gamma")]
    for patterns, names in (("al*", ["alpha"]), ("*a", ["alpha", "beta", "gamma"]),
                            ("beta gam?a", ["beta", "gamma"]), ("", ["alpha", "beta", "gamma"])):
        result = run(*tests, TEST=patterns)
        found = [line.split()[0] for line in result.stdout.splitlines()[:-1]]
        assert sorted(found) == names and result.returncode == 0, (patterns, result)
    result = run("--selected", *tests, TEST="al*")
    assert result.stdout.endswith("3 passed, 0 failed, 0 skipped\n"), result
    result = run('alpha=test -z "$TEST" && ' + good, TEST="al*")
    assert result.returncode == 0, result


def test_selected_none():
    """names that no program has are an error that says which there are"""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder, "table.tsv")
        result = run("--results", table, "alpha=true", TEST="beta")
        assert result.returncode == 1, result
        assert result.stdout == "TEST=beta: no test of that name here; there are alpha\n", result
        assert table.read_text() == "none\n"
        assert run("--results", table, TEST="beta").returncode == 1
    assert run().returncode == 2


def test_good():
    """results, skipped results and several plans are counted"""
    counts("printf '1..1\\nok 1 - a\\n1..2\\nok 1 - b\\nok 2 - c # SKIP no\\n'", 2, 0, 1)


def test_not_ok():
    """a bad result fails and its output is shown"""
    output = counts("printf 'not ok 1 - why\\n# because\\n1..1\\n'; exit 1", 0, 1, 0)
    assert "FAILED: why" in output and "# because" in output, output


def test_status():
    """good results with a bad status fail"""
    counts("printf '1..1\\nok 1 - a\\n'; exit 3", 1, 1, 0)


def test_lying_status():
    """a bad result with status 0 fails twice"""
    counts("printf '1..1\\nnot ok 1 - a\\n'", 0, 2, 0)


def test_no_plan():
    """results without a plan fail"""
    counts("printf 'ok 1 - a\\n'", 1, 1, 0)


def test_no_tests():
    """a plan of nothing fails"""
    counts("printf '1..0\\n'", 0, 1, 0)


def test_short():
    """fewer results than planned fail"""
    counts("printf '1..2\\nok 1 - a\\n'", 1, 1, 0)


def test_silent():
    """a program that prints nothing fails"""
    counts("true", 0, 1, 0)


def test_missing():
    """a program that is not there fails"""
    counts("build/no/such/program", 0, 1, 0)


def test_crash():
    """a program that dies after good results fails"""
    counts("printf '1..1\\nok 1 - a\\n'; kill -SEGV $$", 1, 1, 0)


def test_timeout():
    """a program that does not end is ended, with its children, and fails"""
    with tempfile.TemporaryDirectory() as folder:
        late = pathlib.Path(folder) / "late"
        wait = f"(sleep 4; touch {late})"
        output = counts(f"printf '1..1\\nok 1 - a\\n'; {wait} & {wait}", 1, 1, 0,
                        "--timeout", "0.5")
        assert "prints something within 0.5 s" in output, output
        time.sleep(5)
        assert not late.exists()


def test_silence():
    """a program that prints anything now and then may take its time"""
    counts("echo 1..1; for i in 1 2 3 4 5 6 7 8; do sleep 0.5; printf .; done; "
           "printf '\\nok 1 - a\\n'", 1, 0, 0, "--timeout", "2")


def test_scale():
    """TIME_SCALE makes every limit longer or shorter"""
    command = "echo 1..1; sleep 2; echo ok 1 - a"
    counts(command, 0, 1, 0, "--timeout", "0.5")
    counts(command, 1, 0, 0, "--timeout", "0.5", scale="20")
    counts(command, 0, 1, 0, "--timeout", "50", scale="0.01")


def test_wrong_scale():
    """a TIME_SCALE that is no positive number is refused"""
    for scale in ("0", "-1", "x", "nan", "inf"):
        result = run("p=echo 1..1; echo ok 1 - a", scale=scale)
        assert result.returncode == 2 and "TIME_SCALE" in result.stderr, (scale, result)


def test_input():
    """a program has no input"""
    counts("cat; printf '1..1\\nok 1 - a\\n'", 1, 0, 0)


def test_results():
    """the results file has a line for each test"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "deep/results.tsv"
        run("--results", str(path), "b=printf '1..1\\nnot ok 1 - y\\n'; exit 1",
            "a=printf '1..2\\nok 1 - x\\nok 2 # skip z\\n'")
        assert path.read_text().splitlines() == ["fail\tb: y", "pass\ta: x", "skip\ta:  (z)"]


def test_live():
    """output is shown as it comes, and counted the same"""
    with tempfile.TemporaryDirectory() as folder:
        seen = pathlib.Path(folder) / "seen"
        command = f"echo 1..1; echo ok 1 - a; until [ -e {seen} ]; do sleep 0.1; done; exit 3"
        with subprocess.Popen([RUN, "--live", f"p={command}"],
                              stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "1..1\n"
            seen.touch()
            assert process.stdout.read().splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


def test_parallel():
    """two programs run at the same time"""
    with tempfile.TemporaryDirectory() as folder:
        tests = [f"p=touch {folder}/{own}; until [ -e {folder}/{other} ]; do sleep 0.1; done; "
                 "printf '1..1\\nok 1 - a\\n'" for own, other in (("a", "b"), ("b", "a"))]
        result = run("--jobs", "2", "--timeout", "60", *tests)
        assert result.stdout.splitlines()[-1] == "2 passed, 0 failed, 0 skipped", result.stdout


sys.exit(tap.run(__name__))
