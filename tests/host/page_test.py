#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of a timeline, in headless Chromium: what it shows, finds and says.

Arguments: the program, build/examples/first_fence. What has to be seen is computed from the trace
of the same run (timeline=). The browser is driven by chromedriver, over the WebDriver protocol.
"""

import base64
import http.client
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

import tap  # noqa: E402  (it lies where the line above says)

PROGRAM, EXAMPLE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)

# As in sim/timeline.html
LABELS, AXIS, HEIGHT = 190, 24, 28
WORK, WAIT, ENGINE, MSI, SUPPRESSED, ARROW, MATCH = (
    (0x34, 0x65, 0xa4), (0xf5, 0xb0, 0x41), (0x1a, 0x8f, 0x8f), (0xd0, 0, 0), (0x99, 0x99, 0x99),
    (0x2e, 0x8b, 0x2e), (0xff, 0, 0xc8))
ROWS = ("upload", "compute", "download", "compute engine", "copy engine", "interrupts")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--force-device-scale-factor=1", "--window-size=1000,500")
ENTER = "\ue007"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element in WebDriver


class Browser:
    """A session of chromedriver."""

    def __enter__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                break
        else:
            raise AssertionError("chromedriver does not start")
        self.port = int(started[1])
        self.session = ""
        self.session = "/session/" + self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": [*OPTIONS, f"--user-data-dir={FOLDER / 'browser'}"]},
        }}})["sessionId"]
        return self

    def __exit__(self, *error):
        try:
            if self.session:
                self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                timeout=tap.time_limit(60))
        connection.request(method, self.session + path,
                           None if body is None else json.dumps(body))
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        assert not (isinstance(value, dict) and "error" in value), (path, value)
        return value

    def open(self, path):
        self.call("POST", "/url", {"url": path.resolve().as_uri()})

    def resize(self, height):
        self.call("POST", "/window/rect", {"width": 1000, "height": height})

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def text(self, name):
        return self.run(f"return document.getElementById('{name}').textContent")

    def view(self):
        """The cycles that are shown."""
        return [int(cycle) for cycle in
                re.match(r"Cycles (\d+) to (\d+) of (\d+): ", self.text("view")).groups()]

    def errors(self):
        return self.call("POST", "/se/log", {"type": "browser"})

    def keys(self, text):
        body = self.run("return document.activeElement")[ELEMENT]
        self.call("POST", f"/element/{body}/value", {"text": text})

    def search(self, text):
        field = self.call("POST", "/element", {"using": "css selector", "value": "#search"})[ELEMENT]
        self.call("POST", f"/element/{field}/clear", {})
        self.call("POST", f"/element/{field}/value", {"text": text})

    def mouse(self, *actions):
        self.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
             "actions": list(actions)}]})

    def wheel(self, x, y, delta):
        self.call("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": delta}]}]})


def decode(png):
    """The rows of pixels of a PNG of 8 bits a colour, without interlace, as (r, g, b)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, data = 8, b""
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colours, *rest = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and colours in (2, 6) and rest == [0, 0, 0]
        elif kind == b"IDAT":
            data += body
        place += 12 + length
    pixel, data = {2: 3, 6: 4}[colours], zlib.decompress(data)
    rows, last = [], bytearray(width * pixel)
    for row in range(height):
        line = bytearray(data[row * (width * pixel + 1):(row + 1) * (width * pixel + 1)])
        kind, line = line[0], line[1:]
        for i, value in enumerate(line):
            left = line[i - pixel] if i >= pixel else 0
            above, corner = last[i], last[i - pixel] if i >= pixel else 0
            if kind == 4:
                guess = left + above - corner
                near = min((abs(guess - left), 0, left), (abs(guess - above), 1, above),
                           (abs(guess - corner), 2, corner))[2]
            else:
                near = (0, left, above, (left + above) // 2)[kind]
            line[i] = (value + near) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, len(line), pixel)])
        last = line
    return rows


