# SPDX-License-Identifier: Apache-2.0
"""For nextpnr-ecp5 --pre-place: registers with a clock of the SERDES lie beside it.

Logic follows its registers. Left alone, the placer lets what the device and the link have in common
draw the link apart.
"""

WIDTH, HEIGHT = 46, 18  # tiles: half as many again as the cells of the link need

design = ctx  # noqa: F821 (nextpnr's)
serdes = next(cell for _, cell in design.cells if cell.type == "DCUA")
x, y = (int(text[1:]) for text in serdes.attrs["BEL"].split("/")[:2])
left = x - WIDTH // 2
link = [name for name, cell in design.cells if cell.type == "TRELLIS_FF"
        and cell.ports["CLK"].net.name.endswith(("pcie_clk", "pcie_rx_clk"))]
if not link:
    raise SystemExit("no register has a clock of the SERDES")
design.createRectangularRegion("link", left, y - HEIGHT, left + WIDTH - 1, y - 1)
for name in link:
    design.constrainCellToRegion(name, "link")
print(f"{len(link)} registers of the link in a region at {left} {y - HEIGHT}")
