# SPDX-License-Identifier: Apache-2.0
"""Reads rtl/ringfence.toml and checks it.

Whatever is wrong ends in one Error whose text starts with the entry at fault.
What read() returns is consistent: the renderers check nothing.
"""

import dataclasses
import re
import tomllib

REGISTER_BYTES = 8
ACCESS = ("ro", "rw", "w1c", "wo")
TYPES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}


class Error(Exception):
    """An entry of the description is wrong."""


@dataclasses.dataclass
class Constant:
    name: str
    value: int
    doc: str


@dataclasses.dataclass
class Enum:
    name: str
    doc: str
    bits: int
    values: dict


@dataclasses.dataclass
class Field:
    name: str
    lsb: int
    width: int
    doc: str

    @property
    def mask(self):
        return ((1 << self.width) - 1) << self.lsb

    @property
    def bits(self):
        return f"{self.lsb + self.width - 1}:{self.lsb}" if self.width > 1 else f"{self.lsb}"


@dataclasses.dataclass
class Register:
    """One register, or `count` of them `stride` bytes apart. `address` is the
    BAR 0 offset of the first."""
    name: str
    address: int
    access: str
    doc: str
    fields: list
    reset: int
    count: int
    stride: int
    indexed: bool  # one per index of the block
    context: bool  # saved and restored with its index


@dataclasses.dataclass
class Block:
    name: str
    type: str
    type_value: int
    version: int
    offset: int
    doc: str
    registers: list
    indexed_base: int  # BAR 0 offset; 0 if the block has no indexed registers
    indexed_count: int
    indexed_stride: int
    next: int = 0

    def context_mask(self):
        """Bit i for the i-th word of an index: it is part of the saved context."""
        return sum(1 << (register.address - self.indexed_base) // REGISTER_BYTES
                   for register in self.registers if register.context)

    def headers(self):
        """The two header words, laid out as [block_header] says."""
        return (self.next << 32 | self.version << 16 | self.type_value,
                self.indexed_base << 32 | self.indexed_stride << 16 | self.indexed_count)


@dataclasses.dataclass
class Member:
    name: str
    offset: int
    type: str
    count: int
    doc: str


@dataclasses.dataclass
class Record:
    name: str
    bytes: int
    doc: str
    members: list


@dataclasses.dataclass
class Flag:
    name: str
    mask: int
    doc: str


@dataclasses.dataclass
class Operand:
    name: str
    doc: str
    optional: bool


@dataclasses.dataclass
class Packet:
    name: str
    opcode: int
    words_min: int
    words_max: int
    doc: str
    flags: list
    argument_mask: int
    operands: list


@dataclasses.dataclass
class Interface:
    constants: list
    enums: list
    block_headers: list
    blocks: list
    records: list
    page_table_entry: list
    packet_header: list
    packets: list


def load(path):
    """The tables of a TOML file."""
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Error(f"not TOML: {error}") from None


def read(path):
    """Return the Interface that the file describes, or raise Error."""
    table = load(path)
    keys(table, "the file", {"constants": dict, "enum": dict, "block_header": dict,
                             "block": list, "record": list, "page_table_entry": dict,
                             "packet_header": dict, "packet": list}, {})
    constants = [constant(name, entry) for name, entry in table["constants"].items()]
    enums = [enum(name, entry) for name, entry in table["enum"].items()]
    by_name = {entry.name: entry for entry in enums}
    value_of = {entry.name: entry.value for entry in constants}
    for needed in ("bar0_bytes", "doorbell_base"):
        if needed not in value_of:
            raise Error(f"constants.{needed}: missing")
    for needed in ("block_type", "opcode"):
        if needed not in by_name:
            raise Error(f"enum.{needed}: missing")

    headers = block_headers(table["block_header"])
    blocks = [block(entry, by_name["block_type"]) for entry in table["block"]]
    chain(blocks, value_of["doorbell_base"])
    records = [record(entry) for entry in table["record"]]
    formats = {}
    for name in ("page_table_entry", "packet_header"):
        keys(table[name], name, {"fields": list}, {})
        formats[name] = fields(table[name]["fields"], name)
    packets = [packet(entry, by_name["opcode"]) for entry in table["packet"]]
    for what, entries in (("block", blocks), ("record", records), ("packet", packets)):
        unique(entries, what)
    for opcode in by_name["opcode"].values:
        if opcode not in {entry.name for entry in packets}:
            raise Error(f"enum.opcode.{opcode}: no packet of that name")

    for entry in records:
        constants.append(Constant(f"{entry.name}_bytes", entry.bytes, f"size of one {entry.name}"))
    constants.append(Constant("packet_words_max", max(entry.words_max for entry in packets),
                              "longest command packet, 64-bit words"))
    unique(constants, "constants")
    return Interface(constants, enums, headers, blocks, records, formats["page_table_entry"],
                     formats["packet_header"], packets)


