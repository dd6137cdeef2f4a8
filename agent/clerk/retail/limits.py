"""What is no limit on the price: a question about it, and one that the customer never set."""

from __future__ import annotations

import re

from agent.clerk.understanding.wishes import Message

_ASKS_PRICE = re.compile(
    r"\b(?:does|do|did|will|would|is|are|shall)\s+"
    r"(?:(?!not\b|never\b|no\b|only\b)[\w'-]+\s+){1,5}?"
    r"(?:costs?|pay|be|charged?)\s+(?:(?:any|much|me|us|a lot|something)\s+)*(?:more|extra)\b",
    re.IGNORECASE,
)
"""*Does olive cost more*, *would I pay extra*; not *as long as it does not cost more*."""

_HANGS_ON_IT = re.compile(r"\b(?:if|unless|as long as|provided|only)\b", re.IGNORECASE)
_NEVER_SAID = re.compile(
    r"\b(?:(?:i|i've)\s+(?:have\s+)?(?:never|didn'?t|did\s+not|haven'?t)\s+"
    r"(?:ever\s+)?(?:say|said|ask|asked|tell|told|set|mean|meant|want|wanted)"
    r"|(?:not|isn'?t|wasn'?t)\s+what\s+i\s+(?:said|asked|meant)"
    r"|(?:don'?t|do not|doesn'?t|does not)\s+(?:mind|matter|care))\b",
    re.IGNORECASE,
)


def drop_limits_only_asked(told: Message) -> None:
    """Take back the limits that a message was read to set where it only asks about the price."""
    if _only_asks_price(told.text) and told.limit == 0:
        told.limit = None
    for wish in told.wishes:
        if wish.limit == 0 and _only_asks_price(told.text):
            wish.limit = None


def denies_limit(text: str) -> bool:
    """Whether somebody says that they never set a limit, or don't mind what it costs."""
    return _NEVER_SAID.search(text.replace("’", "'")) is not None


def _only_asks_price(text: str) -> bool:
    return _ASKS_PRICE.search(text) is not None and _HANGS_ON_IT.search(text) is None
