# SPDX-License-Identifier: Apache-2.0
"""The description of what host and device agree on, and its three renderings."""
