"""Creates tasks from requests, and drops the tasks that a message denies."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.rival_intents import rivals

NOTHING = "nothing_changes"


def create_or_extend_task(dialogue: Dialogue, wish: ParsedRequest, told: ParsedMessage) -> None:
    """Create a task for a request, or add the request to an open task.

    A denied request drops the tasks that it is about.
    """
    dialogue.has_new_request = True
    acts = dialogue.reader.catalog.acts
    if wish.modality == "denied":
        _drop_denied(dialogue, wish, told)
        return
    intent = None if wish.is_uncertain else wish.intent
    if (
        intent is None
        and dialogue.question is not None
        and any(each.intent in acts for each in dialogue.open_tasks)
    ):
        dialogue.not_understood.append(wish.text)
        return
    for each in dialogue.open_tasks:
        if intent in acts and _more_of(dialogue, each, wish):
            each.note(wish.text)
            each.other_intents = [] if wish.has_verb else each.other_intents
            each.alternatives += wish.otherwise
            each.excepted += wish.excepted
            each.limit = wish.limit if wish.limit is not None else each.limit
            each.condition = wish.condition or each.condition
            return
    task = Task(
        intent,
        wish.text,
        guesses=wish.guesses,
        what_if=wish.modality == "what_if",
        same_message=[*told.detail_sentences] if intent in acts else [],
        message=told.text,
        excepted=[*wish.excepted, *told.excepted],
        limit=wish.limit if wish.limit is not None else told.limit,
        condition=wish.condition,
        other_intents=_others(dialogue, wish, told) if intent is not None else [],
    )
    if (
        intent == "human"
        and dialogue.assistant_texts
        and "human agent?" in dialogue.assistant_texts[-1]
    ):
        task.chosen["now"] = "yes"
    _fallbacks(dialogue, task, [*wish.otherwise, *told.otherwise])
    task.context, dialogue.inherited = dialogue.inherited, []
    dialogue.inherit_context(task)
    dialogue.tasks.append(task)


def _more_of(dialogue: Dialogue, task: Task, wish: ParsedRequest) -> bool:
    """Whether a request continues an open task."""
    family = dialogue.reader.catalog.family
    same_mood = task.what_if == (wish.modality == "what_if")
    alike = family(str(task.intent)) == family(wish.intent)
    return alike and same_mood and dialogue.continues_task(task, wish.intent, wish)


def _fallbacks(dialogue: Dialogue, task: Task, deeds: list[str]) -> None:
    """Store what to do if the task is impossible: another task, another detail, or nothing."""
    catalog = dialogue.reader.catalog
    for deed in deeds:
        read = dialogue.reader.read(deed)
        wish = next((each for each in read.requests if not each.is_uncertain), None)
        if (
            wish is not None
            and wish.modality == "denied"
            and wish.intent in {*catalog.acts, NOTHING}
        ):
            task.give_up = True
        elif wish is not None and _is_another(dialogue, wish, task):
            task.fallback_tasks.append(Task(wish.intent, deed, wish.guesses, message=task.message))
        else:
            task.alternatives.append(deed)


def _is_another(dialogue: Dialogue, wish: ParsedRequest, task: Task) -> bool:
    """Whether a fallback is a task of its own."""
    catalog = dialogue.reader.catalog
    own = wish.has_cue and wish.intent in {*catalog.acts, NOTHING}
    if not own or task.intent is None or wish.intent in dialogue.details_of(task.intent):
        return False
    return catalog.family(wish.intent) != catalog.family(task.intent)


def _drop_denied(dialogue: Dialogue, wish: ParsedRequest, told: ParsedMessage) -> None:
    """Drop the tasks that a denied request is about, and add a task that acknowledges it."""
    acts = dialogue.reader.catalog.acts
    for each in dialogue.open_tasks:
        if each.intent in acts and dialogue.denies(wish, each):
            dialogue.drop(each)
    if not any(each.intent == NOTHING for each in dialogue.open_tasks):
        denied = {"denied": wish.intent} if wish.intent in acts else {}
        alike = (each for each in dialogue.open_tasks if wish.intent in {each.intent, NOTHING})
        if any(dialogue.names_another(each, wish) for each in alike):
            denied = {"denied": ""}
        rest = {"rest": "yes"} if any(e.modality == "meant" for e in told.requests) else {}
        chosen, others = {**denied, **rest}, _others(dialogue, wish, told)
        dialogue.tasks.append(
            Task(
                NOTHING,
                wish.text,
                wish.guesses,
                chosen=chosen,
                message=told.text,
                other_intents=others,
            )
        )


def _others(dialogue: Dialogue, wish: ParsedRequest, told: ParsedMessage) -> list[str]:
    """Intents that the message of a request may have meant in addition to it, or instead of it."""
    return rivals(told, wish, dialogue.reader.catalog, dialogue.offers)
