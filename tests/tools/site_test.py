#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/site: the documentation builds without a warning, and its links lead somewhere."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]


def project(folder):
    """The pages and what builds them, apart from the tree that is tested."""
    target = pathlib.Path(folder) / "project"
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
    return target


def build(root):
    result = subprocess.run([root / "tools/site"], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, check=False)
    return result.returncode, result.stdout


class Page(html.parser.HTMLParser):
    """Links, anchors, files from elsewhere, and text in paragraphs of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.loaded, self.paragraphs = [], set(), [], []
        self.paragraph = None
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes.get("id"), attributes.get("name")} - {None}
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        for source in (attributes.get("src"), attributes.get("href") if tag == "link" else None):
            if source:
                self.loaded.append(source)
        if tag == "p":
            self.paragraph = ""

    def handle_endtag(self, tag):
        if tag == "p" and self.paragraph is not None:
            self.paragraphs.append(self.paragraph)
            self.paragraph = None

    def handle_data(self, data):
        if self.paragraph is not None:
            self.paragraph += data


def wrong_links(pages):
    """Links of {path: Page} that lead to no file or no anchor."""
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    yield f"{path}: loads {link} from the network"
                continue
            target = path
            if parts.path:
                target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(parts.path)))
            if not target.exists():
                yield f"{path}: {link}: no such file"
            elif parts.fragment and target in pages and parts.fragment not in pages[target].anchors:
                yield f"{path}: {link}: no such anchor"


def test_site():
    """every page is built, every link and anchor is there, nothing comes from the network"""
    with tempfile.TemporaryDirectory() as folder:
        root = project(folder)
        status, output = build(root)
        assert status == 0, output
        site = root / "build/docs"
        pages = {path: Page(path) for path in site.rglob("*.html")}
        sources = list((root / "docs").rglob("*.md"))
        assert len(pages) > len(sources) > 20, f"{len(pages)} pages of {len(sources)}"
        # 404.html is served for any address, so its links begin at the root of the server.
        del pages[site / "404.html"]
        wrong = list(wrong_links(pages))
        assert not wrong, "\n".join(wrong)
        # A list or a table that Markdown took for text, because no empty line stands before it.
        plain = [f"{path}: {line}" for path, page in pages.items() for text in page.paragraphs
                 for line in text.split("\n") if re.match(r"([-*] |\d+\. |\|)", line)]
        assert not plain, "\n".join(plain)
        index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
        found = [entry["location"] for entry in index["docs"] if "MonitoredValue" in entry["text"]]
        assert any(place.startswith("docs/glossary.html") for place in found), found


def test_wrong_link():
    """a page with a link to nowhere is refused, and so is one that the site does not list"""
    with tempfile.TemporaryDirectory() as folder:
        root = project(folder)
        page = root / "docs/glossary.md"
        page.write_text(page.read_text(encoding="utf-8") + "\n[gone](gone.md)\n", encoding="utf-8")
        status, output = build(root)
        assert status == 1 and "gone.md" in output, output
    with tempfile.TemporaryDirectory() as folder:
        root = project(folder)
        (root / "docs/more.md").write_text("# More\n", encoding="utf-8")
        status, output = build(root)
        assert status == 1 and "more.md" in output, output


sys.exit(tap.run(__name__))
