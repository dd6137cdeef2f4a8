"""Run where τ²-bench is installed: its own viewer of a file of results."""

from __future__ import annotations

import sys
from importlib import import_module


def main(path: str) -> None:
    """Open the viewer on a file."""
    sys.argv = ["tau2", "view", "--file", path]
    import_module("tau2.cli").main()


if __name__ == "__main__":
    main(*sys.argv[1:])
