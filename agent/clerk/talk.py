"""The conversation so far: requests, what was asked last, and what came of each proposal."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.clerk.identity import Identity
from agent.clerk.memory import Asked, Memory
from agent.clerk.requests import ACTIONS, Intent, Request, Said, Thing
from agent.clerk.revising import inherit
from agent.clerk.steps import Answer, Ask, Call

ABOUT_ORDERS = {Intent.STATUS, Intent.TRACKING, Intent.TOTAL, Intent.ITEM, Intent.REFUND}
ABOUT_PRODUCTS = {Intent.OPTIONS, Intent.COUNT, Intent.ITEM}


@dataclass
class Talk:
    """All that the clerk makes of the messages; rebuilt from them for every answer."""

    names: tuple[str, ...] = ()
    memory: Memory = field(default_factory=Memory)
    identity: Identity = field(default_factory=Identity)
    requests: list[Request] = field(default_factory=list)
    ask: Ask | None = None
    about: Request | None = None
    """The request that the last question or the last declined proposal was about."""

    declined: bool = False
    proposals: dict[str, tuple[Asked, Request | None, tuple[Thing, ...]]] = field(
        default_factory=dict
    )
    last: Said | None = None
    repeats: int = 0
    """How often the question that is open was asked before, in a row."""

    fresh: bool = False
    """Whether the last message asked for something new."""

    heard: int = 0
    """How many messages the customer has typed."""

    misses: int = 0
    """How many messages in a row were not understood."""

    noted: bool = False
    """Whether the last message told something of the request at hand."""

    unclear: bool = False
    farewell: bool = False
    handed_over: bool = False
    asked_human: bool = False
    introducing: bool = False
    """Whether the last message came before the account was found."""

    puzzled: bool = False
    """Whether anything the customer said was not understood."""

    second_customer: bool = False
    focus: str | None = None
    """The order that was spoken of last."""

    unwanted: set[str] = field(default_factory=set)
    """Calls that were declined and not asked for again."""

    changes: list[Asked] = field(default_factory=list)
    """Writes that were carried out."""

    @property
    def open(self) -> list[Request]:
        """Requests that are not settled."""
        return [each for each in self.requests if not each.closed]

    def propose(self, asked: Asked, step: Call | Answer) -> None:
        """Note that the assistant called a tool, and which request that call settles."""
        request: Request | None = None
        things: tuple[Thing, ...] = ()
        if isinstance(step, Call) and step.name == asked.name:
            request, things = step.request, step.things
        if request is None:
            request = next((r for r in self.open if asked.name in _TOOLS.get(r.intent, ())), None)
        self.proposals[asked.id] = (asked, request, things)
        for other in self.open:
            if any(each is request for each in other.otherwise):
                self._close(other, "refused")
        self.focus = str(asked.arguments.get("order_id") or "") or self.focus

    def decline(self, call_id: str) -> None:
        """The customer did not approve: the proposal waits for what should be different."""
        request = self._meant(call_id)
        if call_id in self.proposals:
            self.unwanted.add(self.proposals[call_id][0].key)
        self.about, self.declined, self.ask = request, True, None
        if request is not None:
            request.wait = "revise"

    def _meant(self, call_id: str) -> Request | None:
        found = self.proposals.get(call_id)
        return found[1] if found else None

    def carry_out(self, call_id: str) -> None:
        """A write was carried out: what it was for is done."""
        found = self.proposals.get(call_id)
        if found is None:
            return
        asked, request, things = found
        self.changes.append(asked)
        if request is None:
            return
        request.written.append(
            str(asked.arguments.get("order_id") or asked.arguments.get("user_id"))
        )
        for thing in things or request.things:
            thing.settled = not thing.every

    def failed(self, call_id: str, text: str) -> None:
        """The tool itself refused a write: its request is told so, and not tried again as it is."""
        request = self._meant(call_id)
        if request is not None:
            request.wait = text

    def said(self, step: Call | Answer, text: str) -> None:
        """The assistant spoke: what its words settle is settled, what they ask is being asked."""
        self.declined = False
        if isinstance(step, Call):
            self.ask = self.about = None
            for request in self.open:
                if request.intent not in ACTIONS | {Intent.TRANSFER}:
                    request.closed, request.outcome = True, "answered"
            return
        for request, outcome in step.told:
            self._close(request, outcome)
        before = self.ask.text if self.ask else ""
        again = step.ask is not None and step.ask.text == before and not self.fresh
        self.repeats = self.repeats + 1 if again else 0
        self.puzzled |= self.repeats > 0
        self.ask = step.ask
        self.about = step.ask.request if step.ask else None
        self.focus = step.order_id or self.focus

    def _close(self, request: Request, outcome: str) -> None:
        request.closed, request.outcome = True, outcome
        if outcome != "refused" or not request.otherwise:
            return
        place = next(
            (n for n, each in enumerate(self.requests) if each is request), len(self.requests)
        )
        self.requests[place + 1 : place + 1] = [
            inherit(each, request) for each in request.otherwise
        ]
        request.otherwise = []


_TOOLS: dict[Intent | None, tuple[str, ...]] = {
    Intent.CANCEL: ("cancel_pending_order",),
    Intent.RETURN: ("return_delivered_order_items",),
    Intent.SWAP: ("exchange_delivered_order_items", "modify_pending_order_items"),
    Intent.ORDER_ADDRESS: ("modify_pending_order_address",),
    Intent.USER_ADDRESS: ("modify_user_address",),
    Intent.PAYMENT: ("modify_pending_order_payment",),
}
