# SPDX-License-Identifier: GPL-2.0
# How Sphinx makes HTML of these documents, and first the tables in them.
import subprocess

subprocess.run(["./tables", "../build/tables"], check=True)
project = "naohw"
copyright = "the naohw authors"
html_theme = "classic"
html_copy_source = False