class Picture:
    """A screenshot, and where things are in it."""

    def __init__(self, browser):
        self.png = base64.b64decode(browser.call("GET", "/screenshot"))
        self.rows = None  # decoded when it is looked at
        box = browser.run("const box = document.getElementById('canvas').getBoundingClientRect();"
                          "return [box.left, box.top, box.width]")
        self.left, self.top, self.width = box
        self.begin, self.end, _ = browser.view()

    def x(self, cycle):
        return self.left + LABELS + \
            (cycle - self.begin) / (self.end - self.begin) * (self.width - LABELS)

    def y(self, row, rows=ROWS):
        return self.top + AXIS + HEIGHT * rows.index(row) + HEIGHT // 2

    def has(self, colour, x, y, around=2, tolerance=24):
        """A pixel of about this colour is there."""
        self.rows = self.rows or decode(self.png)
        return any(max(abs(a - b) for a, b in zip(self.rows[row][column], colour)) <= tolerance
                   for row in range(round(y) - around, round(y) + around + 1)
                   for column in range(round(x) - around, round(x) + around + 1))


def run(name, source=ROOT / "LICENSES/GPL-2.0.txt", words=""):
    """The page of a run, and its trace: (name, thread, first cycle, cycles), and the arrows."""
    page, trace = FOLDER / f"{name}.html", FOLDER / f"{name}.json"
    result = subprocess.run([PROGRAM, "run", "--input", source, "--device",
                             f"sim:{words}page={page},timeline={trace}"],
                            capture_output=True, check=False, timeout=tap.time_limit(120))
    assert result.returncode == 0, result.stderr
    assert f"\nTimeline: {page}\n".encode() in result.stdout, result.stdout
    events = json.loads(trace.read_text())["traceEvents"]
    threads = {(event["pid"], event["tid"]): event["args"]["name"] for event in events
               if event["name"] == "thread_name"}
    return page, [(event["name"], threads[event["pid"], event["tid"]], round(event["ts"] * 125),
                   round(event.get("dur", 0) * 125), event["ph"])
                  for event in events if event["ph"] != "M"]


def quiet(browser):
    """Nothing was loaded, and nothing went wrong."""
    errors = browser.errors()
    assert not errors, errors
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def test_shows(browser):
    """queues, engines, waits, arrows and interrupts are where the trace has them"""
    page, events = run("shows")
    browser.open(page)
    quiet(browser)
    browser.keys("0")
    picture = Picture(browser)
    shown = {"work": 0, "engine": 0, "wait": 0, "arrow": 0, "interrupt": 0}
    for name, thread, first, cycles, kind in events:
        middle = picture.x(first + cycles / 2)
        if name == "work" and kind == "X" and cycles > 100:
            colour = ENGINE if "engine" in thread else WORK
            assert picture.has(colour, middle, picture.y(thread) - 8), (name, thread, first)
            shown["engine" if "engine" in thread else "work"] += 1
        elif name.startswith("wait ") and kind == "X" and cycles > 200:
            # behind its words, before the arrow
            place = picture.x(first + 0.9 * cycles)
            assert picture.has(WAIT, place, picture.y(thread), 6), (name, thread, first)
            shown["wait"] += 1
        elif kind == "f":
            assert picture.has(ARROW, picture.x(first), picture.y(thread) - 9, 4, 60), (thread, first)
            shown["arrow"] += 1
        elif name in ("MSI-X", "no interrupt") and kind == "i":
            # one that was raised hides one that was not, nearby
            assert any(picture.has(colour, picture.x(first), picture.y("interrupts"))
                       for colour in ((MSI,) if name == "MSI-X" else (SUPPRESSED, MSI))), first
            shown["interrupt"] += 1
    # 5 chunks go through three queues; README.md has the counts of interrupts and waits
    assert shown["work"] == shown["engine"] >= 15 and shown["wait"] >= 4, shown
    assert shown["arrow"] == 5 and shown["interrupt"] >= 30, shown
    # and nothing where nothing was: before the first doorbell no engine works
    start = min(first for name, _, first, _, _ in events if name == "doorbell")
    assert not any(picture.has(WORK, picture.x(cycle), picture.y("upload") - 8, 0)
                   for cycle in range(0, start, 10))
    link = browser.run("return document.getElementById('trace').href")
    assert link == (FOLDER / "shows.json").resolve().as_uri(), link


