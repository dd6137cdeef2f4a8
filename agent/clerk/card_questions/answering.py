"""Answers a question about a waiting card, topic by topic."""

from __future__ import annotations

from agent.clerk.card_questions.shared_answers import DECIDE
from agent.clerk.card_questions.topics import topics_of
from agent.clerk.card_questions.waiting_card import WaitingCard, read_card
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.rules import FITS
from agent.clerk.state.messages import ABOUT_CARD, policy_of
from agent.models.protocol import Message

_SAYS_NOTHING = "As far as I can tell, the card does not say that."
_NOTHING_WAITS = f"I can't change anything right now. {DECIDE}"
_SURELY = 7.0
"""How well an answer about rules must fit a question that is not about rules alone."""

_OF_RULES = frozenset({"rules", "none", "later", "next"})
"""Topics of questions that a rule may answer if the card does not."""

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
    topics = topics_of(card.question)
    told = [skills.card_topics[topic](card) for topic in topics if topic in skills.card_topics]
    known = list(dict.fromkeys(each for each in told if each))
    if not known and {*topics} <= _OF_RULES:
        least = FITS if "rules" in topics else _SURELY
        known = list(filter(None, [skills.rules.find(card.question, policy, least)]))
    return " ".join(known) or f"{_SAYS_NOTHING} It says: {card.sentence} {DECIDE}"
