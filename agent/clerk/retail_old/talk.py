"""The conversation of the retail clerk: a dialogue about orders and their items."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.clerk.dialogue import Dialogue
from agent.clerk.identity import Identity
from agent.clerk.remembering import Asked
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.requests import ACTIONS, Intent, Request, Said, Thing
from agent.clerk.retail.revising import inherit

ABOUT_ORDERS = {Intent.STATUS, Intent.TRACKING, Intent.TOTAL, Intent.ITEM, Intent.REFUND}
ABOUT_PRODUCTS = {Intent.OPTIONS, Intent.COUNT, Intent.ITEM}


@dataclass
class Talk(Dialogue[Request, Memory]):
    """All that the retail clerk makes of the messages."""

    memory: Memory = field(default_factory=Memory)
    names: tuple[str, ...] = ()
    """Product names in any result."""

    identity: Identity = field(default_factory=Identity)
    last: Said | None = None
    second_customer: bool = False

    def changes_records(self, request: Request) -> bool:
        """Whether a request is for a change or a hand-over, not for an answer."""
        return request.intent in ACTIONS | {Intent.TRANSFER}

    def tools_of(self, request: Request) -> tuple[str, ...]:
        """The writes that can carry a request out."""
        return _TOOLS.get(request.intent, ())

    def subject_of(self, asked: Asked) -> str:
        """The id of the order that a call is about, or nothing."""
        return str(asked.arguments.get("order_id") or "")

    def done(self, request: Request, asked: Asked, things: tuple[Thing, ...]) -> None:
        """Note on a request that a write for it was carried out."""
        request.written.append(
            str(asked.arguments.get("order_id") or asked.arguments.get("user_id"))
        )
        for thing in things or request.things:
            thing.settled = not thing.every

    def instead_of(self, request: Request) -> list[Request]:
        """What a request that was refused leaves to be done in its place."""
        return [inherit(each, request) for each in request.otherwise]


_TOOLS: dict[Intent | None, tuple[str, ...]] = {
    Intent.CANCEL: ("cancel_pending_order",),
    Intent.RETURN: ("return_delivered_order_items",),
    Intent.SWAP: ("exchange_delivered_order_items", "modify_pending_order_items"),
    Intent.ORDER_ADDRESS: ("modify_pending_order_address",),
    Intent.USER_ADDRESS: ("modify_user_address",),
    Intent.PAYMENT: ("modify_pending_order_payment",),
}
