"""Which records ``--data`` names."""

from __future__ import annotations

from pathlib import Path

from console.setup import whole

DEMO = "demo"
"""What names the demo records, whatever TAU2_DATA_DIR says."""

INSTALLED = "tau2"
"""What names the data of the τ²-bench that is installed beside this program."""


def folder_named(data: str) -> Path | None:
    """The folder that ``--data`` names, or None for the demo records; raises DomainError.

    A folder that is called like one of the two other choices is what is meant.
    """
    folder = Path(data)
    if data == INSTALLED and not folder.is_dir():
        from domains.tau2 import data as tau2

        return tau2.installed_folder()
    return None if data == DEMO and not folder.is_dir() else whole(folder)
