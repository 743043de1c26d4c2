#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/lint: a project that is in order passes; each mistake is found."""

import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]

MODULE = """// SPDX-License-Identifier: Apache-2.0

`default_nettype none

module rf_probe (
  input  wire logic clk_i,
  input  wire rf_bus_pkg::register_request_t register_i,
  output logic data_o
);

  // What the module is made of, but for the mistake, uses every bit.
%s
  always_ff @(posedge clk_i) data_o <= ^{register_i, extra};

endmodule

`default_nettype wire
"""
GOOD = "  logic extra;\n  assign extra = register_i.valid;\n"


def lint(probe, name="rf_probe.sv", edit=None, options=()):
    """What tools/lint says about a small project with this module in it."""
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder)
        shutil.copytree(ROOT / "tools", project / "tools")
        for file in ("rtl/ringfence.toml", "rtl/lib/rf_bus_pkg.sv", "rtl/link/rf_link_pkg.sv",
                     "rtl/board/link_console.toml", ".clang-format", "kmd/include/uapi/drm/ringfence_drm.h",
                     "constraints/ecp5/dcu_words.tsv"):
            (project / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, project / file)
        for generate in ("generate.py", "uapi_reference.py", "dcu_words.py"):
            subprocess.run([sys.executable, project / "tools" / generate], check=True,
                           stdout=subprocess.DEVNULL)
        (project / "rtl/lib" / name).write_text(probe, encoding="utf-8")
        if edit:
            edit(project)
        result = subprocess.run([project / "tools/lint", *options], text=True, capture_output=True,
                                check=False)
    bad = [line for line in result.stdout.splitlines() if line.startswith("not ok")]
    assert result.returncode == (1 if bad else 0), f"{result.returncode}: {result.stderr}"
    return bad, result.stdout


def found(check, probe, name="rf_probe.sv", edit=None):
    bad, output = lint(probe, name, edit)
    assert any(check in line for line in bad), output


def test_changed():
    """--changed checks what differs from the last commit, and the modules that use it"""
    def git(project, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                       cwd=project, check=True, stdout=subprocess.DEVNULL)

    user = MODULE.replace("module rf_probe", "module rf_user") % (
        "  logic extra;\n  rf_probe u_probe (.clk_i, .register_i, .data_o(extra));\n")
    other = MODULE.replace("module rf_probe", "module rf_other") % GOOD

    def edit(project):
        for name, text in (("rf_user", user), ("rf_other", other)):
            (project / f"rtl/lib/{name}.sv").write_text(text, encoding="utf-8")
        (project / "page.md").write_text("<!-- SPDX-License-Identifier: Apache-2.0 -->\n")
        git(project, "init", "-q")
        git(project, "add", ".")
        git(project, "commit", "-q", "-m", "all")

    def names(output):
        return {line.split(" - ")[1].split(": ")[-1] for line in output.splitlines()
                if line.startswith("ok ") and "rf_" in line}

    def change(project):
        edit(project)
        path = project / "rtl/lib/rf_probe.sv"
        path.write_text(path.read_text() + "// and\n", encoding="utf-8")
        # a new file, which git does not know
        (project / "new.md").write_text("<!-- SPDX-License-Identifier: Apache-2.0 -->\n`sim/no.c`\n")

    bad, output = lint(MODULE % GOOD, edit=edit, options=("--changed",))
    assert not bad and not names(output), output
    bad, output = lint(MODULE % GOOD, edit=change, options=("--changed",))
    assert not bad and names(output) == {"rtl/lib/rf_probe.sv", "rtl/lib/rf_user.sv"}, output
    assert "names of files: new.md" in output and "page.md" not in output, output
    bad, output = lint(MODULE % GOOD, edit=change)
    assert "rtl/lib/rf_other.sv" in names(output), output


def test_good():
    """a project that is in order passes"""
    bad, output = lint(MODULE % GOOD)
    assert not bad, output


def test_implicit_wire():
    """an undeclared wire is found, by both tools"""
    probe = (MODULE % "  assign extra = 1'b0;\n").replace("`default_nettype none\n", "")
    found("yosys subset", probe)
    found("house rules", probe)


def test_latch():
    """a latch is found"""
    found("yosys subset", MODULE % (
        "  logic extra;\n  always_comb if (register_i.valid) extra = register_i.write;\n"))


