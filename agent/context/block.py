"""One block of the conversation: the unit that a model is sent, and that is ranked and shown.

A block is a customer's turn with everything that followed it (SABER, section 4.1).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from agent.models.protocol import Message

PREAMBLE = 0
"""The turn number of the greeting, which comes before the customer's first words."""

IDENTIFIED = "identifies the customer"
UNFINISHED = "unfinished request"
CONDITION = "states a condition"

_QUOTED = 80
"""Characters of the customer's words that a summary quotes."""


@dataclass(frozen=True)
class Block:
    """A customer's turn with everything that followed it, ready to be sent, ranked and shown."""

    turn: int
    messages: tuple[Message, ...]
    words: tuple[str, ...]
    """The customer's words, one entry for each time that they spoke."""

    sentences: tuple[str, ...]
    """What its cards said would happen."""

    tools: tuple[str, ...]
    """The tools whose results were returned, each once."""

    changes: tuple[str, ...]
    """The outcome of each change that was shown on a card."""

    pins: frozenset[str]
    """Why this block is always sent; empty if it is sent only when relevant."""

    @cached_property
    def text(self) -> str:
        """The text to embed.

        The customer's words come first, as the encoder reads only the beginning.
        """
        said = (each["content"] for each in self.messages if each["role"] == "assistant")
        tools = (name.replace("_", " ") for name in self.tools)
        return "\n".join((*self.words, *self.sentences, *tools, *filter(None, said)))

    @cached_property
    def summary(self) -> str:
        """One line built from a template."""
        first = self.words[0] if self.words else "Greeting"
        quoted = textwrap.shorten(first, _QUOTED, placeholder=" …")
        return " · ".join((quoted, *self.tools, *self.changes))

    @cached_property
    def tokens(self) -> int:
        """The estimated number of tokens; see :func:`estimate_tokens`."""
        return estimate_tokens(self.messages)


def estimate_tokens(messages: Iterable[Message]) -> int:
    """A rough count that is the same for every model: one token per four characters of JSON."""
    return sum(len(json.dumps(message, ensure_ascii=False)) for message in messages) // 4