# --- entries -------------------------------------------------------------------

def constant(name, entry):
    where = f"constants.{name}"
    identifier(name, where)
    keys(entry, where, {"value": int, "doc": str}, {})
    fits(entry["value"], 64, f"{where}.value")
    return Constant(name, entry["value"], entry["doc"])


def enum(name, entry):
    where = f"enum.{name}"
    identifier(name, where)
    entry = dict(entry)
    doc, bits = entry.pop("doc", None), entry.pop("bits", 8)
    if not isinstance(doc, str):
        raise Error(f"{where}.doc: missing")
    if type(bits) is not int or not 1 <= bits <= 32:
        raise Error(f"{where}.bits: {bits!r} is not 1 to 32")
    seen = {}
    for key, value in entry.items():
        identifier(key, f"{where}.{key}")
        fits(value, bits, f"{where}.{key}")
        if value in seen:
            raise Error(f"{where}.{key}: has the value {value} of {seen[value]}")
        seen[value] = key
    return Enum(name, doc, bits, entry)


def fields(entries, where, bits=64):
    """Bit fields of one word."""
    result = []
    for entry in entries:
        name = named(entry, where)
        here = f"{where}.{name}"
        keys(entry, here, {"name": str, "bits": str}, {"doc": str})
        match = re.fullmatch(r"(\d+)(?::(\d+))?", entry["bits"])
        if not match:
            raise Error(f"{here}.bits: '{entry['bits']}' is neither 'bit' nor 'high:low'")
        high = int(match[1])
        low = int(match[2] or match[1])
        if not low <= high < bits:
            raise Error(f"{here}.bits: '{entry['bits']}' is not within {bits - 1}:0, high bit "
                        "first")
        field = Field(name, low, high - low + 1, entry.get("doc", ""))
        for other in result:
            if other.mask & field.mask:
                raise Error(f"{here}: overlaps {other.name}")
        result.append(field)
    unique(result, where)
    return result


def register(entry, where, base, room, indexed):
    """`room` is the first offset beyond, if the register has to end below it."""
    where = f"{where}.{named(entry, where)}"
    keys(entry, where, {"name": str, "offset": int, "access": str, "doc": str},
         {"fields": list, "reset": int, "count": int, "stride": int, "context": bool})
    if entry["access"] not in ACCESS:
        raise Error(f"{where}.access: '{entry['access']}' is none of {', '.join(ACCESS)}")
    aligned(entry["offset"], f"{where}.offset")
    fits(entry.get("reset", 0), 64, f"{where}.reset")
    if ("count" in entry) != ("stride" in entry):
        raise Error(f"{where}: count and stride need each other")
    count, stride = entry.get("count", 1), entry.get("stride", REGISTER_BYTES)
    aligned(stride, f"{where}.stride")
    if count < 1 or stride < REGISTER_BYTES:
        raise Error(f"{where}: count and stride have to be at least 1 and {REGISTER_BYTES}")
    if indexed and "count" in entry:
        raise Error(f"{where}: an indexed register cannot have a count")
    if entry.get("context") and not indexed:
        raise Error(f"{where}.context: only an indexed register has one")
    if room is not None and entry["offset"] + REGISTER_BYTES > room:
        raise Error(f"{where}.offset: {entry['offset']:#x} is beyond the stride {room:#x}")
    return Register(entry["name"], base + entry["offset"], entry["access"], entry["doc"],
                    fields(entry.get("fields", []), where), entry.get("reset", 0),
                    count, stride, indexed, entry.get("context", False))


