"""Loads a domain's ``intent_settings.json``, which describes its intents."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from agent.clerk.understanding.intents import Codes
from agent.clerk.understanding.parsed_message import IntentCatalog
from agent.clerk.understanding.reading import Reader

_SETS = ("acts", "asides", "amounts", "of_change", "empty", "kept")


@cache
def data_of(folder: Path) -> dict[str, Any]:
    """The content of the file."""
    data: dict[str, Any] = json.loads((folder / "intent_settings.json").read_text(encoding="utf-8"))
    return data


@cache
def reader_of(folder: Path) -> Reader:
    """The parser for the messages of a domain's customers."""
    data = data_of(folder)
    sets: dict[str, Any] = {name: frozenset(data[name]) for name in _SETS}
    verbs = frozenset(data["offers"][act].split()[0] for act in sets["acts"])
    names = {family: tuple(told) for family, told in data["names"].items()}
    catalog = IntentCatalog(**sets, verbs=verbs, families=data["families"], names=names)
    return Reader(folder.name, Codes(folder), catalog)
