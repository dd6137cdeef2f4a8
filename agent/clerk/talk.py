"""The conversation so far: requests, what was asked last, and what came of each proposal."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.clerk.identity import Identity
from agent.clerk.language import pattern
from agent.clerk.memory import Asked, Memory
from agent.clerk.requests import ACTIONS, Intent, Request, Said, Thing
from agent.clerk.revising import answer, inherit, mends
from agent.clerk.steps import Answer, Ask, Call
from agent.clerk.understanding import understand

_ABOUT_ORDERS = {Intent.STATUS, Intent.TRACKING, Intent.TOTAL, Intent.ITEM, Intent.REFUND}
_MERGED = {Intent.SWAP, Intent.RETURN}


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
    unclear: bool = False
    farewell: bool = False
    handed_over: bool = False
    asked_human: bool = False
    introducing: bool = False
    """Whether the last message came before the account was found."""

    puzzled: bool = False
    """Whether anything the customer said was not understood."""

    second_customer: bool = False
    focus: tuple[str, str] | None = None
    """Order id and item id that were spoken of last."""

    changes: list[Asked] = field(default_factory=list)
    """Writes that were carried out."""

    @property
    def open(self) -> list[Request]:
        """Requests that are not settled."""
        return [each for each in self.requests if not each.closed]

    def hear(self, text: str) -> None:
        """Take in what the customer typed."""
        said = understand(text, self.names)
        self.last, self.unclear, self.farewell = said, False, False
        self.introducing = self.memory.user is None
        self._notice_others(said)
        self.identity.add(said.identity)
        if self.second_customer and said.requests:
            said.requests = [Request(Intent.OTHER_PERSON, said.text)]
        rest = list(said.requests)
        about = self._addressed(said)
        if about is not None:
            rest = answer(about, said, self.ask if about is self.about else None, self.declined)
        for request in rest:
            self._add(request, said)
        self.farewell = said.nothing and not rest and about is None
        self.unclear = not rest and about is None and not said.nothing and not said.forget
        if self.unclear and self.asked_human and said.yes:
            self._add(Request(Intent.TRANSFER, said.text), said)
        self.puzzled |= self.unclear and self.memory.user is not None and not _only_who(said)
        self.declined = False

    def _notice_others(self, said: Said) -> None:
        """Once a customer is known, another e-mail address is another customer."""
        user = self.memory.user
        if user is None:
            return
        mine = str(user.get("email", "")).lower()
        self.second_customer = any(
            email != mine and email not in self.identity.emails for email in said.identity.emails
        )

    def _addressed(self, said: Said) -> Request | None:
        """The request that a message answers or corrects, if it does."""
        about = self.about if self.about is not None and not self.about.closed else None
        if about is not None:
            return about if mends(about, said, self.ask, self.declined) else None
        return self._reopened(said)

    def _reopened(self, said: Said) -> Request | None:
        """A remark after the answer ("and the other order?") takes up the last request again."""
        loose = said.loose
        if said.requests or not self.requests or said.nothing:
            return None
        if pattern("further").match(said.text) and not self.open:
            return self._asked_again(said)
        if not (loose.orders or loose.things or loose.payments or loose.which or loose.address):
            return None
        last = next((r for r in reversed(self.requests) if r.closed and r.outcome != "done"), None)
        if self.open or last is None:
            return self.open[-1] if self.open else None
        last.closed = False
        return last

    def _asked_again(self, said: Said) -> Request | None:
        """ "and with a screw lid?": the last question once more, with what is different now."""
        last = next((r for r in reversed(self.requests) if r.intent not in ACTIONS), None)
        if last is None or last.intent in {Intent.TRANSFER, Intent.ADVICE}:
            return None
        loose = said.loose
        again = Request(
            last.intent,
            f"{last.text}\n{said.text}",
            loose.orders or list(last.orders),
            loose.which or (None if loose.orders else last.which),
            loose.status or last.status,
            loose.things or list(last.things),
        )
        self.requests.append(again)
        return again

    def _add(self, request: Request, said: Said) -> None:
        """Put a request on the list; items to swap or return go to one already there."""
        if request.intent is Intent.TRANSFER:
            request.wait = "insisted" if self.asked_human or self._stuck() else ""
            self.asked_human = True
        self._resolve_pronouns(request)
        for other in self.open:
            if (
                other.intent is request.intent
                and request.intent in _MERGED
                and _joinable(other, request)
            ):
                other.things += [t for t in request.things if t.wishes or not _known(t, other)]
                other.payments = other.payments or request.payments
                other.orders += [each for each in request.orders if each not in other.orders]
                other.otherwise += request.otherwise
                return
        self.requests.append(request)

    def _stuck(self) -> bool:
        return self.puzzled or any(each.outcome == "refused" for each in self.requests)

    def _resolve_pronouns(self, request: Request) -> None:
        """ "return it": what the message or the conversation spoke of before."""
        if (
            request.intent not in ACTIONS | _ABOUT_ORDERS
            or request.orders
            or request.which not in (None, "same")
        ):
            return
        if request.intent in _ABOUT_ORDERS and not pattern("pointing").search(request.text):
            return
        before = self.requests[-1] if self.requests else None
        if before is not None and not any(thing.noun or thing.item_id for thing in request.things):
            if not request.everything:
                inherit(request, before)

    def propose(self, asked: Asked, step: Call | Answer) -> None:
        """Note that the assistant called a tool, and which request that call settles."""
        request, things = None, ()
        if isinstance(step, Call) and step.name == asked.name:
            request, things = step.request, step.things
        if request is None:
            request = next((r for r in self.open if asked.name in _TOOLS.get(r.intent, ())), None)
        self.proposals[asked.id] = (asked, request, things)

    def decline(self, call_id: str) -> None:
        """The customer did not approve: the proposal waits for what should be different."""
        _, request, _ = self.proposals.get(call_id, (None, None, ()))
        self.about, self.declined, self.ask = request, True, None
        if request is not None:
            request.wait = "revise"

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
        _, request, _ = self.proposals.get(call_id, (None, None, ()))
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
        self.ask = step.ask
        self.about = step.ask.request if step.ask else None

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


def _known(thing: Thing, request: Request) -> bool:
    return any(thing.noun == t.noun and thing.item_id == t.item_id for t in request.things)


def _only_who(said: Said) -> bool:
    return bool(said.identity.emails or said.identity.names or said.identity.zips)


def _joinable(one: Request, other: Request) -> bool:
    return not one.orders or not other.orders or one.orders == other.orders


_TOOLS: dict[Intent | None, tuple[str, ...]] = {
    Intent.CANCEL: ("cancel_pending_order",),
    Intent.RETURN: ("return_delivered_order_items",),
    Intent.SWAP: ("exchange_delivered_order_items", "modify_pending_order_items"),
    Intent.ORDER_ADDRESS: ("modify_pending_order_address",),
    Intent.USER_ADDRESS: ("modify_user_address",),
    Intent.PAYMENT: ("modify_pending_order_payment",),
}
