"""Programs of others, run apart; in a folder where nothing has the name of theirs."""

from __future__ import annotations