def block_headers(entry):
    """The two words that every block starts with."""
    where = "block_header"
    keys(entry, where, {"identity": list, "indexed": list}, {})
    headers = [(name, fields(entry[name], f"{where}.{name}")) for name in ("identity", "indexed")]
    layout = [[(field.name, field.bits) for field in words] for _, words in headers]
    if layout != [[("type", "15:0"), ("version", "31:16"), ("next", "63:32")],
                  [("count", "15:0"), ("stride", "31:16"), ("base", "63:32")]]:
        raise Error(f"{where}: is not the layout that the generator fills in")
    return headers


def block(entry, types):
    where = f"block.{named(entry, 'block')}"
    indexed_keys = ("indexed_base", "indexed_count", "indexed_stride", "indexed_registers")
    keys(entry, where,
         {"name": str, "type": str, "version": int, "offset": int, "doc": str, "registers": list},
         {"indexed_base": int, "indexed_count": int, "indexed_stride": int,
          "indexed_registers": list})
    present = [key for key in indexed_keys if key in entry]
    if present and len(present) != len(indexed_keys):
        raise Error(f"{where}: {', '.join(indexed_keys)} need each other")
    if entry["type"] not in types.values:
        raise Error(f"{where}.type: '{entry['type']}' is not in enum.block_type")
    aligned(entry["offset"], f"{where}.offset")
    fits(entry["version"], 16, f"{where}.version")

    offset = entry["offset"]
    registers = [register(item, where, offset, None, False) for item in entry["registers"]]
    base, count, stride = 0, 0, 0
    if present:
        base, count, stride = (entry[key] for key in indexed_keys[:3])
        aligned(base, f"{where}.indexed_base")
        aligned(stride, f"{where}.indexed_stride")
        fits(stride, 16, f"{where}.indexed_stride")
        fits(count, 16, f"{where}.indexed_count")
        if count < 1 or stride < REGISTER_BYTES:
            raise Error(f"{where}: indexed_count and indexed_stride have to be at least 1 and "
                        f"{REGISTER_BYTES}")
        base += offset
        registers += [register(item, where, base, stride, True)
                      for item in entry["indexed_registers"]]
    unique(registers, where)
    return Block(entry["name"], entry["type"], types.values[entry["type"]], entry["version"],
                 offset, entry["doc"], registers, base, count, stride)


def chain(blocks, end):
    """Link the blocks and see that no two registers share an offset."""
    if not blocks or blocks[0].offset != 0:
        raise Error("block: the first one has to be at offset 0, where the driver starts")
    for entry, follower in zip(blocks, blocks[1:]):
        entry.next = follower.offset

    owner = {}
    for entry in blocks:
        where = f"block.{entry.name}"
        claims = [("header", entry.offset), ("header", entry.offset + REGISTER_BYTES)]
        for item in entry.registers:
            count, stride = ((entry.indexed_count, entry.indexed_stride) if item.indexed
                             else (item.count, item.stride))
            claims += [(item.name, item.address + i * stride) for i in range(count)]
        for name, address in claims:
            if address >= end:
                raise Error(f"{where}.{name}: offset {address:#x} is not below doorbell_base")
            if address in owner:
                raise Error(f"{where}.{name}: offset {address:#x} is taken by {owner[address]}")
            owner[address] = f"{where}.{name}"


def record(entry):
    where = f"record.{named(entry, 'record')}"
    keys(entry, where, {"name": str, "bytes": int, "doc": str, "fields": list}, {})
    members, end = [], 0
    for item in entry["fields"]:
        here = f"{where}.{named(item, where)}"
        keys(item, here, {"name": str, "offset": int, "type": str, "doc": str}, {"count": int})
        if item["type"] not in TYPES:
            raise Error(f"{here}.type: '{item['type']}' is none of {', '.join(TYPES)}")
        size, count = TYPES[item["type"]], item.get("count", 1)
        if count < 1:
            raise Error(f"{here}.count: {count} is not at least 1")
        if item["offset"] % size:
            raise Error(f"{here}.offset: {item['offset']} is not a multiple of {size}")
        if item["offset"] != end:
            raise Error(f"{here}.offset: {item['offset']} is not {end}, where the field before "
                        "ends")
        end += size * count
        members.append(Member(item["name"], item["offset"], item["type"], count, item["doc"]))
    unique(members, where)
    if end != entry["bytes"] or end % 8:
        raise Error(f"{where}.bytes: {entry['bytes']} is not the {end} bytes of the fields, "
                    "or no multiple of 8")
    return Record(entry["name"], entry["bytes"], entry["doc"], members)


