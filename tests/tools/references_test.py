#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/references: references that are right pass; each kind of wrong one is found."""

import pathlib
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]

REQUIREMENTS = """# Requirements

- <a id="s0-1"></a>**S0-1** The system shall keep a value.
- <a id="a-5"></a>**A-5** Nothing shall be reported.
- <a id="c5a"></a>**C5a Bits.** As the sources say.
"""
PAGE = """# A page

See [requirements](requirements.md#c5a), [the end](#the-end-of-rf_wait), [code](../kmd/file.c) and
[elsewhere](https://example.org/gone.md#x).

```
[not a link](nowhere.c)
```

## The end of `rf_wait`
"""
CODE = "/* S0-1, A-5..A-5 and C5a; docs/page.md, requirements.md */\n"


def references(changes=()):
    """Status and output for a small project with these files in it, {name: text}."""
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder)
        texts = {"docs/requirements.md": REQUIREMENTS, "docs/page.md": PAGE, "kmd/file.c": CODE}
        for name, text in {**texts, **dict(changes)}.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text, encoding="utf-8")
        result = subprocess.run([ROOT / "tools/references", project], text=True,
                                capture_output=True, check=False)
        return result.returncode, result.stdout + result.stderr


def refused(words, name, text):
    """That this file is found to be wrong once, with these words."""
    status, output = references({name: text})
    assert status == 1 and words in output and len(output.splitlines()) == 1, output


def test_right():
    """right references pass"""
    status, output = references()
    assert status == 0 and not output, output


def test_identifier():
    """an id that no requirement and no conflict has is found, with its line"""
    refused("kmd/file.c:2: S0-2 is not in", "kmd/file.c", CODE + "/* S0-2 */\n")
    refused("A-50 is not in", "kmd/file.c", "/* A-50 */\n")
    refused("C5 is not in", "docs/other.md", "C5\n")


def test_definitions():
    """an id that is there twice, or whose anchor is another's, is found"""
    twice = REQUIREMENTS + '- <a id="a-5"></a>**A-5** Again.\n'
    refused("A-5 is there twice", "docs/requirements.md", twice)
    refused("the anchor of A-6 is a-7", "docs/requirements.md", REQUIREMENTS +
            '- <a id="a-7"></a>**A-6** More.\n')


def test_document():
    """a document that is not there is found"""
    refused("there is no wddm.md", "kmd/file.c", "/* see wddm.md */\n")
    refused("there is no design document", "kmd/file.c", "/* as in design\n * section 4 */\n")


def test_link():
    """a link to a page, a heading or an id that is not there is found"""
    for target, words in (("gone.c", "there is no docs/gone.c"),
                          ("page.md#gone", "docs/page.md has no heading or id gone"),
                          ("#the-end-of-rf-wait", "no heading or id the-end-of-rf-wait"),
                          ("requirements.md#c5", "no heading or id c5")):
        refused(words, "docs/other.md", f"# Other\n\nThis [`link`]({target}) is wrong.\n")


sys.exit(tap.run(__name__))