def test_undriven():
    """a wire that nothing drives is found"""
    found("yosys subset", MODULE % "  logic extra;\n")
    found("verilator", MODULE % "  logic extra;\n")


def test_two_drivers():
    """a wire that is driven twice is found"""
    found("yosys subset", MODULE % (GOOD + "  assign extra = register_i.write;\n"))


def test_language():
    """a construct that Yosys 0.23 does not read is found"""
    found("yosys subset", MODULE % (
        "  logic extra;\n  assign extra = register_i.strobe inside {8'h01, 8'hff};\n"))


def test_struct_select():
    """a part of a struct member that does not begin at bit 0 is found"""
    found("struct selects", MODULE % "  logic extra;\n  assign extra = register_i.address[5];\n")
    found("yosys subset", MODULE % (
        "  logic extra;\n  assign extra = ^register_i.address[16:3];\n"
    ).replace("address[16:3]", "address[90]"))


def test_struct_select_in_properties():
    """it is found in what is proved too, also in a file that stands inside a module"""
    def edit(project, declaration):
        folder = project / "tests/formal"
        folder.mkdir(parents=True)
        (folder / "rf_probe_props.sv").write_text(
            "// SPDX-License-Identifier: Apache-2.0\n" + declaration +
            "  always_comb assert (!register_i.address[5]);\n", encoding="utf-8")
        (folder / "proofs.toml").write_text(
            "# SPDX-License-Identifier: Apache-2.0\n[rf_probe]\n"
            'sources = ["rtl/lib/rf_probe.sv"]\ninside = { rf_probe = ["rf_probe_props.sv"] }\n',
            encoding="utf-8")
    for declaration in ("  rf_bus_pkg::register_request_t register_i;\n", ""):
        found("struct selects: tests/formal", MODULE % GOOD,
              edit=lambda project, text=declaration: edit(project, text))


def test_unused():
    """a signal without a use is found"""
    found("verilator", MODULE % (GOOD + "  logic idle;\n  assign idle = extra;\n"))


def test_file_name():
    """a module in a file of another name is found"""
    found("house rules", MODULE % GOOD, "rf_other.sv")


def test_columns():
    """tabs and long lines are found"""
    found("house rules", (MODULE % GOOD).replace("  output", "\toutput"))
    found("house rules", (MODULE % GOOD).replace("  output", " " * 90 + "output"))


def conventions(probe):
    """What tools/lint says of an RTL file's conventions."""
    bad, output = lint(probe)
    lines = output.splitlines()
    place = next(n for n, line in enumerate(lines) if "conventions: rtl/lib/rf_probe.sv" in line)
    said = itertools.takewhile(lambda line: line.startswith("#"), lines[place + 1:])
    return "\n".join(said) if lines[place] in bad else ""


def test_ports():
    """more than 40 ports are found"""
    def ports(count):
        return (MODULE % GOOD).replace("  output", "".join(
            f"  input  wire logic [{n}:0] port{n}_i,\n" for n in range(count - 3)) + "  output")
    assert not conventions(ports(40))
    assert "41 ports" in conventions(ports(41))
    parameters = ports(40).replace("rf_probe (", "rf_probe #(\n  parameter int A = (1), B = 2\n) (")
    assert not conventions(parameters)


def test_header():
    """a header of more than 15 lines is found"""
    def header(count):
        return (MODULE % GOOD).replace("2.0\n", "2.0\n//\n" + "// a line\n" * count, 1)
    assert not conventions(header(15))
    assert "header of 16 lines" in conventions(header(16))


MACHINE = """  logic extra;
  typedef enum logic {
    Idle,   // no access
    Busy    // an access
  } state_e;
  state_e state_q, state_d;
  always_comb begin
    state_d = state_q;
    if (register_i.valid) state_d = Busy;
  end
  always_ff @(posedge clk_i) begin
    if (register_i.write) state_q <= Idle;
    else state_q <= state_d;
  end
  assign extra = state_q == Busy;
"""


