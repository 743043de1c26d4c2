# SPDX-License-Identifier: Apache-2.0
"""Find the expressions of a SystemVerilog module in which a run-time condition may stand.

mutations(text) returns every single mutation of them. This reads the style of rtl/ and no more of
the language: statements and instances of a module, with operators in their order of precedence.
Left out are parameters, ranges, labels of cases, conditions of generate blocks, loop headers,
sensitivity lists, outputs of instances, assertions, what is called unused, clocks that no unit test
withholds, and all between `ifdef or `ifndef and `endif.
"""

import re

TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\s+"                                     # nothing
    r"|(?P<directive>`\w+[^\n]*)"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>\d[\d_]*(?:'[sS]?[bodhBODH][\da-fA-FxzXZ_?]+)?|'[sS]?[bodhBODH][\da-fA-F_]+|'[01])"
    r"|(?P<word>\$?[A-Za-z_]\w*(?:::\w+)?)"
    r"|(?P<operator><<<|>>>|===|!==|==\?|!=\?|->|<<|>>|<=|>=|==|!=|&&|\|\||~&|~\||~\^|\+:|-:"
    r"|\+\+|--|\.\*|[-+*/%&|^~!<>=?:;,.()\[\]{}#@'])", re.S)

PRECEDENCE = {operator: level for level, operators in enumerate(
    (["||"], ["&&"], ["|"], ["^", "~^"], ["&"], ["==", "!="], ["<", "<=", ">", ">=", "inside"],
     ["<<", ">>", "<<<", ">>>"], ["+", "-"], ["*", "/", "%"]), 1) for operator in operators}
OTHERS = {"&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&", "^"], "^": ["|", "~^"],
          "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="],
          ">=": [">", "<"], "+": ["-"], "-": ["+"], "<<": [">>"], ">>": ["<<"]}
BRACKETS = {"(": ")", "[": "]", "{": "}"}
# What begins a statement or item without expressions for a mutant, up to its semicolon
NO_PLACE = {"localparam", "parameter", "typedef", "import", "genvar", "assert", "assume", "cover",
            "logic", "int", "bit", "wire", "var", "enum", "struct", "break", "continue",
            "default", "automatic", "unsigned", "integer", "rf_clock_gate"}


class Unknown(Exception):
    """Text that is not in the style which this reads."""


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


class Place:
    """A part of an expression, from start to end of the text."""

    def __init__(self, kind, start, end, parts=(), operator=None):
        self.kind, self.start, self.end = kind, start, end
        self.parts, self.operator = parts, operator


def tokens_of(text):
    """Tokens, without comments and without what lies between `ifdef or `ifndef and `endif."""
    tokens, position, depth = [], 0, 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Unknown(f"cannot read {text[position:position + 20]!r}")
        position = match.end()
        if match.lastgroup == "directive":
            depth += match[0].startswith(("`ifdef", "`ifndef"))
            depth -= match[0].startswith("`endif")
        elif match.lastgroup and not depth:
            tokens.append(Token(match.lastgroup, match[0], match.start()))
    return tokens


