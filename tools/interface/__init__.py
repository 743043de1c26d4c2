# SPDX-License-Identifier: Apache-2.0
"""The descriptions of what host and device agree on, and their renderings."""
