"""Export preference pairs in TRL's conversational format: a declined and an approved call.

Both calls answer the same conversation on the same records: no change was carried out between them,
and the customer said nothing except the words on the declined card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from domains.core.domain import Domain
from sessions.events import Card, Logged
from sessions.exporting.attention import leave_out
from sessions.exporting.confirmations import Row
from sessions.exporting.messages import Message, as_object, messages, tool_call
from sessions.exporting.steps import Step, conversation_steps
from sessions.store.forking import count_inherited
from sessions.views.cards import DecisionRow, decision_rows

UNPAIRED = "declined changes after which none was approved in the same state"
SAME = "declined changes that were approved unaltered afterwards"
_DECLINING = ("reject", "change")


def rows_of(log: Sequence[Logged], domain: Domain, left_out: Counter[str]) -> Iterator[Row]:
    """Yield one row for each declined change of a session that was followed by an approved one."""
    story, cards, shared = list(conversation_steps(log)), decision_rows(log), count_inherited(log)
    leave_out(log, left_out)
    for place, card in enumerate(cards):
        if not _is_declined(card):
            continue
        approved = _next_approval(cards[place + 1 :], card)
        if _settling_seq(approved or card) <= shared:
            continue  # the pair belongs to the parent session
        if approved is None:
            left_out[UNPAIRED] += 1
        elif _call(approved.card) == _call(card.card):
            left_out[SAME] += 1
        else:
            yield _row(log, domain, story, card, approved)


def _settling_seq(row: DecisionRow) -> int:
    return (row.decided or row.shown).seq


def _is_declined(row: DecisionRow) -> bool:
    """Whether the customer declined the change, by *reject* or *change*.

    A withdrawn change, or one that no one was asked about, expresses no preference.
    """
    return row.decision is not None and row.decision.decision in _DECLINING


def _next_approval(later: Sequence[DecisionRow], declined: DecisionRow) -> DecisionRow | None:
    """The next change that ran, if the customer approved it in the same turn; otherwise None."""
    for row in later:
        made = row.decision
        if row.turn != declined.turn or made is None or made.by in ("auto", "rule"):
            return None
        if row.written is not None:
            return None if row.written.error else row
    return None


def _row(
    log: Sequence[Logged],
    domain: Domain,
    story: Sequence[Step],
    declined: DecisionRow,
    approved: DecisionRow,
) -> Row:
    before = [each for each in story if each.seq < declined.shown.seq]
    made = declined.decision
    assert made is not None
    return {
        "prompt": messages(domain.policy, before, as_object),
        "chosen": [_proposal(approved.card)],
        "rejected": [_proposal(declined.card)],
        "tools": domain.tools.schemas,
        "reason": made.words,
        "by": made.by,
        "session": log[0].session,
        "seq": declined.shown.seq,
    }


def _proposal(card: Card) -> Message:
    call = tool_call(card.call_id, card.tool, card.arguments, as_object)
    return {"role": "assistant", "content": "", "tool_calls": [call]}


def _call(card: Card) -> tuple[str, object]:
    return card.tool, card.arguments
