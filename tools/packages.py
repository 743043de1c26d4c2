# SPDX-License-Identifier: Apache-2.0
"""The packages of rtl/, in an order in which each names only those before it."""

PACKAGES = ["rtl/rf_pkg.sv", "rtl/lib/rf_bus_pkg.sv", "rtl/link/rf_link_pkg.sv",
            "rtl/link/rf_link_console_pkg.sv"]
