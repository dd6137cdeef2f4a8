"""Retail as a trade of the clerk's: who speaks, what can be done for them, and in which order."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.deciding.serving import BEYOND
from agent.clerk.policy import policy_lines
from agent.clerk.retail.actions import CHANGES, refuse_split
from agent.clerk.retail.answers import QUESTIONS, tell_what_if
from agent.clerk.retail.cards import ASKED, CARD_TOPICS
from agent.clerk.retail.catalogue import PRODUCTS
from agent.clerk.retail.manner import ACTS, DATA, SWAPS, TEXTS
from agent.clerk.retail.memory import FIND_BY_EMAIL, FIND_BY_NAME, WRITES, Memory
from agent.clerk.retail.mistakes import RETAIL_MISTAKES
from agent.clerk.retail.talk import Talk
from agent.clerk.state.steps import Answer, Ask, Call, Choice, Settled, Tell
from agent.clerk.state.task import Task
from agent.clerk.trade import Skill, Trade

_GIVING_BACK = frozenset({"return_delivered_order_items", "exchange_delivered_order_items"})


def identify(talk: Talk) -> Call | Answer | None:
    """Find the account by e-mail, or by name and zip; ask for what is missing."""
    memory, told = talk.memory, talk.identity
    if memory.user is not None:
        return None
    if memory.user_id is not None:
        if any(key.startswith("get_user_details") for key in memory.failed):
            return Answer("I can't open your account right now. Please try again in a moment.")
        return Call("get_user_details", {"user_id": memory.user_id})
    by_email = (Call(FIND_BY_EMAIL, {"email": each}) for each in reversed(told.emails))
    by_name = (
        Call(FIND_BY_NAME, {"first_name": first, "last_name": last, "zip": code})
        for first, last in reversed(told.names)
        for code in reversed(told.zips)
    )
    untried = (each for each in [*by_email, *by_name] if each.key not in memory.failed)
    return next(untried, None) or Answer(_who_question(talk))


def _who_question(talk: Talk) -> str:
    told, memory = talk.identity, talk.memory
    failed = sum(key.startswith((FIND_BY_EMAIL, FIND_BY_NAME)) for key in memory.failed)
    if failed:
        return TEXTS["still not found" if failed > 1 else "not found"]
    if told.names and not told.zips:
        return f"Thanks, {told.names[-1][0]}. What is your zip code, or your email?"
    if told.zips and not told.names:
        return "Thanks. What is your full name?"
    if told.user_id:
        return f"A user id alone isn't enough for me to identify you. {TEXTS['who']}"
    hello = f"Hello! {TEXTS['can do']} " if talk.heard == 1 else ""
    return f"{'Happy to help! ' if talk.requests else hello}{TEXTS['who']}"


def _by_memory(act: Callable[[Task, Memory], Call | Tell]) -> Skill:
    return lambda task, talk, policy: act(task, talk.memory)


def _by_talk(answer: Callable[[Task, Talk], Tell]) -> Skill:
    return lambda task, talk, policy: answer(task, talk)


def _policy(task: Task, talk: Talk, policy: str) -> Tell:
    """The lines of the policy that are most like the question."""
    refuse_split(task)
    return Tell(policy_lines(task.text, policy), "answered")


def _what_if(task: Task, talk: Talk, policy: str) -> Call | Ask | Tell:
    """A change that was only asked about is worked out and told, and not proposed."""
    if task.intent not in CHANGES:
        return Tell(policy_lines(task.text, policy), "answered")
    step = _look_at(task, talk)
    if isinstance(step, Call) and step.request is None:
        return step
    return tell_what_if(task, step, talk)


def _rank(task: Task, tasks: list[Task]) -> float:
    """Questions first, then changes; a change of items last of them, as it closes the order."""
    if task.intent in BEYOND:
        return 3
    if task.intent is None:
        return 2.5
    if task.intent == "refund_amount":
        return 2 if any(each.intent in ACTS and not each.what_if for each in tasks) else 0
    if task.what_if:
        return 0.5
    return 1.5 if task.intent in SWAPS else float(task.intent in ACTS)


def _one_only(call: Call, queue: list[Task], talk: Talk) -> Call | Ask | None:
    """What is settled first where a return and an exchange are wanted of one order."""
    task = call.request
    if call.name not in _GIVING_BACK or task is None or "either" in task.chosen:
        return None
    for other in queue:
        both = {task.intent, other.intent}
        if other.what_if or "return_items" not in both or not both & SWAPS:
            continue
        step = _look_at(other, talk)
        if isinstance(step, Call) and step.request is None:
            return step
        same = step.arguments.get("order_id") if isinstance(step, Call) else step.focus
        if same == call.arguments["order_id"]:
            choices = (Choice("return", "return"), Choice("exchange", "exchange"))
            return Ask(TEXTS["either"].format(same), "either", task, choices=choices)
    return None


def _look_at(task: Task, talk: Talk) -> Call | Ask | Tell:
    try:
        return CHANGES[str(task.intent)](task, talk.memory)
    except Settled as settled:
        return settled.step


RETAIL = Trade(
    tools=WRITES | {"get_order_details"},
    writes=WRITES,
    begin=lambda messages: Talk(),
    identify=identify,
    skills={
        **{name: _by_memory(each) for name, each in {**CHANGES, **PRODUCTS}.items()},
        **{name: _by_talk(each) for name, each in QUESTIONS.items()},
        "policy_question": _policy,
    },
    what_if=_what_if,
    rank=_rank,
    can_do=TEXTS["can do"],
    sayings=DATA["sayings"],
    mistakes=RETAIL_MISTAKES,
    card_topics=CARD_TOPICS,
    asked_of_cards=ASKED,
    conflict=_one_only,
)
