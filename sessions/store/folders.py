"""Folders that belong to this user alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OWN = 0o700


def make_private(folder: Path) -> None:
    """Create a folder and all missing parents, accessible to this user only; raises OSError."""
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    for each in reversed(missing):
        each.mkdir(mode=OWN, exist_ok=True)  # another program may have created it first


def is_private(folder: Path) -> bool:
    """Whether no other user can write to a folder or redirect it; raises OSError."""
    found = folder.lstat()
    whose = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return whose and stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o022
