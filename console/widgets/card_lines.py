"""The lines of a card; every text that the program did not write is quoted and kept on one line.

This also applies to a card from an imported log, or one recorded before this rule existed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content

from console.widgets.plain import MUTED
from domains.text.one_line import LONGEST_LINE, line, quotation
from sessions.events import Card, Disagreement, Precondition

LONGEST_AGAINST = 3
"""The most rows of a line that objects to the change, however large the screen is."""

LONGEST_LEARNED = 5
"""The most rows of such a line if it also says what was learned, from whom and when."""

MOST_LEARNED = 2
"""The most insights that a card shows per check, and on their own; it counts the rest.

A memory may hold thousands of them.
"""

MOST_UNFOLDED = 50
"""The most insights listed on an unfolded card."""

LONGEST_ROW = 68
"""The most characters of an insight on a row of its own; the unfolded card shows all of it."""

LONGEST_BESIDE = 150
"""The most characters of an insight that follows a question."""

MOST_NAMED = 6
"""The most unusual characters that a warning names; it counts the rest."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a card: its leading sign, its words, and their style."""

    sign: str
    words: Content
    style: str = ""
    rows: int = LONGEST_AGAINST
    """The most rows of the line where it is listed among the objections."""

    @property
    def indent(self) -> int:
        """The columns that the sign takes."""
        return 2 if self.sign else 0

    @property
    def is_against(self) -> bool:
        """Whether the line is an objection to the change."""
        return self.sign in ("≠", "✗")


def sentence_line(card: Card) -> CardLine:
    """The sentence that says what is about to happen."""
    return CardLine("", Content.assemble((line(card.sentence), "bold")))


def lines_of_request(card: Card) -> list[CardLine]:
    """The customer's own words that the change responds to; empty if there are none."""
    if not card.asked:
        return []
    said = " ".join(quotation(each) for each in card.asked)
    return [CardLine("", Content.assemble(("You asked: ", MUTED), said))]


def undone_lines(card: Card) -> list[CardLine]:
    """The reason why the change cannot be undone; empty if it can be."""
    if not card.closes:
        return []
    why = "; ".join(line(each) for each in card.closes)
    words = Content.assemble(("Can't be undone: ", "bold"), why)
    return [CardLine("!", words, "$text-warning")]


def against_lines(card: Card) -> list[CardLine]:
    """The objections to the change and what is easily missed in it, most decisive first."""
    lines = [
        *(_disagreement(each) for each in card.disagreements),
        *(_failing(card, each) for each in preconditions_to_show(card) if each.verdict == "fails"),
        *_warnings(card),
    ]
    return [each for place, each in enumerate(lines) if each not in lines[:place]]


def _disagreement(each: Disagreement) -> CardLine:
    who = {"customer": "you said", "agent": "the agent told you", "": "it was said"}[each.by]
    told = f"{who}: {quotation(each.said)}" if each.said else "nobody said this"
    return CardLine("≠", Content(f"{line(each.does)}; {told}"), "$text-error")


def _failing(card: Card, each: Precondition) -> CardLine:
    """A failing check; what was learned about it follows, but does not change its ✗.

    A mark before it says that something was learned, in case the line is cut.
    """
    learned = _learned_suffix(card, each)
    by = len(card.relaxing_texts_for(each.name))
    mark = " (learned otherwise)" if by == 1 else f" (learned otherwise by {by:,} entries)"
    told = f"{line(each.name)}{mark if by else ''}{_read(each)}{learned}"
    rows = LONGEST_LEARNED if learned else LONGEST_AGAINST
    return CardLine("✗", Content(told), "$text-error", rows)


def _warnings(card: Card) -> Iterator[CardLine]:
    if card.struck:
        claims = ", ".join(quotation(each, 40) for each in card.unsupported)
        struck = quotation(card.struck)
        yield _warning(f"Struck, because the records do not support {claims}: {struck}")
    unseen = [each for each in card.non_ascii if each.startswith("U+")]
    letters = [each for each in card.non_ascii if not each.startswith("U+")]
    if letters:
        yield _warning(f"Letters that may look like others: {_first(letters)}")
    if unseen:
        yield _warning(f"Characters that cannot be seen: {_first(unseen)}")
    if card.removed:
        yield _warning(f"Hidden characters were taken out of the call: {_first(card.removed)}")


