# SPDX-License-Identifier: Apache-2.0
"""Cells of a placed netlist as nextpnr-ecp5 writes them, for the tests of what reads it."""


def placed(kind, bel, inputs, outputs, strength=1, **parameters):
    return {"type": kind, "parameters": parameters,
            "attributes": {"NEXTPNR_BEL": bel, "BEL_STRENGTH": f"{strength:032b}"},
            "port_directions": {**dict.fromkeys(inputs, "input"), **dict.fromkeys(outputs, "output")},
            "connections": {port: [bit] for port, bit in {**inputs, **outputs}.items()}}
