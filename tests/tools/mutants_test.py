#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/mutants: every mutant can be planted, whichever three run today."""

import importlib
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
from unittest import mock

import tap

MUTANTS = pathlib.Path(__file__).resolve().parents[1] / "mutants"
INCLUDES = ["kmd/include", "kmd/include/uapi", "kmd/include/uapi/drm", "kmd/core", "kmd/ddi",
            "kmd/hosted", "umd", "umd/include", "sim", "/usr/include/libdrm"]


sys.path[:0] = [str(MUTANTS), str(MUTANTS.parents[1] / "tools")]
packages = importlib.import_module("packages")


def load():
    loader = importlib.machinery.SourceFileLoader("mutants_run", str(MUTANTS / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants_run", loader))
    loader.exec_module(module)
    return module


def mutants():
    listed = tomllib.loads((MUTANTS / "mutants.toml").read_text())["mutant"]
    return [dict(mutant, number=number) for number, mutant in enumerate(listed, 1)]


def test_found():
    """the text of every mutant is found, once"""
    bad = load().take_plantable(mutants())[1]
    assert not bad, "\n" + "\n".join(f"{mutant['name']}: {problem}" for mutant, problem in bad)


def names_of(text):
    """Names and keywords of a piece of SystemVerilog"""
    text = re.sub(r"//.*|\d*'s?[bdh][0-9a-fA-F_]+", " ", text)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def proof_mutants_lost(proofs):
    """The mutants of proofs whose text is not in their source once, or that bring a name that is
    not there: Yosys would take it for a new wire."""
    said = []
    for name, proof in proofs.items():
        for mutant in proof.get("mutants", []):
            source = next(path for path in proof["sources"] if path.endswith("/" + mutant["file"]))
            text = (MUTANTS.parents[1] / source).read_text()
            if text.count(mutant["from"]) != 1 or names_of(mutant["to"]) - names_of(text):
                said.append(f"{name}: {mutant['name']}")
    return said


def test_proofs_find_theirs():
    """every mutant of a proof has its text, once, and its names in its source; others are told"""
    proofs = tomllib.loads((MUTANTS.parent / "formal/proofs.toml").read_text())
    assert not proof_mutants_lost(proofs), "\n".join(proof_mutants_lost(proofs))
    first, second = proofs["rf_log"]["mutants"][:2]
    first["from"] = "no such text"
    second["to"] = "no_such_name"
    assert len(proof_mutants_lost(proofs)) == 2


def compile_planted(tree, names):
    """What compilers say against the sources with all mutants planted."""
    hardware = [name for name in names if name.endswith(".sv")]
    includes = [f"-I{name}" for name in INCLUDES]
    folders = [name for name in (tree / "rtl").rglob("*") if name.is_dir()]
    libraries = [word for folder in [tree / "rtl", *folders] for word in ("-y", str(folder))]
    commands = [["gcc", "-std=gnu11", "-fsyntax-only", *includes, name]
                for name in names if name.endswith(".c")]
    commands.append(["verilator", "--lint-only", "-Wno-MULTITOP", *libraries, *packages.PACKAGES,
                     *(name for name in hardware if name not in packages.PACKAGES)])
    runs = [subprocess.run(command, cwd=tree, text=True, capture_output=True)
            for command in commands]
    return "\n".join(run.stderr for run in runs if run.returncode)


def test_compiles():
    """all mutants together compile"""
    planter = load()
    good = planter.take_plantable(mutants())[0]
    names = sorted({edit["file"] for mutant in good for edit in planter.edits(mutant)})
    with tempfile.TemporaryDirectory() as folder:
        planter.synchronise(pathlib.Path(folder), good)
        problems = compile_planted(pathlib.Path(folder), names)
    assert not problems, "\n" + problems


def test_missing():
    """a mutant whose text is gone is told"""
    gone = dict(mutants()[0], find="this stands nowhere", within="this stands nowhere")
    bad = load().take_plantable([gone])[1]
    assert [mutant for mutant, _ in bad] == [gone], bad


def test_fragments():
    """a mutant whose text is half a statement is told"""
    text = "if (begun_q || beat_i || retranslated_i)"
    half = dict(mutants()[0], file="rtl/mem/rf_write_queue.sv", find=text, within=text,
                replace="if (retranslated_i)")
    bad = load().take_plantable([half])[1]
    assert len(bad) == 1 and "neither an expression nor statements" in bad[0][1], bad


def test_parts():
    """what a part of the campaign needs is built: the copy's make is told of no part"""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Makefile").write_text(
            f"include {MUTANTS.parents[1]}/tools/shard.mk\nprogram:\n\ttouch $@\n")
        with mock.patch.dict(os.environ, SHARD="1/4", MAKEFLAGS=" -- SHARD=1/4"):
            done = load().make(folder, "program")
        assert done.returncode == 0, done.stderr


def test_names():
    """no two mutants have the same name"""
    names = [mutant["name"] for mutant in mutants()]
    assert len(names) == len(set(names)), sorted(names)


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
