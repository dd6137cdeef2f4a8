"""Answers a question about a waiting card, topic by topic."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.card_questions.asked import asks_of_money, topic_by_words
from agent.clerk.card_questions.shared_answers import (
    DECIDE,
    WHY,
    lines_with_number,
    other_wishes,
    why_first,
)
from agent.clerk.card_questions.topics import Reading, read_questions, tells
from agent.clerk.card_questions.waiting_card import WaitingCard, read_card
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.rules import FITS
from agent.clerk.state.messages import ABOUT_CARD, policy_of
from agent.clerk.understanding.spelling import is_word
from agent.clerk.understanding.tokens import tokens
from agent.models.protocol import Message

_SAYS_NOTHING = "As far as I can tell, the card does not say that."
_REST = "I can't tell you the rest from the card."
_NOTHING_WAITS = f"I can't change anything right now. {DECIDE}"
_NOTHING_ELSE = "Nothing else is noted. If there is more, tell me once you have decided on this."
_SURELY, _BESIDE = 8.5, 10.5
"""How well a rule must fit a question that is not about rules alone, and one beside another."""

_FITS = {"rules": FITS, "split": 0.0}
_OF_RULES = frozenset({*_FITS, "none"})
"""Topics of questions that a rule may answer, and the card does not."""

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
    if not any(is_word(each) or each[0].isdigit() for each in tokens(card.question)):
        return f"{_SAYS_NOTHING} {DECIDE}"
    among = {*skills.card_topics, *_OF_RULES}
    if not card.moves_money and not asks_of_money(card):
        among -= {"total"}
    (reading,) = read_questions([card.question], among)
    told = _tell_each(_words_by_topic(card, reading), card, policy, skills)
    hidden = _GENERAL | ({"payment"} if "split" in told else set())
    known = [text for topic, text in told.items() if text and topic not in hidden]
    known = list(dict.fromkeys(known or filter(None, told.values())))
    if card.question in reading.of_others and known in ([], [DECIDE]):
        return _NOTHING_ELSE
    if known:
        return " ".join([*known, *([_REST] if "" in told.values() else [])])
    return lines_with_number(card) or f"{_SAYS_NOTHING} It says: {card.sentence} {DECIDE}"


def _words_by_topic(card: WaitingCard, reading: Reading) -> dict[str, list[str]]:
    """The parts of the question on each topic, in its order.

    What there is to say about another wish stands for itself among the topics, without words.
    """
    found, of_wish = dict[str, list[str]](), False
    for learned, words in _parts(card, reading):
        if of_wish and tells(tokens(words), "of a thing before"):
            continue  # "and the lamp, when is it returned?" is about the other wish only
        part = replace(card, question=words, asks_of_others=words in reading.of_others)
        topic = topic_by_words(part, learned)
        wishes = why_first(part) or other_wishes(part, topic)
        found.setdefault(wishes or topic, []).extend([] if wishes else [words])
        of_wish = bool(wishes)
    return found


def _tell_each(
    asked: dict[str, list[str]], card: WaitingCard, policy: str, skills: DomainSkills
) -> dict[str, str]:
    """What is said on each topic; empty if that is not known."""
    told, before = dict[str, str](), ""
    for topic, parts in asked.items():
        if not parts:
            told[topic] = topic
            continue
        words = " ".join(e for e in parts if not any(e != each and e in each for each in parts))
        text = _about(topic, words, card, policy, skills)
        if before and not text and tells(tokens(words), "refers back"):
            # "what about the other one, do I keep that?" is a single question
            told[before] = _about(before, f"{asked[before][-1]}, {words}", card, policy, skills)
        else:
            told[topic], before = text, topic
    return told


def _about(topic: str, words: str, card: WaitingCard, policy: str, skills: DomainSkills) -> str:
    """What is said on a topic to words of the question; empty if that is not known."""
    text = skills.card_topics.get(topic, lambda card: "")(replace(card, question=words))
    whole = words == card.question or topic == "why"
    least = _FITS.get(topic, _SURELY if whole else _BESIDE)
    return text or skills.rules.find(words, policy, least) or (WHY if topic == "why" else "")


def _parts(card: WaitingCard, reading: Reading) -> list[tuple[str, str]]:
    """The parts of a question with their topics; all of them if any is about another wish alone."""
    for topic, words in reading.parts:
        if other_wishes(replace(card, question=words, asks_of_others=False), topic):
            return reading.parts
    return reading.topics or [("", card.question)]