class Module:
    """Collects .places: (an expression or part of one, whether it is a condition, start and end of
    its statement)."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.at = 0
        self.places = []
        self.statement = 0
        while self.at < len(self.tokens):
            if self.now() == "module":
                self.skip_past(";")
                self.items("endmodule", False)
            else:
                self.at += 1

    # --- tokens -----------------------------------------------------------------------

    def now(self, ahead=0):
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def take(self, *expected):
        if self.now() not in expected:
            line = self.text.count("\n", 0, self.tokens[min(self.at, len(self.tokens) - 1)].start)
            raise Unknown(f"line {line + 1}: {self.now()!r} is not one of {expected}")
        self.at += 1
        return self.tokens[self.at - 1]

    def skip_brackets(self):
        """From an opening bracket to behind its closing one."""
        close = BRACKETS[self.now()]
        self.at += 1
        while self.now() != close:
            if not self.now():
                raise Unknown(f"no {close}")
            if self.now() in BRACKETS:
                self.skip_brackets()
            else:
                self.at += 1
        self.at += 1

    def skip_past(self, *ends):
        while self.now() not in ends:
            if not self.now():
                raise Unknown(f"no {ends[0]}")
            if self.now() in BRACKETS:
                self.skip_brackets()
            else:
                self.at += 1
        self.at += 1

    # --- statements and items ---------------------------------------------------------

    def items(self, end, procedural):
        while self.now() != end:
            self.item(procedural)
        self.take(end)
        if self.now() == ":":
            self.at += 2

    def item(self, procedural):
        """One statement (procedural), or one item of a module or generate block."""
        word = self.now()
        self.statement = self.tokens[self.at].start if self.at < len(self.tokens) else 0
        if word in ("always_comb", "always_ff"):
            self.at += 1
            if self.now() == "@":
                self.at += 1
                self.skip_brackets()
            self.item(True)
        elif word in ("function", "task"):
            self.skip_past(";")
            self.items("end" + word, True)
        elif word == "initial":
            self.at += 1
            count = len(self.places)
            self.item(True)
            del self.places[count:]
        elif word in ("generate", "endgenerate"):
            self.at += 1
        elif word == "begin":
            self.at += 1
            if self.now() == ":":
                self.at += 2
            self.items("end", procedural)
        elif word == "if":
            self.condition(procedural)
            self.item(procedural)
            if self.now() == "else":
                self.at += 1
                self.item(procedural)
        elif word == "for":
            self.at += 1
            self.skip_brackets()
            self.item(procedural)
        elif word in ("unique", "priority", "unique0"):
            self.at += 1
            self.item(procedural)
        elif word in ("case", "casez"):
            self.condition(procedural)
            if self.now() == "inside":
                self.at += 1
            while self.now() != "endcase":
                if self.now() == "default" and self.now(1) != ":":
                    self.at += 1
                else:
                    self.skip_past(":")
                self.item(procedural)
            self.at += 1
        elif word == "assign" and self.now(1).startswith("unused"):
            self.skip_past(";")
        elif word == "assign":
            self.at += 1
            self.assignment()
        elif word == "return":
            self.at += 1
            self.expression(";")
        elif word in NO_PLACE or word[0] == "$" or self.now(1) == ":" and \
                self.now(2) in ("assert", "assume", "cover"):
            self.skip_past(";")
        elif word == ";":
            self.at += 1
        elif procedural:
            self.assignment()
        elif self.is_instance():
            self.instance()
        else:
            self.skip_past(";")

    def condition(self, procedural):
        self.at += 1
        if procedural:
            self.take("(")
            self.expression(")", is_condition=self.now(-2) == "if")
        else:
            self.skip_brackets()

    def assignment(self):
        """lhs = rhs; or a declaration of a type of one's own, or a call."""
        self.skip_past("=", "<=", ";")
        if self.tokens[self.at - 1].text != ";":
            self.expression(";")

    def is_instance(self):
        if self.now(1) == "#":
            return True
        return self.tokens[self.at].kind == "word" and self.now(2) == "("

    def instance(self):
        self.at += 1
        if self.now() == "#":
            self.at += 1
            self.skip_brackets()
        self.at += 1
        self.take("(")
        while self.now() != ")":
            self.statement = self.tokens[self.at].start
            if self.now() == ".*":
                self.at += 1
            else:
                self.take(".")
                name = self.now()
                self.at += 1
                if self.now() == "(" and name.endswith("_i") and self.now(1) != ")":
                    self.at += 1
                    self.expression(")")
                elif self.now() == "(":
                    self.skip_brackets()
            if self.now() == ",":
                self.at += 1
        self.at += 1
        self.take(";")

    # --- expressions ------------------------------------------------------------------

    def expression(self, end, is_condition=False):
        """An expression and what ends it; its parts become places."""
        count, first = len(self.places), self.at
        try:
            top = self.conditional()
            self.take(end)
        except Unknown:
            del self.places[count:]
            self.at = first
            self.skip_past(end)
            return
        self.collect(top, is_condition, self.statement, self.tokens[self.at - 1].end)

    def collect(self, place, is_condition, start, end):
        self.places.append((place, is_condition, start, end))
        inner = conditions(place)
        for part in place.parts:
            self.collect(part, part in inner, start, end)

    def conditional(self):
        condition = self.binary(1)
        if self.now() != "?":
            return condition
        self.at += 1
        first = self.conditional()
        self.take(":")
        second = self.conditional()
        return Place("conditional", condition.start, second.end, (condition, first, second))

    def binary(self, level):
        left = self.unary()
        while PRECEDENCE.get(self.now(), 0) >= level:
            operator = self.take(self.now())
            right = self.binary(PRECEDENCE[operator.text] + 1)
            left = Place("binary", left.start, right.end, (left, right), operator)
        return left

    def unary(self):
        if self.now() in ("!", "~", "&", "|", "^", "-", "+", "~&", "~|", "~^"):
            operator = self.take(self.now())
            operand = self.unary()
            return Place("unary", operator.start, operand.end, (operand,), operator)
        return self.primary()

    def primary(self):
        token, parts = self.tokens[self.at], []
        if token.text == "(":
            self.at += 1
            parts.append(self.conditional())
            self.take(")")
        elif token.text == "{":
            self.at += 1
            parts += self.concatenation()
        elif token.kind == "number":
            self.at += 1
            if self.now() != "'":
                return Place("number", token.start, token.end)
        elif token.kind == "word":
            self.at += 1
        else:
            raise Unknown(f"{token.text!r} begins no expression")
        while self.now() in ("[", ".", "(", "'"):
            if self.now() == "[":
                self.at += 1
                parts += self.index()
            elif self.now() == ".":
                self.at += 2
            elif self.now() == "(":
                self.at += 1
                while True:
                    parts.append(self.conditional())
                    if self.take(",", ")").text == ")":
                        break
            else:
                self.at += 1
                self.take("(")
                parts = [self.conditional()]  # a width is a constant
                self.take(")")
        return Place("primary", token.start, self.tokens[self.at - 1].end, tuple(parts))

    def concatenation(self):
        parts = [self.conditional()]
        if self.now() == "{":  # a number of copies, which is a constant
            self.at += 1
            parts = self.concatenation()
            self.take("}")
            return parts
        while self.take(",", "}").text == ",":
            parts.append(self.conditional())
        return parts

    def index(self):
        first = self.conditional()
        if self.now() == "]":
            self.at += 1
            return [first]
        parts = [first] if self.take(":", "+:", "-:").text != ":" else []
        self.conditional()
        self.take("]")
        return parts


