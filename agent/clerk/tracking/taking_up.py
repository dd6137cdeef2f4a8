"""New tasks from wishes, and letting go of tasks by what is denied."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.doubting import rivals
from agent.clerk.understanding.wishes import Message, Wish

NOTHING = "nothing_changes"


def take_up(talk: Dialogue, wish: Wish, told: Message) -> None:
    """A new task, or more of one that is open."""
    talk.fresh = True
    acts = talk.reader.manner.acts
    if wish.mode == "denied":
        _let_go(talk, wish, told)
        return
    intent = None if wish.unsure else wish.intent
    if intent is None and talk.ask is not None and any(each.intent in acts for each in talk.open):
        talk.unread.append(wish.text)
        return
    for each in talk.open:
        if intent in acts and _more_of(talk, each, wish):
            each.note(wish.text)
            each.others = [] if wish.has_verb else each.others
            each.alternatives += wish.otherwise
            each.excepted += wish.excepted
            each.limit = wish.limit if wish.limit is not None else each.limit
            each.condition = wish.condition or each.condition
            return
    task = Task(
        intent,
        wish.text,
        guesses=wish.guesses,
        what_if=wish.mode == "what_if",
        beside=[*told.loose] if intent in acts else [],
        message=told.text,
        excepted=[*wish.excepted, *told.excepted],
        limit=wish.limit if wish.limit is not None else told.limit,
        condition=wish.condition,
        others=_others(talk, wish, told) if intent is not None else [],
    )
    if intent == "human" and talk.spoken and "human agent?" in talk.spoken[-1]:
        task.chosen["now"] = "yes"
    _fallbacks(talk, task, [*wish.otherwise, *told.otherwise])
    task.context, talk.handed = talk.handed, []
    talk.point_back(task)
    talk.requests.append(task)


def _more_of(talk: Dialogue, task: Task, wish: Wish) -> bool:
    """Whether a wish is more of an open task."""
    family = talk.reader.manner.family
    same_mood = task.what_if == (wish.mode == "what_if")
    alike = family(str(task.intent)) == family(wish.intent)
    return alike and same_mood and talk.same(task, wish.intent, wish)


def _fallbacks(talk: Dialogue, task: Task, deeds: list[str]) -> None:
    """What is to be done where the task is not possible: another task, or another detail."""
    manner = talk.reader.manner
    for deed in deeds:
        read = talk.reader.read(deed)
        wish = next((each for each in read.wishes if not each.unsure), None)
        if wish is not None and wish.mode == "denied" and wish.intent in {*manner.acts, NOTHING}:
            task.give_up = True
        elif wish is not None and _is_another(talk, wish, task):
            task.otherwise.append(Task(wish.intent, deed, wish.guesses, message=task.message))
        else:
            task.alternatives.append(deed)


def _is_another(talk: Dialogue, wish: Wish, task: Task) -> bool:
    """Whether what is to be done where a task is not possible is a task of its own."""
    manner = talk.reader.manner
    own = wish.has_cue and wish.intent in {*manner.acts, NOTHING}
    if not own or task.intent is None or wish.intent in talk.details_of(task.intent):
        return False
    return manner.family(wish.intent) != manner.family(task.intent)


def _let_go(talk: Dialogue, wish: Wish, told: Message) -> None:
    """A wish that is taken back closes what it is about, and is said to have been heard."""
    acts = talk.reader.manner.acts
    for each in talk.open:
        if each.intent in acts and talk.denies(wish, each):
            talk.drop(each)
    if not any(each.intent == NOTHING for each in talk.open):
        denied = {"denied": wish.intent} if wish.intent in acts else {}
        alike = (each for each in talk.open if wish.intent in {each.intent, NOTHING})
        if any(talk.names_another(each, wish) for each in alike):
            denied = {"denied": ""}
        rest = {"rest": "yes"} if any(e.mode == "meant" for e in told.wishes) else {}
        chosen, others = {**denied, **rest}, _others(talk, wish, told)
        talk.requests.append(
            Task(NOTHING, wish.text, wish.guesses, chosen=chosen, message=told.text, others=others)
        )


def _others(talk: Dialogue, wish: Wish, told: Message) -> list[str]:
    """What the message of a wish may have asked for beside it, or instead."""
    return rivals(told, wish, talk.reader.manner, talk.offers)