def test_state_machine():
    """a state machine without state_d, or with a state without a comment, is found"""
    assert not conventions(MODULE % MACHINE)
    for right, wrong, said in (
            ("    Busy    // an access", "    Busy", "what holds in Busy?"),
            ("else state_q <= state_d;", "else if (register_i.valid) state_q <= Busy;",
             "no always_comb assigns state_d"),
            ("else state_q <= state_d;", "else state_q <= register_i.valid ? Busy : state_q;",
             "state_q takes"),
            ("else state_q <= state_d;",
             "else state_q <= state_d;\n    if (register_i.strobe[0]) state_q <= Busy;",
             "several places")):
        machine = MACHINE.replace(right, wrong)
        if "always_comb" in said:
            machine = machine.replace("state_d", "other")
        assert machine != MACHINE and said in conventions(MODULE % machine), said


def test_empty_names():
    """a name that says nothing is found"""
    names = ("told_q", "owed_q", "again_q", "here_q", "here_o", "ghost", "ghost_q")
    said = conventions(MODULE % (GOOD + f"  logic {', '.join(names)};\n"))
    for name in names:
        assert f"what is {name}?" in said, name


def test_licence():
    """a file without the right licence is found"""
    found("licence", (MODULE % GOOD).replace("Apache-2.0", "MIT"))


def test_stale():
    """a stale generated file is found"""
    def edit(project):
        with open(project / "docs/registers.md", "a", encoding="utf-8") as file:
            file.write("more\n")
    found("fresh", MODULE % GOOD, edit=edit)


def test_c_style():
    """an unformatted C file is found, if this is the clang-format that decides"""
    def edit(project):
        (project / "probe.c").write_text("/* SPDX-License-Identifier: Apache-2.0 */\n"
                                         "int  probe( void );\n", encoding="utf-8")
    bad, output = lint(MODULE % GOOD, edit=edit)
    assert any("formatted" in line for line in bad) or "formatted # SKIP" in output, output


def reads_memory(text, name="kmd/core/probe.c"):
    """What tools/lint says of words that anybody may write, in a C file like this."""
    def edit(project):
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("/* SPDX-License-Identifier: GPL-2.0 OR MIT */\n"
                        "static u64 probe(const struct rf_mem *mem)\n{\n\t" + text + "\n}\n",
                        encoding="utf-8")
    bad, output = lint(MODULE % GOOD, edit=edit)
    return any("untrusted words: " + name in line for line in bad), output


def test_untrusted_words():
    """a read of memory of unknown trust, or a second read of a word, is found"""
    once = "u64 word = rf_untrusted_read64(mem, 8);\n\n\t"
    for text in ("return rf_mem_read64(mem, 8);", "return rf_value_read(mem, 8);",
                 "return *(u64 *)mem->cpu;", "return rf_private_read64(mem, 8);",
                 once + "return word < 9 ? rf_untrusted_read64(mem, 8) : 0;"):
        wrong, output = reads_memory(text)
        assert wrong, text + output
    for text in (once + "return word < 9 ? rf_untrusted_read64(mem, word) : 0;",
                 "return 0; /* rf_mem_read64() */"):
        wrong, output = reads_memory(text)
        assert not wrong, text + output
    wrong, output = reads_memory("return rf_private_read64(mem, 8);", "kmd/ddi/rf_save_area.c")
    assert not wrong, output


def test_named_files():
    """a page that names a file that is not there is found, and one that names others is not"""
    def edit(project, text):
        (project / "page.md").write_text("<!-- SPDX-License-Identifier: Apache-2.0 -->\n" + text,
                                         encoding="utf-8")
    found("names of files: page.md", MODULE % GOOD,
          edit=lambda project: edit(project, "see `kmd/core/gone.c`\n"))
    bad, output = lint(MODULE % GOOD, edit=lambda project: edit(
        project, "`tools/lint`, `build/gone.c` and kmd/core/gone.c\n"))
    assert not any("names of files: page.md" in line for line in bad), output


def test_static_functions():
    """a static function of the driver without a prefix, or with another's name, is found"""
    def edit(project, name):
        for number, file in enumerate(("one.c", "two.c")):
            path = project / "kmd/core/base" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("// SPDX-License-Identifier: GPL-2.0 OR MIT\n"
                            f"static void {name.format(number)}(void)\n{{\n}}\n",
                            encoding="utf-8")
    for name, wrong in (("plain{}", True), ("kmd_same", True), ("kmd_probe{}", False)):
        bad, output = lint(MODULE % GOOD, edit=lambda project, name=name: edit(project, name))
        assert wrong == any("names of functions" in line for line in bad), output


sys.exit(tap.run(__name__))
