"""Messages in which what sets a term is marked, or which of the things mentioned is a fallback.

A line of ``data/terms.txt`` is a message: ``<c>only if it is free</c>`` marks a condition, ``<f>``
a fallback and ``<t>`` what is taken back. A line of ``data/mentions.txt`` marks each thing that it
mentions: ``[?amex?]`` is a fallback; ``+``, ``=``, ``-`` and ``~`` mark all other roles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from agent.clerk.understanding.mention_roles import Span
from agent.clerk.understanding.terms import KINDS, Term
from agent.clerk.understanding.tokens import tokens
from tests.generators.clerk_reader.examples import DOMAINS, read_whole

DATA = Path(__file__).parent / "data"
_TERM = re.compile(r"<([cft])>(.*?)</\1>")
_MENTION = re.compile(r"\[([+=~?-]) ?(.*?) ?\1\]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_MAY_SET = frozenset(
    tokens(
        "if unless only provided long soon once until when case should assuming suppose condition "
        "must needs otherwise else failing instead rather prefer least most max maximum limit "
        "under over below above more less within cheaper extra free cost budget penny cent dollar "
        "$ forget scratch scrap wait stop actually oh oops sorry never mind nevermind nvm keep "
        "kept don't dont not no nah cancel leave stays stay back hold undo wrong thought or"
    )
)
"""Words without which a message hardly sets any term."""


@dataclass(frozen=True)
class TermMessage:
    """A message with the terms that it sets, in order."""

    text: str
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class MentionMessage:
    """A message with the places of what it mentions, and whether each is a fallback."""

    text: str
    spans: tuple[Span, ...]
    fallbacks: tuple[bool, ...]


def read_terms(name: str) -> list[TermMessage]:
    """The messages of a file in ``data`` in which terms are marked."""
    return [parse_terms(each) for each in _lines(name)]


def read_mentions(name: str) -> list[MentionMessage]:
    """The messages of a file in ``data`` in which mentions are marked."""
    return [parse_mentions(each) for each in _lines(name)]


def plain_messages() -> list[TermMessage]:
    """Those of the reader's messages in which no word stands that may set a term."""
    whole = (read_whole(each) for each in DOMAINS)
    texts = (" ".join(part.text for part in each.parts) for some in whole for each in some)
    return [TermMessage(each, ()) for each in texts if _MAY_SET.isdisjoint(tokens(each))]


def parse_terms(line: str) -> TermMessage:
    """A message from its line."""
    text, terms, end = "", list[Term](), 0
    for hit in _TERM.finditer(line):
        text += line[end : hit.start()]
        kind = next(each for each in KINDS if each.startswith(hit[1]))
        terms.append(Term(kind, len(text), len(text) + len(hit[2])))
        text += hit[2]
        end = hit.end()
    return TermMessage(text + line[end:], tuple(terms))


def parse_mentions(line: str) -> MentionMessage:
    """A message from its line."""
    text, spans, fallbacks, end = "", list[Span](), list[bool](), 0
    for hit in _MENTION.finditer(line):
        text += line[end : hit.start()]
        spans.append((len(text), len(text) + len(hit[2])))
        fallbacks.append(hit[1] == "?")
        text += hit[2]
        end = hit.end()
    return MentionMessage(text + line[end:], tuple(spans), tuple(fallbacks))


def hung_on(message: TermMessage, condition: str, *, first: bool, comma: bool) -> TermMessage:
    """A message without terms with a condition before it or behind it."""
    condition = condition.strip(" ,;.!?")
    joint = ", " if comma else " "
    if first:
        text = f"{condition[:1].upper()}{condition[1:]}{joint}{message.text}"
        return TermMessage(text, (Term("condition", 0, len(condition)),))
    before = message.text.rstrip(" .!?") + joint
    text = before + condition
    return TermMessage(text, (Term("condition", len(before), len(text)),))


def sentences_of(message: TermMessage) -> list[TermMessage]:
    """The sentences of a message, each as a message of its own with its share of the terms."""
    ends = [0, *(hit.end() for hit in _SENTENCE_END.finditer(message.text)), len(message.text)]
    return [
        TermMessage(
            message.text[start:end],
            tuple(
                Term(each.kind, max(each.start, start) - start, min(each.end, end) - start)
                for each in message.terms
                if each.start < end and start < each.end
            ),
        )
        for start, end in pairwise(ends)
        if start < end
    ]


def _lines(name: str) -> list[str]:
    return (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
