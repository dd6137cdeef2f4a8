"""Folders of this user's own."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OWN = 0o700


def make_own(folder: Path) -> None:
    """Make a folder, and every one above it that is missing, for this user alone; OSError."""
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    for each in reversed(missing):
        each.mkdir(mode=OWN, exist_ok=True)  # another program may be quicker


def is_own(folder: Path) -> bool:
    """Whether nobody else can put anything into a folder, or have it be another one; OSError."""
    found = folder.lstat()
    whose = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return whose and stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o022