def packet(entry, opcodes):
    where = f"packet.{named(entry, 'packet')}"
    keys(entry, where, {"name": str, "words": list, "doc": str, "operands": list},
         {"flags": list, "argument_mask": int})
    if entry["name"] not in opcodes.values:
        raise Error(f"{where}: not in enum.opcode")
    flags = []
    for item in entry.get("flags", []):
        here = f"{where}.{named(item, where)}"
        keys(item, here, {"name": str, "bit": int, "doc": str}, {})
        if not 0 <= item["bit"] <= 15:
            raise Error(f"{here}.bit: {item['bit']} is not within 0 to 15")
        if any(other.mask == 1 << item["bit"] for other in flags):
            raise Error(f"{here}.bit: {item['bit']} is taken")
        flags.append(Flag(item["name"], 1 << item["bit"], item["doc"]))
    unique(flags, where)
    operands = []
    for item in entry["operands"]:
        here = f"{where}.{named(item, where)}"
        keys(item, here, {"name": str, "doc": str}, {"optional": bool})
        operand = Operand(item["name"], item["doc"], item.get("optional", False))
        if operands and operands[-1].optional and not operand.optional:
            raise Error(f"{here}: follows an optional operand")
        operands.append(operand)
    unique(operands, where)
    fits(entry.get("argument_mask", 0), 32, f"{where}.argument_mask")

    words = entry["words"]
    if len(words) != 2 or any(type(item) is not int for item in words):
        raise Error(f"{where}.words: is not [fewest, most]")
    needed = 1 + sum(not operand.optional for operand in operands)
    most = 1 + len(operands) if operands else words[1]  # without operands: an ignored payload
    if words != [needed, most] or not 1 <= words[0] <= words[1] <= 255:
        raise Error(f"{where}.words: {words} does not fit the operands, [{needed}, {most}]")
    return Packet(entry["name"], opcodes.values[entry["name"]], words[0], words[1], entry["doc"],
                  flags, entry.get("argument_mask", 0), operands)


# --- checks that the entries share -----------------------------------------------

def keys(table, where, required, optional):
    """See that the table has the required keys, no unknown ones, and their types."""
    if not isinstance(table, dict):
        raise Error(f"{where}: is not a table")
    for key in required:
        if key not in table:
            raise Error(f"{where}.{key}: missing")
    for key, value in table.items():
        kind = required.get(key) or optional.get(key)
        if kind is None:
            raise Error(f"{where}.{key}: unknown key")
        if type(value) is not kind:
            raise Error(f"{where}.{key}: is not of type {kind.__name__}")


def named(entry, where):
    """The name of an entry of a list."""
    if not isinstance(entry, dict) or "name" not in entry:
        raise Error(f"{where}: an entry has no name")
    identifier(entry["name"], f"{where}.{entry['name']}")
    return entry["name"]


def identifier(name, where):
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise Error(f"{where}: '{name}' is not lower_case_with_underscores")


def unique(entries, where):
    seen = set()
    for entry in entries:
        if entry.name in seen:
            raise Error(f"{where}.{entry.name}: the name occurs twice")
        seen.add(entry.name)


def aligned(value, where):
    if value < 0 or value % REGISTER_BYTES:
        raise Error(f"{where}: {value:#x} is not a multiple of {REGISTER_BYTES}")


def fits(value, bits, where):
    if type(value) is not int or not 0 <= value < 1 << bits:
        raise Error(f"{where}: {value!r} is not an unsigned {bits}-bit number")
