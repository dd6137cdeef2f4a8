"""The records that ``--data`` names."""

from __future__ import annotations

from pathlib import Path

from console.setup import resolved_path

DEMO = "demo"
"""The name of the demo records, regardless of TAU2_DATA_DIR."""

INSTALLED = "tau2"
"""The name of the data of the τ²-bench that is installed beside this program."""


def folder_named(data: str) -> Path | None:
    """The folder that ``--data`` names, or None for the demo records; raises DomainError.

    A folder that is named like one of the two other choices takes precedence over it.
    """
    folder = Path(data)
    if data == INSTALLED and not folder.is_dir():
        from domains.tau2 import data as tau2

        return tau2.installed_folder()
    return None if data == DEMO and not folder.is_dir() else resolved_path(folder)
