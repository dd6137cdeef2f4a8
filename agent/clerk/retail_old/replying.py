"""Which part of a message speaks of the request at hand, and which part asks for something else."""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.retail.filling import fill, pays_for
from agent.clerk.retail.language import ordinals, says
from agent.clerk.retail.mentions import things
from agent.clerk.retail.requests import ACTIONS, Intent, Request, Said
from agent.clerk.steps import Ask

_PLACES = {Intent.ORDER_ADDRESS, Intent.USER_ADDRESS}
_ABOUT_ITEMS = ACTIONS | {
    Intent.STATUS,
    Intent.TRACKING,
    Intent.TOTAL,
    Intent.ITEM,
    Intent.OPTIONS,
    Intent.COUNT,
    Intent.REFUND,
}
_WHOLE = {Intent.CANCEL, Intent.PAYMENT, Intent.ORDER_ADDRESS}
"""Requests that are about orders as a whole: a second one of the kind is about another order."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A message in the light of the request that was asked about or declined before it."""

    details: Request
    """Everything it tells of that request."""

    text: str
    """The words of those details; a later line corrects an earlier one."""

    rest: list[Request]
    """What it asks for besides."""

    replaced: bool
    """Whether the first of the rest takes the place of the request at hand."""

    @property
    def ordinals(self) -> list[int]:
        """The choices it points at by number."""
        return ordinals(self.text)


def reply_to(
    about: Request, said: Said, ask: Ask | None, declined: bool, names: tuple[str, ...] = ()
) -> Reply:
    """Part a message: what belongs to the request at hand, and what does not."""
    if about.intent is None and said.requests and said.requests[0].intent in _ABOUT_ITEMS:
        about.intent, about.text = said.requests[0].intent, said.requests[0].text
        about.which = about.which or said.requests[0].which
    if about.intent is None and not said.requests and ask and says("wishlike", said.aside):
        about.intent = Intent.SWAP
    mine = [each for each in said.requests if _belongs(each, about, said, ask, declined)]
    rest = [each for each in said.requests if not any(each is one for one in mine)]
    details = said.loose
    if about.intent is Intent.SWAP and any(thing.noun for thing in details.things):
        lines = said.aside.split("\n")
        details.things = [each for line in lines for each in things(line, Intent.SWAP, names)]
    for each in mine:
        fill(details, each, each.text)
        details.otherwise += each.otherwise
        details.give_up = details.give_up or each.give_up
    text = "\n".join(part for part in (said.aside, *(each.text for each in mine)) if part)
    return Reply(details, text, rest, bool(rest) and _replaces(rest[0], about, said, declined))


def _belongs(request: Request, about: Request, said: Said, ask: Ask | None, declined: bool) -> bool:
    slot = ask.slot if ask else ""
    if request.intent is about.intent:
        return declined or said.correction or not _another(request, about, said)
    if request.intent in _PLACES:
        return slot == "address"
    if request.intent is Intent.PAYMENT and request.payments:
        return not _elsewhere(request, about) and (
            slot in {"payment", "revise"} or declined or pays_for(about, request.text)
        )
    return False


def _another(request: Request, about: Request, said: Said) -> bool:
    """Whether a request of the same kind is one more of them."""
    named = bool(request.orders or any(thing.noun for thing in request.things))
    return _elsewhere(request, about) or (said.also and named and about.intent in _WHOLE)


def _replaces(request: Request, about: Request, said: Said, declined: bool) -> bool:
    """Whether a different change is wanted in place of the one at hand."""
    if request.intent not in ACTIONS or about.intent not in ACTIONS or said.also:
        return False
    corrects = declined or said.correction or says("in_its_place", said.text)
    return bool(corrects) and not _elsewhere(request, about)


def _elsewhere(request: Request, about: Request) -> bool:
    """Whether a request names other orders than the one at hand does."""
    return bool(request.orders and about.orders and not set(request.orders) & set(about.orders))
