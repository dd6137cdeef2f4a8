"""From the conversation so far to the next step: who is it, what is asked, what comes next."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.offers import ask_beyond, hand_over, offer, offered_intents
from agent.clerk.retail import actions, addresses, answers, catalogue
from agent.clerk.retail.identifying import identify, read_user
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.swapping import swap
from agent.clerk.retail.task import ACTS, SWAPS, Talk, Task
from agent.clerk.retail.wording import CAN_DO
from agent.clerk.serving import Service
from agent.clerk.steps import Answer, Ask, Call, Choice, Settled, Tell
from agent.clerk.wording import TRANSFER

_GIVING_BACK = frozenset({"return_delivered_order_items", "exchange_delivered_order_items"})
_EITHER = (
    "From order {} I can do only one of the two: once a return or an exchange is requested, "
    "nothing further can be returned or exchanged. Would you rather have the **return** or the "
    "**exchange**?"
)
_UNCLEAR = (
    "I'm sorry, I didn't understand that; I can, for example, cancel an order that is still "
    "pending, or exchange something that was delivered."
)
_SUMS = frozenset({"refund_amount"})
CHANGES: dict[str, Callable[[Task, Memory, str], Call | Ask | Tell]] = {
    "cancel_order": actions.cancel,
    "return_items": actions.give_back,
    "exchange_items": swap,
    "modify_items": swap,
    "change_order_address": addresses.change_order_address,
    "change_default_address": addresses.change_default_address,
    "change_payment": actions.pay_otherwise,
    "product_info": catalogue.product_info,
    "product_count": catalogue.product_count,
}
QUESTIONS: dict[str, Callable[[Task, Memory, Talk], Tell]] = {
    "order_status": answers.order_status,
    "tracking": answers.tracking,
    "order_total": answers.order_total,
    "refund_amount": answers.refund_amount,
    "orders": answers.orders,
    "profile": answers.profile,
    "gift_balance": answers.gift_balance,
}
SAYINGS = {
    "greeting": f"Hello! I'm the store's built-in clerk, a program. {CAN_DO}",
    "about_clerk": f"I'm the store's built-in clerk, a program. {CAN_DO}",
    "other_person": (
        "I can only help you with your own account and orders, not with someone else's."
    ),
    "advice": (
        "I can't give recommendations or opinions, but I can tell you each option's features, "
        "availability and price."
    ),
    "place_order": "I can't place new orders here.",
    "add_item": (
        "Single items can't be added to an order, and single items can't be taken out of it, once "
        "it is placed."
    ),
}
OFFERS = {
    "cancel_order": "cancel an order",
    "return_items": "return something for a refund",
    "exchange_items": "exchange something for another option",
    "modify_items": "change an item in an order",
    "change_order_address": "send an order to another address",
    "change_default_address": "change your default address",
    "change_payment": "pay an order in another way",
    "order_status": "see where an order is",
    "tracking": "get a tracking number",
    "order_total": "know what you paid",
    "refund_amount": "know what you get back",
    "orders": "see your orders",
    "profile": "see your profile",
    "gift_balance": "see your gift card balance",
    "product_info": "know what a product costs or comes in",
    "product_count": "know how many options a product has",
    "policy_question": "know the store's rules",
    "human": "talk to a human agent",
    "nothing_changes": "leave everything as it is",
    "other": "something else that I can't do myself",
    "place_order": "buy something new",
    "add_item": "add or remove items of an order",
}


def next_step(talk: Talk, policy: str = "") -> Call | Answer:
    """What to do now; the conversation itself is left as it is."""
    if talk.handed_over or (talk.memory.transferred and not _new(talk)):
        return Answer(TRANSFER)
    unknown = identify(talk)
    if unknown is not None:
        return unknown
    if talk.memory.user is None:
        return read_user(talk)
    return SERVICE.serve(talk, policy)


def _new(talk: Talk) -> bool:
    return any(each.intent not in {"human", "other"} for each in talk.open)


def one_only(call: Call, queue: list[Task], talk: Talk) -> Call | Ask | None:
    """What is settled first where a return and an exchange are wanted of one order."""
    task = call.request
    if call.name not in _GIVING_BACK or not isinstance(task, Task) or "either" in task.chosen:
        return None
    for other in queue:
        returns = {str(task.intent), str(other.intent)} & {"return_items"}
        if other.what_if or not returns or not {str(task.intent), str(other.intent)} & SWAPS:
            continue
        step = SERVICE.step(other, talk, "")
        if isinstance(step, Call) and step.request is None:
            return step
        same = isinstance(step, Call) and step.arguments.get("order_id")
        if (same or getattr(step, "focus", "")) == call.arguments["order_id"]:
            choices = (Choice("return", "return"), Choice("exchange", "exchange"))
            text = _EITHER.format(call.arguments["order_id"])
            return Ask(text, "either", task, choices=choices)
    return None


def _ordered(tasks: list[Task]) -> list[Task]:
    """Questions first, then changes; a change of items last of them, as it closes the order."""
    acting = any(each.intent in ACTS and not each.what_if for each in tasks)

    def rank(task: Task) -> float:
        if task.intent in {"human", "other"}:
            return -1 if "now" in task.chosen else 3
        if task.intent in _SUMS and acting:
            return 2
        if task.intent is None:
            return 2.5
        if task.what_if:
            return 0.5
        if task.intent in SWAPS:
            return 1.5
        return 1 if task.intent in ACTS else 0

    return sorted(tasks, key=rank)


def _settle(task: Task, talk: Talk, policy: str) -> Call | Ask | Tell:
    if task.intent is None:
        return _offer(task)
    name = str(task.intent)
    if task.what_if:
        return _only_told(task, talk, policy)
    if name in CHANGES:
        return CHANGES[name](task, talk.memory, policy)
    if name in QUESTIONS:
        return QUESTIONS[name](task, talk.memory, talk)
    if name == "policy_question" and actions.splits(task):
        return actions.pay_otherwise(task, talk.memory, policy)
    if name == "policy_question":
        return answers.policy_question(task, policy)
    if name in {"human", "other"}:
        return _beyond(task, talk)
    if name in {"other_person", "place_order", "add_item", "advice"}:
        return Tell(SAYINGS[name], "refused")
    if name == "nothing_changes":
        return Tell(_left(task), "answered")
    return Tell(SAYINGS.get(name, "All right."), "answered")


def _left(task: Task) -> str:
    """That something is left as it is, named where it was."""
    if "denied" in task.chosen:
        return f"All right, I do not {OFFERS[task.chosen['denied']]}."
    return f"All right, I leave {'the rest' if 'rest' in task.chosen else 'everything'} as it is."


def _only_told(task: Task, talk: Talk, policy: str) -> Call | Tell:
    """A change that was only asked about is worked out and told, and not proposed."""
    step: Call | Ask | Tell
    handler = CHANGES.get(str(task.intent))
    if handler is None:
        return answers.policy_question(task, policy)
    try:
        step = handler(task, talk.memory, policy)
    except Settled as settled:
        step = settled.step
    if isinstance(step, Call) and step.request is None:
        return step
    return answers.what_if(task, step, talk)


def _offer(task: Task) -> Ask:
    """What the words may have meant, as a numbered offer."""
    if not task.guesses and task.text:
        return Ask("What would you like me to do?", "intent", task)
    return offer(task, offered_intents(task.guesses, OFFERS), OFFERS)


def _beyond(task: Task, talk: Talk) -> Call | Ask | Tell:
    """What no tool can do goes to a human; a bare wish for one is asked about once."""
    if talk.memory.transferred:
        return Tell(TRANSFER, "done")
    if task.chosen.get("transfer") == "leave":
        return Tell("All right, I leave it.", "dropped")
    earlier = [each for each in talk.requests if each is not task]
    failed = any(
        each.outcome in {"refused"} or each.intent in {"other", "human"} for each in earlier
    )
    if task.intent == "human" and (failed or talk.puzzled or "now" in task.chosen):
        return _transfer(task, talk)
    if task.chosen.get("transfer"):
        return _transfer(task, talk)
    if task.intent == "human":
        return Tell(
            f"{CAN_DO} What is it about? If it's something else, or if you'd still rather have a "
            "human agent, say so and I'll transfer you.",
            "answered",
            asks=True,
        )
    return ask_beyond(task)


def _transfer(task: Task, talk: Talk) -> Call:
    said = " / ".join(each.text for each in talk.requests if each.intent in {"other", "human"})
    return hand_over(task, said)


SERVICE: Service[Talk] = Service(_settle, _ordered, one_only, _UNCLEAR)
"""How the retail clerk serves."""
