"""Cancelling a pending order: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import (
    Arguments,
    Check,
    Effect,
    Finding,
    Question,
    Tool,
    ToolError,
    WriteDeclaration,
    writes,
)
from domains.retail import checks, effects, evidence, money, store, wording
from domains.retail.look_ups import OrderId
from domains.retail.quirks import CORRECT, Quirks
from domains.text.one_line import LONGEST_VALUE, quotation

REASONS = frozenset({"no longer needed", "ordered by mistake"})

ABOUT_THE_REASON = (
    *("reason", "because", "no longer need", "no longer needed", "don't need", "not need"),
    *("not needed", "mistake", "accident"),
    *("wrong", "changed my mind", "too expensive", "cheaper", "too long", "duplicate"),
)


def tool(quirks: Quirks) -> Tool:
    """The tool ``cancel_pending_order``."""

    @writes(_notes(quirks))
    def cancel_pending_order(
        draft: Draft,
        order_id: OrderId,
        reason: Annotated[
            Literal["no longer needed", "ordered by mistake"], "Why; one of the two allowed."
        ],
    ) -> Record:
        """Cancel an order that is still pending and refund what was paid for it.

        Gift cards are refunded at once, other methods within 5 to 7 business days. The customer
        must have confirmed the order and the reason beforehand.
        """
        if store.get_order(draft, order_id)["status"] != "pending":
            raise ToolError("Non-pending order cannot be cancelled")
        if reason not in REASONS:
            raise ToolError("Invalid reason")
        order = draft.edit("orders", order_id)
        for method_id, amount in quirks.refunds(order["payment_history"]):
            money.move(draft, order, "refund", method_id, amount)
        order["status"] = "cancelled"
        order["cancel_reason"] = reason
        return order

    return cancel_pending_order


def _notes(quirks: Quirks) -> WriteDeclaration:
    def refundable(draft: Draft, arguments: Arguments) -> Finding:
        user = checks.owner_of(draft, arguments)
        due = quirks.refunds(checks.order_of(draft, arguments)["payment_history"])
        for method_id, _ in due:
            store.get_payment_method(draft, user["user_id"], method_id)
        return Finding(True, _refunds(user, due))

    def whole(draft: Draft, arguments: Arguments) -> Finding:
        history = checks.order_of(draft, arguments)["payment_history"]
        paid = sum(amount for _, amount in CORRECT.refunds(history))
        back = sum(amount for _, amount in quirks.refunds(history))
        same = round(paid, 2) == round(back, 2)
        return Finding(same, f"{wording.money(paid)} paid, {wording.money(back)} back")

    def sentence(draft: Draft, arguments: Arguments) -> str:
        order, user = checks.order_of(draft, arguments), checks.owner_of(draft, arguments)
        items = wording.listing([wording.item(each) for each in order["items"]])
        refunds = _refunds(user, quirks.refunds(order["payment_history"]))
        return (
            f"Cancel {wording.order(order)} with the {items}, "
            f"reason: {wording.value(arguments['reason'])}; {refunds}."
        )

    return WriteDeclaration(
        sentence=sentence,
        effects=_effects,
        checks=(
            checks.status_is("pending"),
            Check("The reason is one of the two that the policy allows", "tool", _reason),
            Check("What was paid can be refunded to where it came from", "tool", refundable),
            Check("The refund equals everything that was paid", "policy", whole),
        ),
        questions=_questions,
        closes=lambda *_: ("this order can no longer be changed or restored",),
        guards=evidence.OF_ORDER,
    )


def _questions(draft: Draft, arguments: Arguments) -> Iterator[Question]:
    reason = quotation(arguments["reason"], LONGEST_VALUE)
    text = f"Is {reason} really your reason? The policy allows only two reasons."
    yield Question(text, ABOUT_THE_REASON, decisive=True)


def _reason(draft: Draft, arguments: Arguments) -> Finding:
    reason = arguments["reason"]
    return Finding(reason in REASONS, wording.value(reason))


def _refunds(user: Record, due: list[tuple[str, float]]) -> str:
    if not due:
        return "nothing to refund"
    back = [
        f"{wording.money(amount)} back to {wording.by_method(user, method_id)}"
        for method_id, amount in due
    ]
    return wording.listing(back)


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        *effects.status(changes),
        *(
            Effect(f"reason on file: {wording.value(after['cancel_reason'])}", ("cancel_reason",))
            for _, _, after in effects.changed_records(changes, "orders")
        ),
        *effects.payments(draft, changes),
        *effects.gift_cards(changes),
    ]