def test_two_devices(browser):
    """both devices, one below the other, on one clock, with arrows from the one to the other"""
    page, events = run("two", words="devices=2,")
    browser.resize(900)
    browser.open(page)
    quiet(browser)
    browser.keys("0")
    picture = Picture(browser)
    rows = ("device 0", "upload", "compute", "send", *("" for _ in range(6)),
            "device 1", "receive", "finish", "download")
    ends, shown = [], 0
    for name, thread, first, cycles, kind in events:
        if name == "work" and kind == "X" and cycles > 100 and thread in rows:
            assert picture.has(WORK, picture.x(first + cycles / 2), picture.y(thread, rows) - 8), \
                (thread, first)
            shown += 1
        elif kind == "s":
            ends.append((thread, first))
        elif kind == "f":
            ends[-1] += (thread, first)
            assert picture.has(ARROW, picture.x(first), picture.y(thread, rows) -
                               9 * (1 if rows.index(thread) > rows.index(ends[-1][0]) else -1),
                               4, 60), ends[-1]
    assert shown >= 30, shown
    across = [arrow for arrow in ends if (arrow[0], arrow[2]) == ("send", "receive")]
    # the arrow goes through all rows between the two queues
    assert across, ends
    for _, begin, _, end in across:
        x = picture.x((begin + end) / 2)
        assert picture.has(ARROW, x, (picture.y("send", rows) + picture.y("receive", rows)) / 2, 6,
                           90), (begin, end)
    browser.search("sent 2")
    assert re.match(r"1 of 2: (signal|wait) sent . 2, ", browser.text("found"))
    browser.resize(500)


def test_search(browser):
    """a search finds a fence by name and value, and moves there"""
    page, events = run("search")
    browser.open(page)
    browser.keys("0")
    begin, end, _ = browser.view()
    browser.search("Computed  3")
    wanted = sorted(first for name, _, first, _, kind in events
                    if name in ("signal computed 3", "wait computed 3") and kind in "iX")
    assert re.match(rf"1 of {len(wanted)}: (signal|wait) computed . 3, ", browser.text("found"))
    for step in range(len(wanted)):
        first, last, _ = browser.view()
        assert last - first < (end - begin) / 2, (first, last)
        assert browser.text("found").startswith(f"{step + 1} of {len(wanted)}: ")
        assert any(first <= cycle <= last for cycle in wanted), (wanted, first, last)
        browser.keys(ENTER)
    assert browser.text("found").startswith(f"1 of {len(wanted)}: "), "the first comes again"
    picture = Picture(browser)
    assert picture.has(MATCH, picture.x(wanted[0]) + 2, picture.y("compute"), 4)
    browser.search("nothing")
    assert browser.text("found") == "no fence has this name"
    quiet(browser)


def test_zoom(browser):
    """wheel, keys and drags change what is shown; the cycle below the mouse stays there"""
    browser.open(run("zoom")[0])
    browser.keys("0")
    begin, end, cycles = browser.view()
    assert (begin, end) == (0, cycles)
    picture = Picture(browser)
    middle = cycles // 3
    for _ in range(4):
        browser.wheel(picture.x(middle), picture.y("compute"), -120)
    first, last, _ = browser.view()
    assert abs((last - first) / cycles - 0.8 ** 4) < 0.01, (first, last)
    assert abs((middle - first) / (last - first) - middle / cycles) < 0.02, (first, last)
    browser.mouse({"type": "pointerMove", "x": 600, "y": round(picture.y("compute"))},
                  {"type": "pointerDown", "button": 0}, {"type": "pointerMove", "x": 500,
                                                         "y": round(picture.y("compute"))},
                  {"type": "pointerUp", "button": 0})
    moved = 100 / (picture.width - LABELS) * (last - first)
    assert abs(browser.view()[0] - first - moved) < 3, (browser.view(), first, moved)
    browser.keys("w")
    assert browser.view()[1] - browser.view()[0] < 0.75 * (last - first)
    browser.keys("0")
    assert browser.view()[:2] == [0, cycles]
    quiet(browser)


