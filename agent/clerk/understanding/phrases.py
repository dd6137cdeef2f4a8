"""Phrases by what they express: data from the ``phrases.json`` of a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agent.clerk.understanding.tokens import Tokens, has, tokens


@dataclass(frozen=True)
class Phrases:
    """The content of a folder's ``phrases.json``."""

    folder: Path

    @cached_property
    def by_name(self) -> dict[str, tuple[str, ...]]:
        """The phrases, by what they express."""
        kept = json.loads((self.folder / "phrases.json").read_text(encoding="utf-8"))
        return {name: tuple(each) for name, each in kept.items()}

    @cached_property
    def words(self) -> dict[str, frozenset[str]]:
        """The single words of the phrases, by what the phrases express."""
        return {name: frozenset(tokens(" ".join(each))) for name, each in self.by_name.items()}

    def tell(self, words: Tokens, name: str) -> bool:
        """Whether any of the phrases of that name occurs in a text."""
        return has(words, *self.by_name[name])


GENERAL = Phrases(Path(__file__).parent)
"""The phrases that all domains share."""

tells = GENERAL.tell
