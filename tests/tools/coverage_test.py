#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/coverage: what was not reached is refused, and so is a reason for nothing."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tap

COVERAGE = pathlib.Path(__file__).resolve().parents[1] / "coverage"
RTL = COVERAGE.parents[1] / "rtl"
sys.path.insert(0, str(COVERAGE))
import plan  # noqa: E402

FOLDER = pathlib.Path("build/coverage")
SOURCE = """module rf_some (
  input  wire logic       clk_i,
  output logic      [3:0] count_o
);
  if (full) begin
  end else begin
  end
endmodule
"""
PLAN = '[rf_some]\n"it is full" = "full"\n"it is empty, and asked" = "!full"\n'
# Everything was reached.
COUNTS = {
    ("v_branch", 5, "if"): 1, ("v_branch", 5, "else"): 1, ("v_line", 5, "block"): 0,
    ("v_toggle", 2, "clk_i"): 9,
    **{("v_toggle", 3, f"count_o[{bit}]"): 1 for bit in range(4)},
    ("v_user", 8, "point_it_is_full"): 1, ("v_user", 8, "point_it_is_empty_and_asked"): 1,
}


def write_counts(path, counts, source="cp/rf_some.sv"):
    path.parent.mkdir(parents=True, exist_ok=True)
    records = ["# SystemC::Coverage-3"]
    for (page, line, what), count in counts.items():
        fields = {"f": FOLDER / "rtl" / source, "l": line, "n": 3, "page": f"{page}/rf_some",
                  "o": what, "h": "TOP.rf_some"}
        text = "".join(f"\1{key}\2{value}" for key, value in fields.items())
        records.append(f"C '{text}' {count}")
    path.write_text("\n".join(records) + "\n")