def test_hover(browser):
    """the mouse upon a wait shows its fence, value, cycles, nanoseconds, and what ended it"""
    page, events = run("hover")
    browser.open(page)
    browser.keys("0")
    picture = Picture(browser)
    name, thread, first, cycles, _ = next(event for event in events if event[3] > 200 and
                                          event[0].startswith("wait computed "))
    browser.mouse({"type": "pointerMove", "x": round(picture.x(first + cycles / 2)),
                   "y": round(picture.y(thread))})
    said = browser.text("hover")
    assert said.startswith(name.replace("computed ", "computed ≥ ")), said
    assert f"cycles {first} to {first + cycles} " in said, (first, cycles, said)
    assert f"\n{cycles} cycles, {8 * cycles:,} ns\n" in said, said
    assert "ended by signal computed = " in said and " of compute, " in said, said
    quiet(browser)


def test_names(browser):
    """names that look like HTML, quotes and bytes that are no UTF-8 are text on the page"""
    source = os.fsencode(FOLDER) + b"/</script><script>alert(1)<"
    os.makedirs(source)
    source += b"/\"'&\\ \xff\xc3\xa9"
    with open(source, "wb") as file:
        file.write(b"text")
    page, _ = run("names", source)
    browser.open(page)
    quiet(browser)
    assert "</script><script>alert(1)</\"'&\\ �é" in browser.text("program")
    assert browser.run("return document.getElementsByTagName('script').length") == 2


def test_library(browser):
    """a program with the library has a page, too; its fences are called by their numbers"""
    page = FOLDER / "library.html"
    result = subprocess.run([EXAMPLE], env=dict(os.environ, RINGFENCE_DEVICE=f"sim:page={page}"),
                            capture_output=True, check=False, timeout=tap.time_limit(120))
    assert result.returncode == 0, result
    browser.open(page)
    quiet(browser)
    browser.search("fence ")
    assert re.match(r"1 of \d+: (signal|wait) fence \d+ ", browser.text("found"))
    assert "add timeline=FILE" in browser.text("trace")


def test_many(browser):
    """a page as large as they get is shown in seconds, and says what it does not show"""
    text = run("few")[0].read_text()
    head, data, tail = re.fullmatch(r'(.*<script type="application/json" id="data">)(.*?)'
                                    r"(</script>.*)", text, re.S).groups()
    data = json.loads(data)
    data["items"] = [[1 + number % 2, number % 3, 20 * number, 20 * number + 15 * (number % 2 == 0),
                      0, str(number), *([number - 1] if number % 2 == 0 and number else [])]
                     for number in range(200000)]
    data.update(tlps=False, all=1000000, omittedFrom=4000000, cycles=4000000)
    page = FOLDER / "many.html"
    page.write_text(head + json.dumps(data) + tail)
    start = time.monotonic()
    browser.open(page)
    browser.keys("0")
    for _ in range(5):
        browser.keys("w")
    browser.search(data["fences"][0])
    assert browser.text("found").startswith("1 of 200000: ")
    # about a second on an idle machine
    assert time.monotonic() - start < tap.time_limit(30)
    for said in ("1,000,000 items", "TLPs are not shown", "after cycle 4000000 is not shown"):
        assert said in browser.text("notes"), browser.text("notes")
    quiet(browser)


def main():
    tests = [value for name, value in globals().items() if name.startswith("test_")]
    if not shutil.which("chromedriver"):
        print("1..1\nok 1 - the page in a browser # SKIP chromedriver is not installed")
        return 0
    with Browser() as browser:
        module = sys.modules[__name__]
        for test in tests:
            def bound(test=test):
                browser.errors()
                test(browser)
            bound.__doc__ = test.__doc__
            setattr(module, test.__name__, bound)
        return tap.run(__name__)


if __name__ == "__main__":
    sys.exit(main())
