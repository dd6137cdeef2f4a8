"""Changes with their cards, as lines for a terminal and as objects for another program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from domains.text.quantity import quantity
from sessions.cleaning import clean
from sessions.events import Card, Disagreement, Precondition
from sessions.scoring.card_calls import VERDICT_EXPLANATION, CallVerdict, Verdict
from sessions.statistics.evidence import JudgedCard, SessionEvidence

VERDICTS: dict[Verdict, str] = {
    "right": "right",
    "wrong": "wrong",
    "against the policy": "expected by the task, but against the policy",
    "not decidable": "not decidable",
}
"""The verdicts in words."""

_MARKS = {"holds": "✓", "fails": "✗", "judge": "?"}

LONGEST = 160
"""Longest call on its line, in characters."""


def session_lines(session: SessionEvidence) -> Iterator[str]:
    """Yield the changes of one session, each followed by what its card says."""
    facts = session.facts
    played = f" · {facts.scenario}" if facts.scenario else ""
    yield _line(f"{facts.session}  {facts.domain} · {facts.model}{played}")
    for each in session.cards:
        made = " · card made afterwards" if each.origin == "recorded" else ""
        yield _line(f"  event {each.seq}: {each.card.sentence}")
        yield _line(f"        {call_line(each.card)}")
        yield _line(f"        {verdict_words(each.verdict)}{made}")
        yield from (f"        {_line(line)}" for line in card_lines(each.card))


def card_lines(card: Card) -> Iterator[str]:
    """Yield what argues against the change, then what has to be judged, then what holds."""
    for verdict in ("fails", "disagrees", "judge", "holds"):
        if verdict == "disagrees":
            yield from map(_disagreement, card.disagreements)
        if verdict == "judge":
            yield from (f"? {each}" for each in card.standalone_learned)
        yield from (_check(card, each) for each in card.before if each.verdict == verdict)


def call_line(card: Card) -> str:
    """A call on one line, cut if it is long."""
    given = (
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in card.arguments.items()
    )
    text = _line(f"{card.tool}({', '.join(given)})")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def verdict_words(found: CallVerdict) -> str:
    """A verdict in words, with the policy's rules that an expected call breaks."""
    rules = f": ✗ {'; ✗ '.join(found.rules)}" if found.rules else ""
    return f"{VERDICTS[found.verdict]}{rules}"


def summary_lines(sessions: Sequence[SessionEvidence]) -> Iterator[str]:
    """Yield how many changes have each verdict, and what the verdicts rest on."""
    cards = [each for session in sessions for each in session.cards]
    counts = Counter(each.verdict.verdict for each in cards)
    told = "; ".join(f"{counts[each]} {words}" for each, words in VERDICTS.items())
    yield f"{quantity(len(cards), 'change')}: {told}."
    yield VERDICT_EXPLANATION


def as_object(session: SessionEvidence, judged: JudgedCard) -> dict[str, Any]:
    """A change with its card, for another program to read."""
    facts, card = session.facts, judged.card
    return {
        "session": facts.session,
        "seq": judged.seq,
        "domain": facts.domain,
        "model": facts.model,
        "scenario": facts.scenario,
        "origin": judged.origin,
        "card_id": card.id,
        "call": {"name": card.tool, "arguments": card.arguments},
        "sentence": card.sentence,
        "verdict": judged.verdict.verdict,
        "rules": list(judged.verdict.rules),
        "lines": [each.model_dump(mode="json") for each in card.before],
        "learned": [each.model_dump(mode="json") for each in card.learned],
        "disagreements": [each.model_dump(mode="json") for each in card.disagreements],
        "effects": list(card.after),
        "reviews": [each.model_dump(mode="json", exclude={"type"}) for each in judged.reviews],
    }


def _check(card: Card, each: Precondition) -> str:
    said = f" · “{each.said[0]}”" if each.said else ""
    value = f" · {each.value}" if each.value else ""
    learned = card.relaxing_text_for(each.name)
    beside = f" · {learned}" if learned else ""
    return f"{_MARKS[each.verdict]} {each.name}{value}{said}{beside}"


def _disagreement(each: Disagreement) -> str:
    who = f"the {each.by} said " if each.by else ""
    said = f" · {who}“{each.said}”" if each.said else " · appears in nothing that was said or read"
    return f"≠ {each.kind}: {each.does}{said}"


def _line(text: str) -> str:
    """Untrusted text as one line, so that no part of it can pass for a line of ours."""
    return clean(text).replace("\n", " ").replace("\t", " ")
