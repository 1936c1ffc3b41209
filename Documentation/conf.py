# SPDX-License-Identifier: GPL-2.0
# How Sphinx makes HTML of these documents.
project = "naohw"
copyright = "the naohw authors"
html_theme = "classic"
html_copy_source = False
