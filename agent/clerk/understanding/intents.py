"""The intents of a domain: what its customers may ask for, and what stands for codes in a text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from agent.clerk.understanding.spelling import is_word

_ARROW = re.compile(r"\s*->\s*")

UNKNOWN = "unknown"
"""The intent of what means nothing to a service agent."""


@dataclass(frozen=True, slots=True)
class Guess:
    """An intent that a text may have, with its probability: those for one text add up to 1."""

    name: str
    probability: float

    def __deepcopy__(self, _: dict[int, Any]) -> Guess:
        """Return the same object, because it is immutable."""
        return self


@dataclass(frozen=True)
class Codes:
    """What looks like a code in a domain, and the words that stand for it."""

    folder: Path

    @cached_property
    def _forms(self) -> list[tuple[re.Pattern[str], str]]:
        data = json.loads((self.folder / "intent_settings.json").read_text(encoding="utf-8"))
        return [(re.compile(form, re.IGNORECASE), words) for form, words in data["forms"]]

    def replace_in(self, text: str) -> str:
        """The text with codes and arrows in words: "cancel ABC123" is "cancel my reservation".

        A word in capitals is no code.
        """
        for form, words in self._forms:
            text = form.sub(partial(_as_words, words), text)
        return _ARROW.sub(" to ", text)


def _as_words(words: str, hit: re.Match[str]) -> str:
    code = hit.group()
    return code if code.isalpha() and is_word(code) else words
