"""The retail domain: identification, the skill for each intent, and the order of tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.clerk.deciding.beyond import BEYOND
from agent.clerk.domain_skills import DomainSkills, Skill
from agent.clerk.retail import change_facts, record_facts
from agent.clerk.retail.actions import CHANGES, refuse_split
from agent.clerk.retail.answers import QUESTIONS, tell_change, tell_moved, tell_what_if
from agent.clerk.retail.dialogue import RetailDialogue
from agent.clerk.retail.intent_data import (
    ACTS,
    DATA,
    OF_CHANGE,
    OF_ITEMS,
    RULES,
    SWAPS,
    TEXTS,
    tells,
)
from agent.clerk.retail.known_records import FIND_BY_EMAIL, FIND_BY_NAME, WRITES
from agent.clerk.retail.mistakes import RETAIL_MISTAKES
from agent.clerk.retail.payment_slots import MOVE_NO_MONEY
from agent.clerk.state.steps import Answer, Call, Choice, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import tokens
from agent.clerk.wording import join_parts

FITS_WELL = 9.0
"""How well a rule must fit a question how to give things back to be the answer."""

_GLADLY = "I'll look into that. "
_GIVING_BACK = frozenset({"return_delivered_order_items", "exchange_delivered_order_items"})


def identify(dialogue: RetailDialogue) -> Call | Answer | None:
    """The step that identifies the customer, or None once their profile has been read.

    Emails are tried before pairs of name and zip code, the newest first. A look-up that failed is
    not repeated; when none is left, the customer is asked for what is missing.
    """
    records, told = dialogue.records, dialogue.identity
    if records.user is not None:
        return None
    if records.user_id is not None:
        if any(key.startswith("get_user_details") for key in records.failed):
            return Answer("I can't open your account right now. Please try again in a moment.")
        return Call("get_user_details", {"user_id": records.user_id})
    by_email = (Call(FIND_BY_EMAIL, {"email": each}) for each in reversed(told.emails))
    by_name = (
        Call(FIND_BY_NAME, {"first_name": first, "last_name": last, "zip": code})
        for first, last in reversed(told.names)
        for code in reversed(told.zips)
    )
    untried = (each for each in [*by_email, *by_name] if each.key not in records.failed)
    return next(untried, None) or Answer(_who_question(dialogue))


def _who_question(dialogue: RetailDialogue) -> str:
    told, records = dialogue.identity, dialogue.records
    failed = sum(key.startswith((FIND_BY_EMAIL, FIND_BY_NAME)) for key in records.failed)
    if failed:
        return TEXTS["still not found" if failed > 1 else "not found"]
    if told.names and not told.zips:
        return f"Thanks, {told.names[-1][0]}. What is your zip code, or your email?"
    if told.zips and not told.names:
        return "Thanks. What is your full name?"
    if told.user_id:
        return f"A user id alone isn't enough for me to identify you. {TEXTS['who']}"
    hello = f"Hello! {TEXTS['can do']} " if dialogue.message_count == 1 else ""
    return f"{_GLADLY if dialogue.tasks else hello}{TEXTS['who']}"


def _change(task: Task, dialogue: RetailDialogue, policy: str) -> Call | Question | Statement:
    """The step for a change; its first question names the items of the changes that wait for it."""
    step = _look_at(task, dialogue)
    just_told = dialogue.last is not None and task.message == dialogue.last.text
    if not isinstance(step, Question) or not just_told:
        return step
    own = dialogue.kept_things(task.text)
    others = [
        e for e in dialogue.open_tasks if e is not task and not e.written and e.intent in ACTS
    ]
    waiting = [name for e in others if not e.what_if for name in dialogue.kept_things(e.text)]
    names = join_parts(each for each in dict.fromkeys(waiting) if each not in own)
    return replace(step, tail=TEXTS["later"].format(names)) if names else step


def _by_talk(answer: Callable[[Task, RetailDialogue], Statement]) -> Skill:
    return lambda task, dialogue, policy: answer(task, dialogue)


def _policy(task: Task, dialogue: RetailDialogue, policy: str) -> Statement:
    """The policy lines that match the question best; raises Refused for a split payment."""
    refuse_split(task)
    text = RULES.answer(task.text, policy, dialogue.said_before, dialogue.change_at_hand)
    return Statement(text, "answered")


def _return_how(task: Task, dialogue: RetailDialogue, policy: str) -> Statement:
    """What a rule says of giving things back, or how it is done."""
    if tells(tokens(task.text), "once delivered"):
        return Statement(TEXTS["once delivered"], "answered")
    moved = tell_moved(dialogue) if tells(tokens(task.text), "money") else ""
    told = "" if moved else RULES.find(task.text, policy, FITS_WELL)
    how = f"{TEXTS['send_back']} {TEXTS['refund_time']} {moved}".strip()
    return Statement(told or how, "answered")


def _what_if(task: Task, dialogue: RetailDialogue, policy: str) -> Call | Question | Statement:
    """The look-up that a hypothetical change needs, or its effect in words; never the change."""
    if task.intent not in CHANGES:
        return Statement(RULES.answer(task.text, policy), "answered")
    if task.intent in OF_ITEMS and tells(tokens(task.text), "once delivered"):
        return Statement(TEXTS["once delivered"], "answered")
    step = _look_at(task, dialogue)
    if isinstance(step, Call) and step.task is None:
        return step
    return tell_what_if(step, dialogue.records)


def _tell_declined(call: Call, dialogue: RetailDialogue) -> str:
    """What a declined change costs or brings back; empty if it moves no money."""
    return "" if call.name in MOVE_NO_MONEY else tell_change(call, dialogue.records)


def _rank(task: Task, tasks: list[Task]) -> float:
    """The rank of a task; the lowest is served first.

    Questions come before changes. Exchanges and modifications of items come after all other changes
    because they close the order. Unclear tasks and those beyond the tools come last.
    """
    if task.intent in BEYOND:
        return 3
    if task.intent is None:
        return 2.5
    if task.intent in OF_CHANGE:
        return 2 if any(each.intent in ACTS and not each.what_if for each in tasks) else 0
    if task.what_if:
        return 0.5
    return 1.5 if task.intent in SWAPS else float(task.intent in ACTS)


def _find_conflict(
    call: Call, queue: list[Task], dialogue: RetailDialogue
) -> Call | Question | None:
    """The step needed first if a return and an exchange are requested of one order, else None."""
    task = call.task
    if call.name not in _GIVING_BACK or task is None or "either" in task.chosen:
        return None
    for other in queue:
        both = {task.intent, other.intent}
        if other.what_if or "return_items" not in both or not both & SWAPS:
            continue
        step = _look_at(other, dialogue)
        if isinstance(step, Call) and step.task is None:
            return step
        same = step.arguments.get("order_id") if isinstance(step, Call) else step.focus
        if same == call.arguments["order_id"]:
            choices = (Choice("return", "return"), Choice("exchange", "exchange"))
            return Question(TEXTS["either"].format(same), "either", task, choices=choices)
    return None


def _look_at(task: Task, dialogue: RetailDialogue) -> Call | Question | Statement:
    try:
        return CHANGES[str(task.intent)](task, dialogue.records)
    except Settled as settled:
        return settled.step


RETAIL = DomainSkills(
    tools=WRITES | {"get_order_details"},
    writes=WRITES,
    new_dialogue=lambda messages: RetailDialogue(),
    identify=identify,
    skills={
        **dict.fromkeys(CHANGES, _change),
        **{name: _by_talk(each) for name, each in QUESTIONS.items()},
        "policy_question": _policy,
        "return_how": _return_how,
    },
    answer_hypothetical=_what_if,
    tell_change=_tell_declined,
    priority=_rank,
    capabilities_text=TEXTS["can do"],
    rules=RULES,
    fixed_refusals=DATA["sayings"],
    mistakes=RETAIL_MISTAKES,
    looked_up=frozenset({"product_info", "product_count"}),
    names_in=record_facts.names_in,
    record_facts=record_facts.tell_records,
    change_facts=change_facts.tell_change,
    untouched_facts=change_facts.tell_untouched,
    find_conflict=_find_conflict,
)