# --- mutations ---------------------------------------------------------------------------


def plain(text):
    """Without comments, in one line."""
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def other_numbers(text):
    """A constant with one more, with one less, and with the highest bit flipped."""
    if text in ("'0", "'1"):
        return ["'1" if text == "'0" else "'0"]
    head, quote, digits = text.partition("'")
    if not quote:
        value = int(text.replace("_", ""))
        return [str(value + 1)] + ([str(value - 1)] if value else [])
    base = digits.lstrip("sS")[0].lower()
    digits = digits.lstrip("sS")[1:].replace("_", "")
    width = int(head or "32")
    try:
        value = int(digits, {"b": 2, "o": 8, "d": 10, "h": 16}[base])
    except ValueError:
        return []
    values = {(value + 1) % 2 ** width, (value - 1) % 2 ** width, value ^ 1 << (width - 1)}
    return [f"{head}'h{other:x}" for other in sorted(values - {value})]


def conditions(place):
    """The parts of a place that are conditions."""
    if place.kind == "conditional":
        return [place.parts[0]]
    if place.kind == "binary" and place.operator.text in ("&&", "||"):
        return list(place.parts)
    return []


def replacements(place, text, is_condition):
    """What may stand in the place of place."""
    def of(part):
        return plain(text[part.start:part.end])

    found = []
    if place.kind == "binary":
        left, right = place.parts
        found += [f"{of(left)} {other} {of(right)}"
                  for other in OTHERS.get(place.operator.text, [])]
    elif place.kind == "unary" and place.operator.text in ("!", "~"):
        found.append(of(place.parts[0]))
    elif place.kind == "number":
        found += other_numbers(of(place))
    elif place.kind == "conditional":
        found += [of(place.parts[1]), of(place.parts[2])]
    if is_condition and not (place.kind == "unary" and place.operator.text == "!"):
        found.append(f"!({of(place)})")
    return found


def mutations(text):
    """A list per place: dictionaries of start, end, replace, and what the mutant is called by:
    its statement before ("text"; the second of that text ends in "[2]") and after ("replacement").
    """
    found, starts = [], {}
    for place, is_condition, start, end in Module(text).places:
        before = plain(text[start:end])
        if before == "if (!rst_ni)":
            continue
        same = starts.setdefault(before, [])
        if start not in same:
            same.append(start)
        if len(same) > 1:
            before += f" [{same.index(start) + 1}]"
        choices = [
            {"start": place.start, "end": place.end, "find": text[place.start:place.end],
             "replace": replacement, "text": before,
             "replacement": plain(f"{text[start:place.start]}({replacement}){text[place.end:end]}")}
            for replacement in replacements(place, text, is_condition)]
        if choices:
            found.append(choices)
    return found
