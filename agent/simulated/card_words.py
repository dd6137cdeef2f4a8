"""A card as plain text, for a customer who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator

from domains.text.one_line import line, quotation
from sessions.events import Card, Disagreement, Precondition

_MARKS = {"holds": "true", "fails": "NOT true", "judge": "for you to judge"}


def card_words(card: Card) -> str:
    """The card as text: the change, what should be true before, what is different afterwards."""
    return "\n".join(_lines(card))


def _lines(card: Card) -> Iterator[str]:
    yield line(card.sentence)
    yield from _section("What you asked for:", [quotation(each) for each in card.asked])
    yield from _section(
        "It does not fit what was said:", [_disagreement_line(e) for e in card.disagreements]
    )
    visible = _visible_preconditions(card)
    yield from _section("Before:", [_check_line(card, each) for each in visible])
    if card.policy_shown:
        yield from _section(
            "Learned, for you to judge:", [line(each) for each in card.standalone_learned]
        )
    yield from _section("After:", [line(each) for each in card.after])
    yield from _section("Stays as it is:", [line(each) for each in card.stays])
    yield from _section("No longer possible after this:", card.closes)
    yield from _section("Removed from the agent's text:", card.removed)
    yield from _section("Letters that can be mistaken for others:", card.non_ascii)


def _visible_preconditions(card: Card) -> list[Precondition]:
    return [each for each in card.before if card.policy_shown or each.source == "tool"]


def _check_line(card: Card, each: Precondition) -> str:
    value = f" ({line(each.value)})" if each.value else ""
    said = "".join(f"; you said {quotation(words)}" for words in each.said)
    learned = card.relaxing_text_for(each.name)
    beside = f"; {line(learned)}" if learned else ""
    return f"{line(each.name)}{value}: {_MARKS[each.verdict]}{said}{beside}"


def _disagreement_line(each: Disagreement) -> str:
    who = {"customer": "you said", "agent": "the agent said", "": "it was said"}[each.by]
    said = f"{who} {quotation(each.said)}" if each.said else "nobody said this"
    return f"{line(each.does)}; {said}"


def _section(heading: str, lines: list[str] | tuple[str, ...]) -> Iterator[str]:
    if lines:
        yield heading
        yield from (f"- {line}" for line in lines)
