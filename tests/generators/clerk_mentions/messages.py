"""Messages in which every mention is marked with what the customer wants with it.

In ``data/messages.txt`` a line is a message, and ``[+ my visa +]`` marks a mention with its role:
``+`` for wanted, ``=`` for acted on, ``-`` for kept out, ``~`` for only mentioned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from agent.clerk.understanding.mention_roles import ROLES, Role, Span

DATA = Path(__file__).parent / "data"
_MENTION = re.compile(r"\[([+=~-]) ?(.*?) ?\1\]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SIGNS: dict[str, Role] = dict(zip("+=-~", ROLES, strict=True))


@dataclass(frozen=True)
class Message:
    """A message with the places and the roles of what it mentions."""

    text: str
    spans: tuple[Span, ...]
    roles: tuple[Role, ...]


def read_messages(name: str) -> list[Message]:
    """The messages of a file in ``data``."""
    lines = (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [parse_message(each) for each in lines]


def parse_message(line: str) -> Message:
    """A message from its line."""
    text, spans, roles, end = "", list[Span](), list[Role](), 0
    for hit in _MENTION.finditer(line):
        text += line[end : hit.start()]
        spans.append((len(text), len(text) + len(hit[2])))
        roles.append(_SIGNS[hit[1]])
        text += hit[2]
        end = hit.end()
    return Message(text + line[end:], tuple(spans), tuple(roles))


def sentences_of(message: Message) -> list[Message]:
    """The sentences of a message that mention something, each as a message of its own."""
    ends = [0, *(hit.end() for hit in _SENTENCE_END.finditer(message.text)), len(message.text)]
    found = []
    for start, end in pairwise(ends):
        own = [n for n, (a, b) in enumerate(message.spans) if start <= a and b <= end]
        spans = tuple((message.spans[n][0] - start, message.spans[n][1] - start) for n in own)
        if own:
            text, roles = message.text[start:end], tuple(message.roles[n] for n in own)
            found.append(Message(text.rstrip(), spans, roles))
    return found or [message]
