"""Answers a question about a waiting card, topic by topic."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.card_questions.shared_answers import (
    DECIDE,
    asks_of_money,
    lines_with_number,
    other_wishes,
    topic_by_words,
)
from agent.clerk.card_questions.topics import is_of_other_wishes, topics_of
from agent.clerk.card_questions.waiting_card import WaitingCard, read_card
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.rules import FITS
from agent.clerk.state.messages import ABOUT_CARD, policy_of
from agent.models.protocol import Message

_SAYS_NOTHING = "As far as I can tell, the card does not say that."
_REST = "I can't tell you the rest from the card."
_NOTHING_WAITS = f"I can't change anything right now. {DECIDE}"
_NOTHING_ELSE = "Nothing else is noted. If there is more, tell me once you have decided on this."
_SURELY = 7.0
"""How well an answer about rules must fit a question that is not about rules alone."""

_FITS = {"rules": FITS, "split": 0.0}
_OF_RULES = frozenset({*_FITS, "none"})
"""Topics of questions that a rule may answer, and the card does not."""

_OF_CARD = frozenset({"amount", "total", "payment", "balance", "split", "when", "next", "why"})
"""Topics of questions that are about the card, whatever else they mention."""

_WHY = "I can't tell you why; the card is how I understood your request."
_GENERAL = frozenset({"wish", "approve"})
"""Topics whose answers say little, and nothing beside another one."""

_STRAIGHT = str.maketrans("“”", "''")
"""Replaces curly quotes with straight ones.

The card shows an answer in curly quotes, and curly quotes inside it would be spelled out as code
points.
"""


def answer_about_card(messages: list[Message], skills: DomainSkills) -> str:
    """Answer the question in the last message from the card, the records and the rules."""
    card = read_card(messages, skills)
    if card is None:
        return _NOTHING_WAITS
    return ABOUT_CARD + _answer(card, policy_of(messages), skills).translate(_STRAIGHT)


def _answer(card: WaitingCard, policy: str, skills: DomainSkills) -> str:
    among = {*skills.card_topics, *_OF_RULES}
    if not card.moves_money and not asks_of_money(card):
        among -= {"total"}
    topics = topics_of(card.question, among)
    told: dict[str, str] = {}
    for topic, words in (topics or {topic_by_words(card): card.question}).items():
        part = replace(card, question=words)
        about = {"of_card": topic in _OF_CARD, "of_contents": topic == "contents"}
        if wishes := other_wishes(part, **about):
            told.setdefault("open", wishes)
            continue
        told[topic] = skills.card_topics.get(topic, lambda card: "")(part)
        if not told[topic] and topic != "why" and (topic in _OF_RULES or len(topics) == 1):
            told[topic] = skills.rules.find(words, policy, _FITS.get(topic, _SURELY))
        if topic == "why" and not told[topic]:
            told[topic] = skills.rules.find(words, policy, _SURELY) or f"{_WHY} {DECIDE}"
    hidden = _GENERAL | ({"payment"} if "split" in told else set())
    known = [text for topic, text in told.items() if text and topic not in hidden]
    known = list(dict.fromkeys(known or filter(None, told.values())))
    if is_of_other_wishes(card.question) and known in ([], [DECIDE]):
        return _NOTHING_ELSE
    if known:
        return " ".join([*known, *([_REST] if "" in told.values() else [])])
    return lines_with_number(card) or f"{_SAYS_NOTHING} It says: {card.sentence} {DECIDE}"
