# SPDX-License-Identifier: GPL-2.0-or-later
"""Other benches as modules: they are programs without a suffix."""

import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(HERE, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    # A dataclass looks its module up.
    sys.modules[name] = module
    loader.exec_module(module)
    return module
