#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write docs/uapi.md, the reference of the driver's requests.

All of it comes from the comments of the header that programs include. A structure,
member or value that has none is an error. With --check nothing is written: the exit
status is 1 if the file is stale.
"""

import argparse
import pathlib
import re
import sys

from version import Version

HEADER = "kmd/include/uapi/drm/ringfence_drm.h"
OUTPUT = "docs/uapi.md"
PREFIX = "DRM_RINGFENCE_"

HEAD = f"""<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Generated from {HEADER} by tools/uapi_reference.py: do not edit. -->

# Requests of the driver

Requests of a program to the driver: by ioctl on a render node, or in process by a function call
(`kmd/hosted`), with the same structures. Most programs use the library instead
(`umd/include/ringfence.h`); [driver.md](driver.md) describes the driver.
"""

# What of the header becomes text; everything else must be known to be none.
COMMENT = r"/\*(?P<{}>[^*](?:(?!\*/).)*)\*/\n"
ITEM = re.compile(r"""
      /\*[ ]---[ ](?P<section>.+?)[ ]-+[ ]\*/\n(?:\n""" + COMMENT.format("text") + r"""\n)?
    | /\*\*\n(?P<kernel_doc>.*?)\*/\nstruct[ ](?P<struct>\w+)[ ]\{\n(?P<members>.*?)\n\};
    | (?:""" + COMMENT.format("define_doc") + r""")?
      \#define[ ](?P<define>\w+)[ ](?P<value>[^\\\n(]*\([^\n]*\)|[^\\\n(]+)\n
    | (?:""" + COMMENT.format("enum_doc") + r""")?enum[ ](?P<enum>\w+)[ ]\{\n(?P<values>.*?)\n\};
    """, re.VERBOSE | re.DOTALL)


class Error(Exception):
    """The header lacks something."""


def plain(comment):
    """Text of a comment's inside, without its stars."""
    return "\n".join(re.sub(r"^\s*\* ?", "", line) for line in comment.splitlines()).strip()


def line(text):
    return " ".join(text.split()).replace("|", "\\|")


def code(text):
    """Names of the header, and of arguments, as code."""
    text = re.sub(r"(?<![\w`])(struct |enum )?(drm_ringfence_\w+|DRM_RINGFENCE_\w+\*?)",
                  lambda found: f"`{found[0]}`", text)
    text = re.sub(r"(?<!\w)@(\w+)", r"`\1`", text)
    return re.sub(r"(?<![\w`])(-E[A-Z]+)\b", r"`\1`", text)


def sentence(text):
    return code(text[0].upper() + text[1:]) + ("" if text[-1] in ".?" else ".")


def table(head, rows):
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def members_of(found):
    """(type, name) of each member of a structure."""
    for member in found["members"].splitlines():
        kind, _, name = member.strip().rstrip(";").rpartition(" ")
        yield kind, name


def described(name, text):
    """A kernel-doc comment's headline, {member: text}, and what follows."""
    head, _, rest = text.partition("\n")
    match = re.match(r"struct (\w+) - (.+)", head)
    if not match or match[1] != name:
        raise Error(f"struct {name} has no headline")
    fields, _, body = rest.partition("\n\n")
    headline, first, fields = fields.partition("@")
    parts = re.split(r"^@(\w+):", first + fields, flags=re.MULTILINE)
    return line(match[2] + headline), dict(zip(parts[1::2], map(line, parts[2::2]))), body


def structure(found):
    name = found["struct"]
    headline, fields, body = described(name, plain(found["kernel_doc"]))
    rows = []
    for kind, member in members_of(found):
        if member not in fields:
            raise Error(f"struct {name}: {member} is not described")
        rows.append([f"`{member}`", f"`{kind}`", code(fields.pop(member))])
    if fields:
        raise Error(f"struct {name}: no member {', '.join(fields)}")
    yield f"### {name}"
    yield ""
    yield sentence(headline)
    yield ""
    yield from table(["member", "type", "meaning"], rows)
    if body:
        yield code(body)
        yield ""


def values_of(found):
    """(name, number, comment) of each value of an enumeration."""
    number = -1
    values = re.findall(r"(?:/\*(.*?)\*/\s*)?(\w+)(?: = (\w+))?,(?: /\*(.*?)\*/)?",
                        found["values"], flags=re.DOTALL)
    for before, name, value, behind in values:
        number = int(value, 0) if value else number + 1
        yield name, number, line(plain(before or behind))


def enumeration(found):
    yield f"### {found['enum']}"
    yield ""
    if found["enum_doc"]:
        yield sentence(line(plain(found["enum_doc"])))
        yield ""
    rows = []
    for name, number, text in values_of(found):
        if not text:
            raise Error(f"{name} is not described")
        rows.append([f"`{name}`", f"{number}", code(text)])
    yield from table(["name", "value", "meaning"], rows)


def constants(group):
    rows, text, end = [], None, None
    for found in group:  # a comment is for all up to the next empty line
        text = found["define_doc"] or (text if found.start() == end else None)
        end = found.end()
        if not text:
            raise Error(f"{found['define']} is not described")
        rows.append([f"`{found['define']}`", f"`{found['value'].strip()}`",
                     code(line(plain(text)))])
    yield from table(["constant", "value", "meaning"], rows)


def requests(found, text):
    """The numbers of the requests, with what each takes."""
    taken = {request: (name, kind) for name, request, kind in
             re.findall(r"#define (DRM_IOCTL_\w+)\s+(?:\\\n\s+)?DRM_RINGFENCE_IOWR\((\w+), struct (\w+)\)",
                        text)}
    rows = []
    for request, number, _ in values_of(found):
        name, kind = taken.get(request, (None, None))
        if name:
            rows.append([f"`{name}`", f"`{number:#04x}`", f"[`{kind}`](#{kind})"])
    if len(rows) != len(taken):
        raise Error("not every ioctl has a request of its own")
    yield from table(["ioctl", "request", "argument"], rows)


def render(text):
    rules = re.search(r"^/\*\n(.*?)\*/\n#ifndef", text, re.MULTILINE | re.DOTALL)
    yield HEAD
    yield code(plain(rules[1])).replace(":\n  - ", ":\n\n- ").replace("user\n  - ", "user\n\n- ") \
        .replace("\n  - ", "\n- ").replace("\n    ", "\n  ")
    yield ""
    group = []
    for found in ITEM.finditer(text, text.index("#include")):
        if found["define"]:
            group.append(found)
            continue
        yield from constants(group) if group else ()
        group = []
        if found["section"]:
            yield f"## {found['section'][0].upper()}{found['section'][1:]}"
            yield ""
            if found["text"]:
                yield code(plain(found["text"]))
                yield ""
        elif found["struct"]:
            yield from structure(found)
        elif found["enum"] == "drm_ringfence_request":
            yield from requests(found, text)
        elif found["enum"]:
            yield from enumeration(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", action=Version)
    parser.add_argument("--check", action="store_true", help="only say whether it is stale")
    parser.add_argument("--root", type=pathlib.Path, help="the project's folder",
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()

    header, output = options.root / HEADER, options.root / OUTPUT
    try:
        text = "\n".join(render(header.read_text(encoding="utf-8"))).rstrip("\n") + "\n"
    except (Error, OSError) as error:
        sys.exit(f"{header}: {error}")
    if output.is_file() and output.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print(f"{OUTPUT} is stale: run 'make generate'", file=sys.stderr)
        return 1
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8")
    print(f"wrote {OUTPUT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
