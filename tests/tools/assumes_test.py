#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every assume of tests/formal stands in docs/proofs.md, with a guarantor that is there."""

import pathlib
import re
import sys
import tomllib

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMAL = ROOT / "tests" / "formal"
DOCUMENT = ROOT / "docs" / "proofs.md"
CHANGES = ROOT / "tests" / "conform" / "change_tests.c"
CONDITION = re.compile(r"(if \((?:[^()]|\([^()]*\))*\)|else)\s*$")


def covers_alone(text):
    """The parts of a text that stand under COVERS."""
    return [match.span() for match in re.finditer(r"`ifdef COVERS\b.*?`(?:else|endif)", text, re.S)]


def assumes(text):
    """Yield the text of each assume, and whether it stands under COVERS."""
    text = re.sub(r"//[^\n]*", "", text)
    parts = covers_alone(text)
    for match in re.finditer(r"\bassume\s*\(", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        words = " ".join(text[match.end():end - 1].split())
        condition = CONDITION.search(text[:match.start()].rstrip())
        if condition:
            words = f"{' '.join(condition[1].split())}: {words}"
        yield words, any(begin <= match.start() < stop for begin, stop in parts)


def table(text):
    """The rows of the document: {(file, assume): guarantors}."""
    rows = re.findall(r"^\| (\w+) \| `(.*)` \| ([^|`]*) \|[^|]*\|$", text, re.M)
    return {(name, words.replace("\\|", "|")): [entry.strip() for entry in by.split(",")]
            for name, words, by in rows}


def in_simulations(name):
    """Whether an assertion MODULE.LABEL stands in the RTL, for simulation. That an offer stays
    is one of rf_offer_check, whose instance has the label."""
    module, label = name.split(".")
    return any(re.search(rf"\b{label}: assert\b|\brf_offer_check\b[^;]*\s{label} \(",
                         path.read_text())
               for path in (ROOT / "rtl").rglob(f"{module}.sv"))


def there(kind, name):
    """Whether a guarantor is there."""
    if kind == "proof":
        return name in tomllib.loads((FORMAL / "proofs.toml").read_text())
    if kind == "assert":
        return in_simulations(name)
    if kind == "rule":
        return f'"{name}")' in (ROOT / "sim" / "rfsim.h").read_text()
    if kind == "host":
        text = CHANGES.read_text()
        block, register = name.split(".")
        return f'"{name}' in text or f'{block.upper()}("{register}"' in text
    if kind == "test":
        part, test = name.split(":")
        folder = ROOT / "tests" / part
        return (folder / f"{test}_test.cpp").exists() or (folder / f"{test}.c").exists()
    return False


def problems(sources, rows):
    """What is wrong between the sources, {name: text}, and the rows of the table."""
    found, said = set(), []
    for name, text in sources.items():
        for words, cover in assumes(text):
            found.add((name, words))
            by = rows.get((name, words), [])
            if not by:
                said.append(f"{name}: {words}: no guarantee")
            if ("cover" in by) and not cover:
                said.append(f"{name}: {words}: not under COVERS")
    said += [f"{name}: {words}: no such assume" for name, words in rows
             if (name, words) not in found]
    for (name, words), by in rows.items():
        for entry in by:
            kind, _, what = entry.partition(" ")
            if entry not in ("choice", "cover") and not there(kind, what):
                said.append(f"{name}: {words}: no {entry}")
    return said


SOURCES = {path.stem: path.read_text() for path in sorted(FORMAL.glob("*.sv"))}
ROWS = table(DOCUMENT.read_text())


def test_every_assume_has_a_guarantor():
    """every assume has a guarantor that is there, and every row an assume"""
    said = problems(SOURCES, ROWS)
    assert not said, "\n".join(said)


def test_simulations_assert():
    """the unit tests of the RTL are built with assertions"""
    assert "--assert" in (ROOT / "Makefile").read_text()


def test_what_is_new_is_missed():
    """an assume without a row, a row without an assume and a guarantor that is not are missed"""
    more = dict(SOURCES, new="always_comb assume (a && b);")
    assert problems(more, ROWS) == ["new: a && b: no guarantee"]
    assert problems(SOURCES, {**ROWS, ("new", "a"): ["choice"]}) == ["new: a: no such assume"]
    key = next(key for key, by in ROWS.items() if by[0].startswith("assert "))
    for entry in ("proof rf_nothing", "assert rf_choice.nothing", "rule nothing",
                  "host slot.nothing", "test rtl:nothing", "hope"):
        said = problems(SOURCES, {**ROWS, key: [entry]})
        assert said == [f"{key[0]}: {key[1]}: no {entry}"], said


if __name__ == "__main__":
    sys.exit(tap.run(__name__))
