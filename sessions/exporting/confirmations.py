"""Build the dataset: one row per card, with everything relevant to the decision and what followed.

Exporting the same sessions again gives exactly the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sessions.events import (
    ContextAssembled,
    CustomerSaid,
    Labelled,
    Logged,
    Reviewed,
    Scored,
    SessionStarted,
)
from sessions.exporting import attention, recorded
from sessions.exporting.recorded import MadeRow
from sessions.json_strings import map_strings
from sessions.store.forking import count_inherited
from sessions.store.store import Store
from sessions.views.attention import CheckRow
from sessions.views.cards import DecisionRow, decision_rows
from sessions.views.labels import labels_by_place
from sessions.views.writes import WriteCard

Row = dict[str, Any]
"""One card as a JSON object with its keys in a fixed order."""

REMEMBERED = 20_000
"""The number of cached texts in an export; they take some tens of megabytes."""

AnyRow = DecisionRow | CheckRow | MadeRow
"""The sources of a row: a card that was shown, an attention check, or a card made afterwards."""


def rows(
    store: Store,
    sessions: Iterable[str] | None = None,
    *,
    redact: Callable[[str], str] | None = None,
) -> Iterator[Row]:
    """Yield one row per card of these sessions, or of all sessions, oldest first.

    Only one session is in memory at a time. ``redact`` is applied to every text in every row.
    Raises StoreError.
    """
    if sessions is None:
        sessions = [each.id for each in reversed(store.sessions())]
    for session in sessions:
        for row in rows_of(store.read(session)):
            yield map_strings(row, redact) if redact else row


def rows_of(events: Sequence[Logged], made: Iterable[WriteCard] = ()) -> Iterator[Row]:
    """Yield the rows of one session in the order in which its cards were shown; checks are marked.

    ``made`` holds the cards made afterwards for writes that no one was asked about. In a fork,
    cards that were settled before it belong to the parent; a card that was decided after it is the
    fork's.
    """
    shared, labels = count_inherited(events), labels_by_place(events)
    cards = [row for row in decision_rows(events) if (row.decided or row.shown).seq > shared]
    found: list[AnyRow] = [
        *cards, *attention.own_checks(events), *recorded.rows_made_afterwards(events, made)
    ]  # fmt: skip
    for row in sorted(found, key=lambda row: row.shown.seq):
        yield _row(events, row, labels.get(("card", row.card.id), ()))


def _row(events: Sequence[Logged], row: AnyRow, labels: Sequence[Labelled]) -> Row:
    started = events[0].event
    assert isinstance(started, SessionStarted)
    card, made = row.card, isinstance(row, MadeRow)
    return {
        "session": row.shown.session,
        "seq": row.shown.seq,
        "turn": row.turn,
        "origin": "recorded" if made else "live",
        "shown_at": None if made else row.shown.at,
        "domain": started.domain,
        "source": started.source,
        "scenario": started.scenario,
        "model": row.model,
        "policy_digest": started.policy_digest,
        "tools_digest": started.tools_digest,
        "call": _call(card.tool, card.arguments),
        "card": {
            "id": card.id,
            "sentence": card.sentence,
            "asked": list(card.asked),
            "stays": list(card.stays),
            "closes": list(card.closes),
            "removed": list(card.removed),
            "non_ascii": list(card.non_ascii),
            "policy_shown": card.policy_shown,
            "replaces": row.replaces if isinstance(row, DecisionRow) else None,
        },
        "disagreements": [each.model_dump(mode="json") for each in card.disagreements],
        "learned": [each.model_dump(mode="json") for each in card.learned],
        "preconditions": [each.model_dump(mode="json") for each in card.before],
        "effects": list(card.after),
        **_surroundings(row, _words_by_turn(events)),
        **_decision_columns(row),
        **(attention.check_columns(row) if isinstance(row, CheckRow) else attention.TRUE_CARD),
        "labels": [_label(each) for each in labels],
        "reviews": list(_reviews(events, card.id)),
        "outcome": _outcome(events),
        "hashes": {
            "card": None if made else row.shown.hash,
            "decision": _hash_of_decision(row),
            "session": events[-1].hash,
        },
    }


def _decision_columns(row: AnyRow) -> Row:
    match row:
        case DecisionRow():
            return _decision(row)
        case MadeRow():
            return recorded.decision(row)
        case _:
            return attention.decision(row)


def _hash_of_decision(row: AnyRow) -> str | None:
    decided = None if isinstance(row, MadeRow) else row.decided
    return decided.hash if decided else None


def _words_by_turn(events: Sequence[Logged]) -> dict[int, str]:
    return {
        logged.event.turn: logged.event.text
        for logged in events
        if isinstance(logged.event, CustomerSaid)
    }


def _block(context: ContextAssembled, turn: int, words: Mapping[int, str]) -> Row:
    """A block of the context, with the customer's words at its beginning."""
    return {
        "turn": turn,
        "words": words.get(turn),
        "similarity": context.similarity.get(turn),
        "why": context.why(turn),
    }


def _surroundings(row: AnyRow, words: Mapping[int, str]) -> Row:
    """The reflection and the context that the agent was sent before the card."""
    reflection, context = row.reflection, row.context
    return {
        "reflection": reflection
        and {
            "text": reflection.text,
            "policy_lines": list(reflection.policy_lines),
            "call_before": _call(reflection.call_name, reflection.arguments),
        },
        "retrieved": context
        and {
            "retrieval": context.retrieval,
            "everything": context.everything,
            "blocks": context.blocks,
            "sent": [_block(context, turn, words) for turn in context.sent],
            "near_misses": [_block(context, turn, words) for turn in context.near_misses],
        },
    }


def _decision(row: DecisionRow) -> Row:
    """The decision and what it led to; all None if the card was never decided."""
    made, written, following = row.decision, row.written, row.next_card
    return {
        "questions": list(row.questions),
        "decision": made and made.decision,
        "reason": made and made.words,
        "by": made and made.by,
        "time_to_decide_ms": made and made.milliseconds,
        "overrode": made and list(made.overrode),
        "next_call": following and _call(following.tool, following.arguments),
        "consented": row.consented,
        "applied": written and {"result": written.result, "error": written.error},
    }


def _call(name: str, arguments: dict[str, Any]) -> Row:
    return {"name": name, "arguments": arguments}


def _label(label: Labelled) -> Row:
    return {
        "verdict": label.verdict, "tags": list(label.tags), "note": label.note, "by": label.by
    }  # fmt: skip


def _reviews(events: Sequence[Logged], card_id: str) -> Iterator[Row]:
    """Yield the blind reviews of a card, whose authors did not know the decision."""
    for logged in events:
        if isinstance(review := logged.event, Reviewed) and review.card_id == card_id:
            yield {
                "by": review.by, "decision": review.decision, "words": review.words,
                "milliseconds": review.milliseconds, "form": review.form,
            }  # fmt: skip


def _outcome(events: Sequence[Logged]) -> Row | None:
    """The last score of the session; None if it was never scored."""
    for logged in reversed(events):
        if isinstance(logged.event, Scored):
            return logged.event.model_dump(mode="json", exclude={"type", "scenario"})
    return None


def cached(redact: Callable[[str], str]) -> Callable[[str], str]:
    """The same redaction with a cache, as policy and tools appear in every row of an export."""
    return lru_cache(maxsize=REMEMBERED)(redact)
