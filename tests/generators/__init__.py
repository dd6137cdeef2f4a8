"""What the demo records are made with; a part of the repository and not of the program."""

from __future__ import annotations
