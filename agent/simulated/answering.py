"""Answers the agent's questions from a role: finds the line that a question is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from agent.simulated.first_person import first_person, request
from domains.core.domain import Role

_CLOSING = re.compile(r"\b(any|some)thing else\b|\bhelp you (with )?today\b", re.IGNORECASE)
_CONFIRMING = re.compile(
    r"\(?\byes\b|\bconfirm\b|\bproceed\b|\bshall i\b|\bis that (right|correct|ok)\b|\bgo ahead\b",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\b(what|which|who|how|when|where|instead|leave it)\b", re.IGNORECASE)
"""Marks a question that cannot be answered with yes."""

_ASKING = re.compile(
    r"\?|\bcould you\b|\bmay i\b|\bplease (?:\w+ )?(?:answer|choose|confirm|give|let me know|name"
    r"|pick|provide|reply|say|select|send|share|specify|state|tell|verify)\b",
    re.IGNORECASE,
)
"""Marks a sentence that asks for something; "please allow five days" does not."""

_WORD = re.compile(r"[a-z]{3,}")
_PLAIN = frozenset(
    re.findall(
        r"\w+",
        "the and for with your you are can could would please tell give have has not that this "
        "what which how who when where also from into will may let know need help like want order",
    )
)
"""Words that do not indicate what is asked."""

_KINDS = (
    frozenset({"email", "mail"}),
    frozenset({"zip", "name", "code"}),
    frozenset({"pay", "payment", "paid", "card", "visa", "mastercard", "paypal", "refund"}),
    frozenset({"address", "street", "city"}),
    frozenset({"user", "id", "profile"}),
)
"""Groups of words that ask for the same thing."""

YES = "Yes, please."
NOT_KNOWN = "I'm sorry, I don't know that."


def wants_a_yes(words: str) -> bool:
    """Whether the agent asks the customer to confirm something in words."""
    question = " ".join(_questions(words))
    return bool(_CONFIRMING.search(question)) and not _OPEN.search(question)


def reply_from(
    role: Role, words: str, said: Collection[str], *, content: bool = False
) -> str | None:
    """The customer's answer; None if nothing was asked that they can answer.

    ``said`` are their answers so far, which are not repeated. A ``content`` customer says what they
    know but makes no more requests.
    """
    question = " ".join(_questions(words))
    if not question:
        return None
    if wants_a_yes(words) and not content:
        return YES
    asked = _about(question)
    wishes = () if content else role.wants
    lines = [*map(first_person, role.knows), *map(request, wishes)]
    fitting = [line for line in lines if line not in said and asked & _about(line)]
    if fitting:
        return max(fitting, key=lambda line: len(asked & _about(line)))
    unknown = any(asked & _about(line) for line in role.does_not_know)
    return NOT_KNOWN if unknown and NOT_KNOWN not in said else None


def _questions(words: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=[.?!])\s+|\n+", words):
        if _ASKING.search(sentence) and not _CLOSING.search(sentence):
            yield sentence


def _about(text: str) -> set[str]:
    found = set(_WORD.findall(text.lower())) - _PLAIN
    return found | {word for kind in _KINDS if kind & found for word in kind}
