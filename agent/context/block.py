"""One block of the conversation: what a model can be sent, ranked and shown as a piece.

A block is a customer's turn with all that followed it (SABER, section 4.1).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from agent.models.protocol import Message

PREAMBLE = 0
"""The turn number of what was said before the customer's first words: the greeting."""

IDENTIFIED = "identifies the customer"
UNFINISHED = "unfinished request"
CONDITION = "states a condition"

_QUOTED = 80
"""How many characters of the customer's words a summary quotes."""


@dataclass(frozen=True)
class Block:
    """A customer's turn with all that followed it, ready to be sent, ranked and shown."""

    turn: int
    messages: tuple[Message, ...]
    words: tuple[str, ...]
    """The customer's, each time that they spoke."""

    sentences: tuple[str, ...]
    """What its cards said would happen."""

    tools: tuple[str, ...]
    """The tools whose results came back, each once."""

    changes: tuple[str, ...]
    """What became of each change that was put up on a card."""

    pins: frozenset[str]
    """Why this block is always sent; empty where it is sent only if it is relevant."""

    @cached_property
    def text(self) -> str:
        """What is embedded: the customer's words first, as the encoder reads only the beginning."""
        said = (each["content"] for each in self.messages if each["role"] == "assistant")
        tools = (name.replace("_", " ") for name in self.tools)
        return "\n".join((*self.words, *self.sentences, *tools, *filter(None, said)))

    @cached_property
    def summary(self) -> str:
        """One line made by template from what happened."""
        first = self.words[0] if self.words else "Greeting"
        quoted = textwrap.shorten(first, _QUOTED, placeholder=" …")
        return " · ".join((quoted, *self.tools, *self.changes))

    @cached_property
    def tokens(self) -> int:
        """An estimate: see :func:`estimate_tokens`."""
        return estimate_tokens(self.messages)


def estimate_tokens(messages: Iterable[Message]) -> int:
    """A rough count for every model alike: one token for each four characters of JSON."""
    return sum(len(json.dumps(message, ensure_ascii=False)) for message in messages) // 4
