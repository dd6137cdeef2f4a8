"""What the words of a question tell: its parts, and whether it asks for a yes or a no."""

from __future__ import annotations

import re
from pathlib import Path

from agent.clerk.understanding.phrases import GENERAL, Phrases
from agent.clerk.understanding.tokens import tokens

PHRASES = Phrases(Path(__file__).parent)
tells = PHRASES.tell

LONGEST, MOST = 500, 6
"""How many characters of a question, and how many of its parts, are read."""

_SHORT = 3
"""How many words a question has at most that has no verb, such as "and the lamp?"."""

_SENTENCES = re.compile(r"(?<=[.!?\n])\s+")
_WORDS = re.compile(r"\w")
_JOINTS = re.compile(r"(?<=\?)|[,;–—](?=\s)|\band\b|[+&.!\n]+", re.IGNORECASE)


def parts_of(question: str) -> list[str]:
    """What is asked in a question, and if that has several parts, these."""
    whole = question[:LONGEST].strip()
    said, text = _SENTENCES.split(whole), whole
    if "?" in text:  # what is only stated beside a question is no question of its own
        text = " ".join(e for e in said if "?" in e or GENERAL.tell(tokens(e)[:1], "asking"))
    parts: list[str] = []
    for each in filter(_WORDS.search, _JOINTS.split(text)):
        tag = tokens(each)[1:] == () and tells(tokens(each), "tag")
        if parts and (tag or tells(tokens(parts[-1])[:3], "condition")):
            parts[-1] = f"{parts[-1]},{each}"  # a condition asks nothing by itself, nor does a tag
        elif len(each.split()) > 1 or each[-1] == "?":
            parts.append(each)
    if len(parts) > 1:  # nor is what leads up to one
        parts = [each for each in parts if _asks(each)] or parts
    return [text, *parts[:MOST]] if len(parts) > 1 else [text]


def after_lead(question: str) -> tuple[str, str]:
    """What leads up to the only part that asks, and that part: "the small one, how much is it?"."""
    parts = [each for each in _JOINTS.split(question) if _WORDS.search(each)]
    asking = [each for each in parts if _asks(each)]
    if len(parts) > 1 and asking == parts[-1:]:
        return ", ".join(parts[:-1]), parts[-1]
    return "", question


def _asks(part: str) -> bool:
    """Whether a part of a question asks something by itself."""
    first = tokens(part)[:2]
    asks = any(GENERAL.tell(first, each) for each in ("asking", "asks whether"))
    return part.rstrip().endswith("?") or asks or tells(first, "asks which")


def is_yes_or_no(question: str) -> bool:
    """Whether a question asks whether something is so."""
    words = tokens(question)
    if tells(words[-2:], "tag"):
        return True
    parts = [tokens(each) for each in re.split(r",|[.!?]\s", question)]
    parts = [each for each in parts if not tells(each, "what of")]
    words = tuple(word for each in parts for word in each)
    asks = any(GENERAL.tell(e[:1], "asks whether") or tells(e[:1], "short") for e in parts)
    asks = asks or (question.rstrip().endswith("?") and len(words) > _SHORT)
    return asks and not tells(words, "asks which")
