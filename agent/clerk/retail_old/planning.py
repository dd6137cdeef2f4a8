"""From the conversation so far to the next step: who is it, what is asked, what comes next."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.clerk.retail import actions, answers, catalogue, relocating
from agent.clerk.retail.identifying import identify, read_user
from agent.clerk.retail.language import words
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.requests import ACTIONS, OUTCOMES, Intent, Request
from agent.clerk.retail.swapping import swap
from agent.clerk.retail.talk import Talk
from agent.clerk.retail.wording import CAN_DO
from agent.clerk.serving import Service
from agent.clerk.steps import Answer, Ask, Call, Tell
from agent.clerk.wording import TRANSFER, joined

_GIVING_BACK = frozenset({"return_delivered_order_items", "exchange_delivered_order_items"})
_ONE_OF = frozenset({Intent.RETURN, Intent.SWAP})
_EITHER = (
    "From order {} I can do only one of the two: once a return or an exchange is requested, "
    "nothing further can be returned or exchanged. Would you rather have the **return** or the "
    "**exchange**?"
)
_SIMPLE: dict[Intent, Callable[[Request, Memory], Call | Ask | Tell]] = {
    Intent.CANCEL: actions.cancel,
    Intent.RETURN: actions.give_back,
    Intent.SWAP: swap,
    Intent.ORDER_ADDRESS: relocating.order_address,
    Intent.USER_ADDRESS: relocating.user_address,
    Intent.PAYMENT: actions.payment,
    Intent.STATUS: answers.status,
    Intent.TRACKING: answers.tracking,
    Intent.ORDERS: answers.orders,
    Intent.ITEM: answers.item_details,
    Intent.OPTIONS: catalogue.product_options,
    Intent.COUNT: catalogue.count,
    Intent.TOTAL: answers.total,
    Intent.PROFILE: answers.profile,
    Intent.BALANCE: answers.balance,
    Intent.ADVICE: answers.advice,
}
_UNCLEAR = (
    "I'm sorry, I didn't understand that; I can, for example, cancel an order that is still "
    "pending, or exchange something that was delivered."
)


def next_step(talk: Talk, policy: str = "") -> Call | Answer:
    """What to do now; the conversation itself is left as it is."""
    if talk.handed_over or (talk.memory.transferred and _nothing_new(talk)):
        return Answer(TRANSFER)
    unknown = identify(talk)
    if unknown is not None:
        return unknown
    if talk.memory.user is None:
        return read_user(talk)
    return SERVICE.serve(talk, policy)


def _nothing_new(talk: Talk) -> bool:
    return all(each.intent is Intent.TRANSFER for each in talk.open)


def one_only(call: Call, queue: list[Request], talk: Talk) -> Call | Ask | None:
    """What must be settled first where a return and an exchange are wanted of one order.

    Whichever is done first rules the other out, so the customer chooses before either is proposed.
    """
    if call.name not in _GIVING_BACK or call.request is None:
        return None
    for other in queue:
        if other.intent in _ONE_OF and other.intent is not call.request.intent:
            step = SERVICE.step(other, talk, "")
            same = isinstance(step, Call) and step.arguments.get("order_id")
            if isinstance(step, Call) and step.request is None:
                return step
            if (same or getattr(step, "focus", "")) == call.arguments["order_id"]:
                return Ask(_EITHER.format(call.arguments["order_id"]), "either", call.request)
    return None


def _ordered(requests: list[Request]) -> list[Request]:
    """Questions first, then changes, then questions about their outcome, a hand-over last.

    Items are changed after address and payment, which cannot be changed any more afterwards.
    """
    acting = any(each.intent in ACTIONS for each in requests)

    def rank(request: Request) -> float:
        if request.intent is Intent.TRANSFER:
            return -1 if request.wait == "at once" else 3
        if request.intent in OUTCOMES and acting and request.wait != "now":
            return 2
        if request.intent is None:
            return 2.5
        if request.intent is Intent.SWAP:
            return 1.5
        return 1 if request.intent in ACTIONS else 0

    return sorted(requests, key=rank)


def _what_about(request: Request) -> Ask:
    """Something was named; what the customer wants with it is open."""
    names = (
        joined(f"the {thing.noun or thing.item_id}" for thing in request.things)
        or f"order {joined(request.orders)}"
    )
    text = f"What would you like me to do about {names}: exchange it, return it, or something else?"
    return Ask(text, "intent", request, request.things[-1] if request.things else None)


def _settle(request: Request, talk: Talk, policy: str) -> Call | Ask | Tell:
    memory = talk.memory
    if request.intent is None:
        return _what_about(request)
    simple = _SIMPLE.get(request.intent)
    if simple is not None:
        return simple(request, memory)
    if request.intent is Intent.REFUND:
        done = [each for each in talk.requests if each.written]
        if done and re.search(r"\b(?:where|which)\b", request.text):
            return replace(_told_again(done[-1], talk, policy), outcome="answered")
        return answers.refund(request, memory, done)
    if request.intent is Intent.HELP:
        return Tell(f"I'm the store's built-in clerk, a program. {CAN_DO}", "answered")
    if request.intent is Intent.POLICY:
        return answers.policy(request, memory, policy)
    if request.intent is Intent.OTHER_PERSON:
        return Tell(
            "I can only help you with your own account and orders, not with someone else's.",
            "refused",
        )
    return _beyond(request, talk)


def _told_again(done: Request, talk: Talk, policy: str) -> Tell:
    """What came of a change, once more."""
    step = SERVICE.step(done, talk, policy)
    return step if isinstance(step, Tell) else Tell("That is done.", "answered")


def _beyond(request: Request, talk: Talk) -> Call | Ask | Tell:
    """What no tool can do goes to a human; a bare wish for one is asked about once."""
    if talk.memory.transferred:
        return Tell(TRANSFER, "done")
    why = next((why for found, why in words()["forbidden"] if re.search(found, request.text)), None)
    if why is not None and request.intent is Intent.OUT_OF_SCOPE:
        return Tell(why, "refused")
    if request.intent is Intent.TRANSFER and not request.wait and not _reason_given(request):
        return Tell(
            f"{CAN_DO} What is it about? If it's something else, or if you'd still rather have a "
            "human agent, say so and I'll transfer you.",
            "answered",
            asks=True,
        )
    summary = request.text.strip()[:300]
    return Call("transfer_to_human_agents", {"summary": f"The customer asks: {summary}"}, request)


def _reason_given(request: Request) -> bool:
    return bool(request.things or request.orders)


SERVICE: Service[Talk] = Service(_settle, _ordered, one_only, _UNCLEAR)
"""How the retail clerk serves."""
