"""A domain of two orders, and logs written by hand, for tests of what reads a log."""

from __future__ import annotations

from typing import Any

from domains.core.changes import patch_of
from domains.core.consent import Consent, call_digest
from domains.core.domain import Domain, Role, Scenario
from domains.core.draft import Draft
from domains.core.records import Base, Records
from domains.core.tool import ToolCall, ToolError, Toolset, WriteDeclaration, generic, reads, writes
from sessions.events import (
    AnyEvent,
    Card,
    CardShown,
    ConsentUsed,
    DecisionMade,
    Logged,
    Precondition,
    Safeguards,
    SessionStarted,
    WriteApplied,
)

SESSION = "01M7YW8AX11W8CW9JXAVKHNCHM"
CANCEL = ToolCall("cancel", {"order_id": "#W1"})


def _look(draft: Draft, order_id: str) -> dict[str, Any]:
    order = draft.get("orders", order_id)
    if order is None:
        raise ToolError("Order not found")
    return order


def find_user_id_by_email(draft: Draft, email: str) -> str:
    return "ann_1"


def get_order(draft: Draft, order_id: str) -> dict[str, Any]:
    return _look(draft, order_id)


def cancel(draft: Draft, order_id: str) -> dict[str, Any]:
    _look(draft, order_id)
    order = draft.edit("orders", order_id)
    order["status"] = "cancelled"
    order["reason"] = "asked"
    return order


def add_item(draft: Draft, order_id: str, item: str) -> dict[str, Any]:
    order = draft.edit("orders", order_id)
    order["items"].append(item)
    if not item:
        raise ToolError("Item not found")
    return order


def set_total(draft: Draft, order_id: str, total: float) -> dict[str, Any]:
    order = draft.edit("orders", order_id)
    order["total"] = total
    return order


def transfer_to_human_agents(draft: Draft, summary: str) -> str:
    return "Transfer successful"


_NOTES = WriteDeclaration(
    sentence=lambda draft, arguments: f"Change {arguments['order_id']}.",
    effects=lambda draft, arguments, changes: [],
)
TOOLS = Toolset(
    "ToyTools",
    (
        reads(find_user_id_by_email),
        reads(get_order),
        writes(_NOTES)(cancel),
        writes(_NOTES)(add_item),
        writes(_NOTES)(set_total),
        generic(transfer_to_human_agents),
    ),
)


def order(status: str = "pending") -> dict[str, Any]:
    return {"status": status, "items": ["mug"], "total": 12.5}


def toy(**orders: dict[str, Any]) -> Domain:
    base = Base({"orders": {"#W1": order(), "#W2": order("delivered"), **orders}}, "two orders")
    return Domain("toy", "A toy", "# Policy", TOOLS, base, lambda *_: [], lambda *_: None)


def scenario(*ends: tuple[ToolCall, ...], **more: Any) -> Scenario:
    return Scenario("one", "One", Role("Ann"), ends, **more)


def started(on: Domain | None = None, **more: Any) -> SessionStarted:
    fields: dict[str, Any] = {
        "domain": "toy",
        "source": "two orders",
        "model": "clerk",
        "safeguards": Safeguards(),
        "program": "1",
        "policy_digest": "p",
        "tools_digest": "t",
        "records_digest": on.records().digest if on else "r",
    }
    return SessionStarted(**{**fields, **more})


def log_of(*events: AnyEvent) -> list[Logged]:
    return [
        Logged(
            session=SESSION, seq=seq, at=f"2026-11-21T12:00:{seq:02}", event=event, hash=f"{seq}"
        )
        for seq, event in enumerate(events, 1)
    ]


def card(card_id: str, call: ToolCall = CANCEL, call_id: str = "c1") -> Card:
    return Card(
        id=card_id,
        call_id=call_id,
        tool=call.name,
        arguments=dict(call.arguments),
        sentence="Cancel order #W1.",
        before=(Precondition(name="order is pending", source="tool", verdict="holds"),),
        after=("order #W1: pending → cancelled",),
        closes=("It cannot be taken back.",),
        call_digest=call_digest(call),
        state_digest="s",
    )


def shown(card_id: str, call: ToolCall = CANCEL, replaces: str | None = None) -> CardShown:
    return CardShown(card=card(card_id, call), words_digest="w", replaces=replaces)


def decided(card_id: str, decision: str, words: str = "", by: str = "person") -> DecisionMade:
    return DecisionMade.model_validate(
        {"card_id": card_id, "decision": decision, "words": words, "by": by, "milliseconds": 900}
    )


def used(card_id: str) -> ConsentUsed:
    return ConsentUsed(card_id=card_id, seal="s")


def applied(records: Records, card_id: str, call: ToolCall = CANCEL) -> WriteApplied:
    preview = records.preview(call)
    done = records.apply(call, Consent(card_id, call_digest(call), preview.state, "w"))
    return WriteApplied(
        card_id=card_id,
        call_id="c1",
        name=call.name,
        arguments=dict(call.arguments),
        result=done.result.text,
        error=done.result.error,
        patch=patch_of(done.changes),
        records_digest=done.digest,
    )
