"""What the demo records and the clerk's reader are made with; no part of the program."""

from __future__ import annotations
