"""From the conversation so far to the next step: who is it, what is asked, what comes next."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk import actions, answers, catalogue, relocating
from agent.clerk.memory import FIND_BY_EMAIL, FIND_BY_NAME, Memory
from agent.clerk.requests import ACTIONS, OUTCOMES, Intent, Request
from agent.clerk.steps import Answer, Ask, Call, Settled, Tell
from agent.clerk.swapping import swap
from agent.clerk.talk import Talk
from agent.clerk.wording import ANYTHING_ELSE, TRANSFER

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
_CAN_DO = (
    "I can look up your orders and our products, cancel or change pending orders, return or "
    "exchange delivered items, and update your address."
)
_WHO = "To find your account, please tell me your email, or your full name and zip code."


def next_step(talk: Talk, policy: str = "") -> Call | Answer:
    """What to do now; the conversation itself is left as it is."""
    if talk.handed_over or (talk.memory.transferred and _nothing_new(talk)):
        return Answer(TRANSFER)
    unknown = _identify(talk)
    if unknown is not None:
        return unknown
    if talk.memory.user is None:
        return _read_user(talk)
    return _serve(talk, policy)


def _nothing_new(talk: Talk) -> bool:
    return all(each.intent is Intent.TRANSFER for each in talk.open)


def _read_user(talk: Talk) -> Call | Answer:
    if any(key.startswith("get_user_details") for key in talk.memory.failed):
        return Answer("I can't open your account right now. Please try again in a moment.")
    return Call("get_user_details", {"user_id": talk.memory.user_id})


def _identify(talk: Talk) -> Call | Answer | None:
    """Find the account by e-mail, or by name and zip; ask for what is missing."""
    memory, told = talk.memory, talk.identity
    if memory.user_id is not None:
        return None
    tried = [each.arguments for each in memory.failed_finds]
    for email in reversed(told.emails):
        if {"email": email} not in tried:
            return Call(FIND_BY_EMAIL, {"email": email})
    for first, last in reversed(told.names):
        for code in reversed(told.zips):
            arguments = {"first_name": first, "last_name": last, "zip": code}
            if arguments not in tried:
                return Call(FIND_BY_NAME, arguments)
    return Answer(_who_question(talk))


def _who_question(talk: Talk) -> str:
    told = talk.identity
    if talk.memory.failed_finds:
        return (
            "I couldn't find an account with those details. Please check them: your email, or "
            "your full name and zip code."
        )
    if told.names and not told.zips:
        return f"Thanks, {told.names[-1][0]}. What is your zip code, or your email?"
    if told.zips and not told.names:
        return "Thanks. What is your full name?"
    if told.user_id:
        return f"A user id alone isn't enough for me to identify you. {_WHO}"
    hello = "Happy to help! " if talk.requests else f"Hello! {_CAN_DO} "
    return f"{hello}{_WHO}"


def _serve(talk: Talk, policy: str) -> Call | Answer:
    """Go through what is open, in order, up to the first call or question."""
    queue = _ordered(talk.open)
    parts: list[str] = []
    told: list[tuple[Request, str]] = []
    forbidden: Call | None = None
    asks = False
    while queue:
        request = queue.pop(0)
        step = settle(request, talk, policy)
        if isinstance(step, Call):
            return step
        parts.append(step.text)
        asks = isinstance(step, Tell) and step.asks
        forbidden = forbidden or step.forbidden
        if isinstance(step, Ask):
            return Answer("\n\n".join(parts), tuple(told), step, forbidden)
        told.append((request, step.outcome))
        if step.outcome == "refused":
            from agent.clerk.revising import inherit

            queue[:0] = [inherit(each, request) for each in request.otherwise]
    if asks:
        return Answer("\n\n".join(parts), tuple(told), None, forbidden)
    return _closing(talk, parts, tuple(told), forbidden)


def _ordered(requests: list[Request]) -> list[Request]:
    """Questions first, then changes, then questions about their outcome, a hand-over last.

    Items are changed after address and payment, which cannot be changed any more afterwards.
    """
    acting = any(each.intent in ACTIONS for each in requests)

    def rank(request: Request) -> float:
        if request.intent is Intent.TRANSFER:
            return 3
        if request.intent in OUTCOMES and acting:
            return 2
        if request.intent is Intent.SWAP:
            return 1.5
        return 1 if request.intent in ACTIONS else 0

    return sorted(requests, key=rank)


def settle(request: Request, talk: Talk, policy: str) -> Call | Ask | Tell:
    """The next step for one request."""
    if request.wait == "revise":
        return Ask(
            "All right, I haven't done that. What should be different, or shall I leave it?",
            "revise",
            request,
        )
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


def _settle(request: Request, talk: Talk, policy: str) -> Call | Ask | Tell:
    memory = talk.memory
    simple = _SIMPLE.get(request.intent) if request.intent else None
    if simple is not None:
        return simple(request, memory)
    if request.intent is Intent.REFUND:
        done = [each for each in talk.requests if each.written]
        return answers.refund(request, memory, done)
    if request.intent is Intent.POLICY:
        return answers.policy(request, memory, policy)
    if request.intent is Intent.OTHER_PERSON:
        return Tell(
            "I can only help you with your own account and orders, not with someone else's.",
            "refused",
        )
    return _beyond(request, talk)


def _beyond(request: Request, talk: Talk) -> Call | Ask | Tell:
    """What no tool can do goes to a human; a bare wish for one is asked about once."""
    if talk.memory.transferred:
        return Tell(TRANSFER, "done")
    if request.intent is Intent.TRANSFER and not request.wait and not _reason_given(request):
        return Tell(
            f"{_CAN_DO} What is it about? If it's something else, or if you'd still rather have a "
            "human agent, say so and I'll transfer you.",
            "answered",
            asks=True,
        )
    summary = request.text.strip()[:300]
    return Call("transfer_to_human_agents", {"summary": f"The customer asks: {summary}"}, request)


def _reason_given(request: Request) -> bool:
    return bool(request.things or request.orders)


def _closing(
    talk: Talk, parts: list[str], told: tuple[tuple[Request, str], ...], forbidden: Call | None
) -> Answer:
    if any(part == TRANSFER for part in parts):
        return Answer("\n\n".join(parts), told)
    if parts:
        return Answer("\n\n".join([*parts, ANYTHING_ELSE]), told, None, forbidden)
    if talk.farewell:
        return Answer("You're welcome. Have a good day!")
    if talk.last is not None and talk.introducing and _only_identity(talk):
        return Answer(f"Thank you, {_first_name(talk)}. What can I do for you?")
    if talk.unclear:
        return Answer(f"I'm not sure what you'd like me to do. {_CAN_DO}")
    return Answer(f"All right. {ANYTHING_ELSE}")


def _only_identity(talk: Talk) -> bool:
    told = talk.last.identity if talk.last else None
    return bool(told and (told.emails or told.names or told.zips))


def _first_name(talk: Talk) -> str:
    name = (talk.memory.user or {}).get("name")
    return str(name.get("first_name", "")) if isinstance(name, dict) else ""