def _warning(words: str) -> CardLine:
    return CardLine("!", Content(words), "$text-warning")


def _first(found: list[str] | tuple[str, ...]) -> str:
    more = f" and {len(found) - MOST_NAMED:,} more" if len(found) > MOST_NAMED else ""
    return f"{', '.join(line(each) for each in found[:MOST_NAMED])}{more}"


def question_lines(card: Card) -> list[CardLine]:
    """The questions only the user can answer, with what the user said about each.

    Questions with something learned about them come first, so that they are seen.
    """
    asked = [each for each in preconditions_to_show(card) if each.verdict == "judge"]
    asked.sort(key=lambda each: not card.relaxing_texts_for(each.name))
    return [_question(card, each) for each in asked]


def lines_of_learned(card: Card) -> list[CardLine]:
    """What was learned that belongs to no check of the card, for the user to judge.

    One row each, at most MOST_LEARNED.
    """
    learned = _learned_to_judge(card)[:MOST_LEARNED]
    return [CardLine("?", Content(line(each, LONGEST_ROW)), "$text-accent") for each in learned]


def lines_of_all_learned(card: Card) -> list[CardLine]:
    """Everything that was learned, in full; empty if the folded card already shows all of it."""
    found = [each for each in card.learned if card.policy_shown]
    if len(found) <= 1 and all(len(each.told) <= LONGEST_ROW for each in found):
        return []
    lines = [
        CardLine(
            "·", Content(f"{line(each.check) or 'no check'}: {line(each.told)}"), "$text-accent"
        )
        for each in found[:MOST_UNFOLDED]
    ]
    if len(found) > MOST_UNFOLDED:
        more = f"and {len(found) - MOST_UNFOLDED:,} more: saber memory list has them"
        lines.append(CardLine("", Content(more), MUTED))
    return lines


def number_learned_folded(card: Card) -> int:
    """How many insights for the user to judge have no row of their own."""
    return max(0, len(_learned_to_judge(card)) - MOST_LEARNED)


def _learned_to_judge(card: Card) -> tuple[str, ...]:
    return card.standalone_learned if card.policy_shown else ()


def _question(card: Card, each: Precondition) -> CardLine:
    # also if the head quotes the same words: on a small screen it is cut
    said = " ".join(quotation(words) for words in each.said)
    beside = f"you said: {said}" if said else "nothing was said about this"
    told = f" · {beside}{_learned_suffix(card, each, LONGEST_BESIDE)}"
    return CardLine("?", Content.assemble(line(each.name), (told, MUTED)), "$text-accent")


def after_lines(card: Card) -> list[CardLine]:
    """What will be different after the change."""
    return [CardLine("→", Content(line(each))) for each in card.after]


def stays_lines(card: Card) -> list[CardLine]:
    """What a change that can be made only once leaves unchanged."""
    return [CardLine("=", Content(line(each))) for each in card.stays]


def holding_lines(card: Card) -> list[CardLine]:
    """The checks that pass, each with the value that was read."""
    return [
        CardLine(
            "✓",
            Content.assemble(line(each.name), (_read(each) + _learned_suffix(card, each), MUTED)),
            "$text-success",
        )
        for each in preconditions_to_show(card)
        if each.verdict == "holds"
    ]


def _read(each: Precondition) -> str:
    return f" · {line(each.value)}" if each.value else ""


def _learned_suffix(card: Card, each: Precondition, longest: int = LONGEST_LINE) -> str:
    found = card.relaxing_texts_for(each.name)
    told = "; ".join(line(one, longest) for one in found[:MOST_LEARNED])
    more = f"; and {len(found) - MOST_LEARNED:,} more (x)" if len(found) > MOST_LEARNED else ""
    return f" · {told}{more}" if told else ""


def preconditions_to_show(card: Card) -> tuple[Precondition, ...]:
    """The preconditions to show on this card; a setting can hide those of the policy."""
    return tuple(each for each in card.before if card.policy_shown or each.source == "tool")
