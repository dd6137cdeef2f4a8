"""A τ²-bench task's instructions as a role to be read while talking, and as a title.

Nothing is left out of a role and nothing is moved from one part of it to another, because a
condition such as "if not possible" belongs to the sentence before it. The title and the tags are
made from the same words, never from what the task expects of the agent.
"""

from __future__ import annotations

import re

from domains.core.domain import Role
from domains.text.sentences import lines

NOBODY = "You are a customer."
"""Who the customer is, if a task does not say."""

LONGEST_TITLE = 64
"""The most characters in a title, including the name."""

_INTRODUCES = re.compile(r"(?:you are|you're|your? name is|your user id is|i am|i'm)\b", re.I)
_NAME = re.compile(
    r"(?:You are|You're|Your? name is|called|I am|I'm)\s+(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)"
)
_USER_ID = re.compile(r"\b([a-z]+)_([a-z]+)_\d+\b")
_WISH = re.compile(
    r"\b(?:(?:you(?:'d| would)?|and|but) (?:(?:just|also|first|now|still) )*"
    r"(?:want|wish|need|like|intend) to|you are (?:trying|contacting)[\w ]*? to)"
    r"\s+(?:(?:also|first) )*",
    re.I,
)
_ASIDE = re.compile(
    r"\s*[({\[].*|[,;:]? (?:and )?(?:but|because|since|if|so that|in case|which)\b.*|[:;].*", re.I
)
_SAYS_LITTLE = re.compile(r"\w+(?: (?:it|them|this|that))?", re.I)
_TOPICS = {
    "return": r"\breturn(?:ed|ing)? (?!flight|trip|date|leg|is\b)",
    "exchange": r"\bexchang|\bfor the same one\b",
    "cancel": r"\bcancel",
    "address": r"\baddress(?:es)?\b|\bdelivered to\b",
    "payment": r"\bpayment method|\bsplit the payment\b",
    "change items": r"\b(?:modify|change|upgrade|switch) (?:all|the|your (?!mind)|it|pending)\b",
    "book": r"\bbook(?:ing)? (?:a|an|the|it|one)\b|\bmake a reservation\b",
    "change flights": r"\bchange (?:\w+ ){0,6}flights?|\bnonstop\b",
    "change cabin": r"\b(?:up|down)grade",
    "baggage": r"\bbag(?:s|gages?)?\b|\bsuitcases?\b",
    "passengers": r"\bpassengers?\b",
    "compensation": r"\bcompensat|\bdelayed\b",
    "insurance": r"\binsurance\b",
    "information": r"\bwant to know\b|\bhow (?:much|many)\b|\btracking number\b",
}
_ONLY_IN = {
    "return": "retail", "exchange": "retail", "address": "retail", "payment": "retail",
    "change items": "retail", "book": "airline", "change flights": "airline",
    "change cabin": "airline", "baggage": "airline", "passengers": "airline",
    "compensation": "airline", "insurance": "airline",
}  # fmt: skip


def role(
    *, reason: str, known: str = "", unknown: str = "", behaviour: str = "", persona: str = ""
) -> Role:
    """The role in lines: who one is, what one knows, does not know and wants, how to behave."""
    facts, wants = lines(known), lines(reason)
    if not facts and wants and _NAME.match(wants[0]):  # the whole task is one text
        facts, wants = wants[:1], wants[1:]
    who = next((line for line in facts if _INTRODUCES.match(line)), NOBODY)
    return Role(
        who=who,
        knows=_without(facts, who),
        does_not_know=lines(unknown),
        wants=wants,
        manner="\n".join((*lines(persona), *lines(behaviour))),
    )


def _without(facts: tuple[str, ...], who: str) -> tuple[str, ...]:
    place = facts.index(who) if who in facts else len(facts)
    return facts[:place] + facts[place + 1 :]


def title(role: Role) -> str:
    """The title: the customer's name, and the beginning of their wish."""
    name, wish = _name(role), _wish(role)
    room = LONGEST_TITLE - len(name) - 2
    short = _shorten(wish, room)
    return f"{name}: {short}" if name else short[:1].upper() + short[1:]


def tags(role: Role, domain: str) -> tuple[str, ...]:
    """The topics of the role's wishes, as words to search for."""
    told = "\n".join((*role.wants, role.manner))
    return tuple(
        topic
        for topic, words in _TOPICS.items()
        if _ONLY_IN.get(topic, domain) == domain and re.search(words, told, re.I)
    )


def _name(role: Role) -> str:
    """The customer's name, from their introduction or else from their user id; may be empty."""
    told = "\n".join((role.who, *role.knows))
    found, user_id = _NAME.search(told), _USER_ID.search(told)
    if found and (" " in found["name"] or not user_id):
        name = found["name"]
    else:
        name = " ".join(user_id.groups()).title() if user_id else ""
    return name if len(name) < LONGEST_TITLE // 2 else ""


def _wish(role: Role) -> str:
    """The first wish without the words around it, or else the beginning of the role."""
    for line in role.wants:
        if found := _WISH.search(line):
            wish = _ASIDE.sub("", line[found.end() :]).rstrip(" .,")
            if not _SAYS_LITTLE.fullmatch(wish):
                return re.sub(r"^know\b", "ask", wish)
    return next(iter((*role.wants, *role.manner.splitlines())), "free play")


def _shorten(text: str, room: int) -> str:
    plain = text.rstrip(" .,;:") or text
    if len(plain) <= room:
        return plain
    cut = plain[: room - 1]
    return f"{cut.rpartition(' ')[0].rstrip(' .,;:') or cut}…"
