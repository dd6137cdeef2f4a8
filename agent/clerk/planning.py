"""From the conversation so far to the next step: who is it, what is asked, what comes next."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.clerk import actions, answers, catalogue, relocating
from agent.clerk.identifying import first_name, identify, only_identity, read_user
from agent.clerk.language import words
from agent.clerk.memory import Memory
from agent.clerk.requests import ACTIONS, OUTCOMES, Intent, Request
from agent.clerk.revising import inherit
from agent.clerk.steps import Answer, Ask, Call, Settled, Tell
from agent.clerk.swapping import swap
from agent.clerk.talk import Talk
from agent.clerk.wording import ANYTHING_ELSE, CAN_DO, TRANSFER, joined

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
_STUCK = (
    "I'm sorry, I still don't follow. Shall I leave it as it is, or transfer you to a human agent?"
)
_CUT = "That was a long message: I could only read the beginning of it."
_PATIENCE = 1
"""How often a question is asked again before the clerk offers to leave it."""


def next_step(talk: Talk, policy: str = "") -> Call | Answer:
    """What to do now; the conversation itself is left as it is."""
    if talk.handed_over or (talk.memory.transferred and _nothing_new(talk)):
        return Answer(TRANSFER)
    unknown = identify(talk)
    if unknown is not None:
        return unknown
    if talk.memory.user is None:
        return read_user(talk)
    return _serve(talk, policy)


def _nothing_new(talk: Talk) -> bool:
    return all(each.intent is Intent.TRANSFER for each in talk.open)


def _serve(talk: Talk, policy: str) -> Call | Answer:
    """Go through what is open, in order, up to the first call or question."""
    queue = _ordered(talk.open)
    parts: list[str] = []
    told: list[tuple[Request, str]] = []
    last: Ask | Tell | None = None
    forbidden: Call | None = None
    while queue and not isinstance(last, Ask):
        request = queue.pop(0)
        step = settle(request, talk, policy)
        if isinstance(step, Call) and step.key in talk.unwanted:
            step = _instead(request, talk)
        if isinstance(step, Call):
            step = one_only(step, queue, talk) or step
        if isinstance(step, Call):
            return step
        forbidden = forbidden or step.forbidden
        if isinstance(step, Ask) and talk.repeats > _PATIENCE + 1 and _again(step, talk, told):
            step = Tell("I'll leave that as it is for now.", "dropped")
        if isinstance(step, Ask):
            parts.append(_asked(step, talk, told))
        else:
            parts.append(step.text)
            told.append((request, step.outcome))
            if step.outcome == "refused":
                queue[:0] = [inherit(each, request) for each in request.otherwise]
        last = step
    ask = last if isinstance(last, Ask) else None
    if ask is None and not (isinstance(last, Tell) and last.asks):
        parts = _closed(talk, parts)
    if talk.last is not None and talk.last.cut:
        parts.insert(0, _CUT)
    order_id = last.order_id if last else ""
    return Answer("\n\n".join(parts), tuple(told), ask, forbidden, order_id)


def one_only(call: Call, queue: list[Request], talk: Talk) -> Call | Ask | None:
    """What must be settled first where a return and an exchange are wanted of one order.

    Whichever is done first rules the other out, so the customer chooses before either is proposed.
    """
    if call.name not in _GIVING_BACK or call.request is None:
        return None
    for other in queue:
        if other.intent in _ONE_OF and other.intent is not call.request.intent:
            step = settle(other, talk, "")
            same = isinstance(step, Call) and step.arguments.get("order_id")
            if isinstance(step, Call) and step.request is None:
                return step
            if (same or getattr(step, "order_id", "")) == call.arguments["order_id"]:
                return Ask(_EITHER.format(call.arguments["order_id"]), "either", call.request)
    return None


def _asked(ask: Ask, talk: Talk, told: list[tuple[Request, str]]) -> str:
    """A question's words; where it was the question before, too, they say why it comes again."""
    if not _again(ask, talk, told):
        return ask.text
    if talk.noted:
        return f"Noted. {ask.text}"
    if talk.repeats >= _PATIENCE:
        return _STUCK
    return f"Sorry, I didn't get that. {ask.text}"


def _again(ask: Ask, talk: Talk, told: list[tuple[Request, str]]) -> bool:
    """Whether a question is the one that was asked last, and nothing else came in between."""
    return talk.ask is not None and talk.ask.text == ask.text and not (told or talk.fresh)


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


def settle(request: Request, talk: Talk, policy: str) -> Call | Ask | Tell:
    """The next step for one request."""
    if request.intent is None:
        return _what_about(request)
    if request.wait == "revise":
        return _instead(request, talk)
    if request.wait.startswith("Error"):
        return Tell(
            f"That was not possible: {request.wait.removeprefix('Error: ')[:200]}.", "refused"
        )
    try:
        return _settle(request, talk, policy)
    except Settled as settled:
        step = settled.step
        if isinstance(step, Tell) and request.give_up and step.outcome == "refused":
            return Tell(f"{step.text} As you asked, I've left it as it is.", "dropped")
        return step


def _instead(request: Request, talk: Talk) -> Ask:
    """Ask what should be different; a declined call is not made again as it was."""
    text = "All right, I haven't done that. What would you like instead, or shall I leave it?"
    if not talk.declined and talk.ask is not None:
        text = "That would be the same again. What should be different, or shall I leave it?"
    return Ask(text, "revise", request)


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
    simple = _SIMPLE.get(request.intent) if request.intent else None
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
    step = settle(done, talk, policy)
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


def _closed(talk: Talk, parts: list[str]) -> list[str]:
    """The parts of an answer that asks for nothing, with what invites the customer to go on."""
    if TRANSFER in parts:
        return parts
    if parts:
        return [*parts, ANYTHING_ELSE]
    if talk.farewell:
        return ["You're welcome. Have a good day!"]
    if talk.last is not None and talk.introducing and only_identity(talk):
        return [f"Thank you, {first_name(talk)}. What can I do for you?"]
    if talk.unclear and talk.misses > _PATIENCE + 1:
        return [_STUCK]
    return [_UNCLEAR if talk.unclear else f"All right. {ANYTHING_ELSE}"]
