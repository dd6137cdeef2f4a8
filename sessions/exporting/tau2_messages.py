"""Write a session as τ²-bench messages in which every call can be repeated.

τ²-bench's evaluator repeats each call and compares the results, so a call is written as one only if
it gives the same result here. A declined change never is, because the evaluator would carry it out.
Calls of one answer share a message and are followed by their results. Anything without a message of
its own goes into the ``raw_data`` of a message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from domains.core.domain import Domain
from domains.core.tool import ToolCall
from sessions.exporting.confirmations import Row
from sessions.exporting.replaying import Replayed
from sessions.exporting.steps import CallRun, Declined, Step, Words

NOT_REPEATED = (
    "calls that return a different text when made again, kept in raw_data beside the messages"
)


def messages_of(story: Iterable[Step], domain: Domain, left_out: Counter[str]) -> Iterator[Row]:
    """Yield the messages in order; calls that could not be repeated are counted as left out."""
    again, aside = Replayed(domain), list[Row]()
    waiting: list[Row] = []
    answer: int | None = None
    for each in story:
        made = _messages_of(each, again, aside)
        if made is None:
            if isinstance(each, CallRun):
                left_out[NOT_REPEATED] += 1
            continue
        at_once = isinstance(each, CallRun) and each.answer == answer
        answer = each.answer if isinstance(each, CallRun) else None
        if at_once:
            _join(waiting, made)
            _stand_beside(aside, waiting[0])
            continue
        yield from waiting
        _stand_beside(aside, made[0])
        waiting = made
    if waiting:
        _stand_beside(aside, waiting[-1])
    yield from waiting


def _join(messages: list[Row], more: list[Row]) -> None:
    """Add a call and its result to the calls of the same answer."""
    asked, back = more
    messages[0]["tool_calls"] += asked["tool_calls"]
    _stand_beside(asked.get("raw_data", {}).get("saber", []), messages[0])
    messages.append(back)


def _stand_beside(aside: list[Row], message: Row) -> None:
    if aside:
        message.setdefault("raw_data", {}).setdefault("saber", []).extend(aside)
        aside.clear()


def _messages_of(each: Step, again: Replayed, aside: list[Row]) -> list[Row] | None:
    """The messages for one step of the story; None if it goes into the ``raw_data`` of others."""
    match each:
        case Words():
            role = "user" if each.who == "customer" else "assistant"
            return [{"role": role, "content": each.text, "timestamp": each.at}]
        case Declined():
            aside.append(_decline_message(each))
            words = each.decision.words
            return [{"role": "user", "content": words, "timestamp": each.at}] if words else None
        case CallRun():
            if not again.repeat_and_compare(ToolCall(each.name, each.arguments), each.text):
                aside.append({"not_repeated": _call(each), "result": each.text})
                return None
            return _exchange(each)


def _exchange(ran: CallRun) -> list[Row]:
    call = {"id": f"c{ran.seq}", **_call(ran), "requestor": "assistant"}
    asked: Row = {"role": "assistant", "content": None, "tool_calls": [call],
                  "timestamp": ran.asked_at or ran.at}  # fmt: skip
    if ran.decision is not None:
        made = ran.decision
        consent = {"call": call["id"], "approved_by": made.by, "milliseconds": made.milliseconds}
        asked["raw_data"] = {"saber": [consent]}
    back = {"role": "tool", "id": call["id"], "content": ran.text, "requestor": "assistant",
            "error": ran.error, "timestamp": ran.at}  # fmt: skip
    return [asked, back]


def _decline_message(each: Declined) -> Row:
    card, made = each.card, each.decision
    return {
        "declined": {"name": card.tool, "arguments": card.arguments},
        "sentence": card.sentence,
        "decision": made.decision,
        "words": made.words,
        "by": made.by,
        "milliseconds": made.milliseconds,
    }


def _call(ran: CallRun) -> dict[str, Any]:
    return {"name": ran.name, "arguments": ran.arguments}