def report(changed=None, holes="", stack=None, more=()):
    """Run it on COUNTS with some changed (None: not counted); return status, TAP and JSON."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "tests/coverage").mkdir(parents=True)
        for script in ("report", "plan.py", "counts.py"):
            shutil.copy(COVERAGE / script, root / "tests/coverage")
        (root / "tests/coverage/plan.toml").write_text(PLAN)
        (root / "tests/coverage/holes.toml").write_text(holes)
        (root / "rtl/cp").mkdir(parents=True)
        for module in ("rf_some", *more):
            (root / f"rtl/cp/{module}.sv").write_text(SOURCE)
        counts = {what: count for what, count in (COUNTS | (changed or {})).items()
                  if count is not None}
        write_counts(root / FOLDER / "rf_some/counts", counts)
        if stack:
            write_counts(root / FOLDER / "stack/counts.7.0", stack)
        done = subprocess.run([sys.executable, "tests/coverage/report", str(FOLDER)], cwd=root,
                              capture_output=True, text=True, check=False)
        result = root / FOLDER / "report.json"
        return (done.returncode, done.stdout + done.stderr,
                json.loads(result.read_text()) if result.exists() else None)


def left(changed):
    """The lines of rf_some that the whole device is not to count any more."""
    with tempfile.TemporaryDirectory() as name:
        write_counts(pathlib.Path(name) / FOLDER / "rf_some/counts", COUNTS | changed)
        write_counts(pathlib.Path(name) / FOLDER / "stack/counts.7.0", COUNTS)
        subprocess.run([COVERAGE / "left", FOLDER], cwd=name, check=True)
        text = (pathlib.Path(name) / FOLDER / "left.vlt").read_text()
    assert text.startswith("`verilator_config\n"), text
    return {int(line) for line in re.findall(
        f'^coverage_off -file "{FOLDER}/rtl/cp/rf_some.sv" -lines (\\d+)$', text, re.MULTILINE)}


def hole(kind, pattern, module="rf_some"):
    return f'[[hole]]\nmodule = "{module}"\n{kind} = ["{pattern}"]\nreason = "because"\n'


def refused(text, **arguments):
    status, output, _ = report(**arguments)
    assert status == 1 and f"#   {text}" in output, output


def accepted(**arguments):
    status, output, result = report(**arguments)
    assert status == 0 and "not ok" not in output, output
    return result["blocks"]["cp"]["rf_some"]


ELSE = ("v_branch", 5, "else")
BIT = ("v_toggle", 3, "count_o[2]")
POINT = ("v_user", 8, "point_it_is_full")


def test_whole():
    """without a hole all is well, and counted"""
    assert accepted() == {"lines": {"all": 2, "hit": 2, "stack_only": 0},
                          "signals": {"all": 5, "hit": 5, "stack_only": 0},
                          "points": {"all": 2, "hit": 2, "stack_only": 0}}


def test_line():
    """an arm that nothing reached is refused, and accepted with a reason"""
    refused("no test reaches 'else: if (full) begin'", changed={ELSE: 0})
    figures = accepted(changed={ELSE: 0}, holes=hole("lines", "else: if (full) begin"))
    assert figures["lines"]["hit"] == 1, figures


def test_signal():
    """a bit that never changed is refused, and accepted with a reason for this bit"""
    refused("never changes: count_o[2]", changed={BIT: 0})
    accepted(changed={BIT: 0}, holes=hole("signals", "count_o[3:2]"))
    accepted(changed={BIT: 0}, holes=hole("signals", "count_o"))
    accepted(changed={BIT: 0}, holes=hole("signals", "*_o", module="rf_*"))
    refused("never changes: count_o[2]", changed={BIT: 0}, holes=hole("signals", "count_o[1:0]"))
    refused("never changes: count_o[2]", changed={BIT: 0},
            holes=hole("signals", "count_o", module="rf_other"))


def test_stale():
    """a reason without a hole is refused"""
    refused("rf_some: 'count_o[3:2]' has a reason, but no hole",
            holes=hole("signals", "count_o[3:2]"))
    refused("rf_some: 'if (full) begin' has a reason, but no hole", changed={ELSE: 0},
            holes=hole("lines", "else: if (full) begin") + hole("lines", "if (full) begin"))


def test_reason():
    """a hole that is named without a reason is refused"""
    bare = hole("signals", "count_o[2]").replace('reason = "because"\n', "")
    refused("rf_some: a hole without a reason", changed={BIT: 0}, holes=bare)
    refused("rf_some: a hole without a reason", changed={BIT: 0}, holes=bare + 'reason = " "\n')


def test_point():
    """a point that never happened is refused, also if nobody counted it"""
    refused("never happens: it is full", changed={POINT: 0})
    refused("never happens: it is full", changed={POINT: None})


def test_untested():
    """a module that no test has is refused, but for a reason; one for a tested module too"""
    reason = '[untested]\nrf_more = "because"\n'
    refused("rf_more is in no test", more=["rf_more"])
    accepted(more=["rf_more"], holes=reason)
    refused("rf_more has a reason not to be tested, but is", holes=reason)


def test_stack():
    """what only the stack reaches is reached, and told"""
    figures = accepted(changed={ELSE: 0}, stack={ELSE: 3})
    assert figures["lines"] == {"all": 2, "hit": 2, "stack_only": 1}, figures


def test_left():
    """the stack counts what no unit test has reached, and every arm"""
    assert left({}) == {2, 3, 8}
    assert left({BIT: 0}) == {2, 8}
    assert left({POINT: 0}) == {2, 3}
    assert left({ELSE: 0}) == {2, 3, 8}


def test_planted():
    """every point of the plan is planted, and no line moves"""
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([COVERAGE / "plant", name], check=True)
        for module, points in plan.read().items():
            copy = next(pathlib.Path(name).rglob(f"{module}.sv"))
            source = next(RTL.rglob(f"{module}.sv")).read_text()
            text = copy.read_text()
            assert len(text.splitlines()) == len(source.splitlines()), module
            for point in points:
                assert f" {plan.label(point)}: cover (" in text, (module, point)


def unknown_names(points):
    """Names in the conditions of points that do not stand in the source of their module."""
    bad = []
    for module, conditions in points.items():
        known = set(re.findall(r"\w+", next(RTL.rglob(f"{module}.sv")).read_text()))
        for point, condition in conditions.items():
            names = re.findall(r"(?<![\w'$:.])[a-zA-Z_]\w*", condition)
            bad += [f"{module}, {point}: {name}" for name in names if name not in known]
    return bad


def test_names():
    """the points of the plan name what their modules have"""
    unknown = unknown_names(plan.read())
    assert not unknown, unknown
    assert unknown_names({"rf_wait": {"gone": "&active_q && a_signal_gone"}}) == [
        "rf_wait, gone: a_signal_gone"]


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
