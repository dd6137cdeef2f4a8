"""Creates tasks from requests, and drops the tasks that a message denies."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import CERTAIN, ParsedMessage, ParsedRequest
from agent.clerk.understanding.rival_intents import rivals
from agent.clerk.understanding.tokens import has, tokens

NOTHING = "nothing_changes"


def create_or_extend_task(
    dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage
) -> None:
    """Create a task for a request, or add the request to an open task.

    A denied request drops the tasks that it is about.
    """
    dialogue.has_new_request = True
    acts = dialogue.reader.catalog.acts
    if request.modality == "denied" and not _is_of_a_thing(dialogue, request):
        _drop_denied(dialogue, request, message)
        return
    intent = None if request.is_uncertain or request.modality == "denied" else request.intent
    if (
        intent is None
        and dialogue.question is not None
        and any(each.intent in acts for each in dialogue.open_tasks)
    ):
        dialogue.not_understood.append(request.text)
        return
    for each in dialogue.open_tasks:
        if intent in acts and _more_of(dialogue, each, request):
            each.note(request.text)
            each.other_intents = [] if request.probability >= CERTAIN else each.other_intents
            each.alternatives += request.otherwise
            each.excepted += request.excepted
            each.limit = request.limit if request.limit is not None else each.limit
            each.condition = request.condition or each.condition
            return
    task = Task(
        intent,
        request.text,
        guesses=request.guesses,
        what_if=request.modality == "what_if",
        same_message=_details(dialogue, message) if intent in acts else [],
        message=message.text,
        excepted=[*request.excepted, *message.excepted],
        limit=request.limit if request.limit is not None else message.limit,
        condition=request.condition,
        other_intents=_others(dialogue, request, message) if intent is not None else [],
    )
    if (
        intent == "human"
        and dialogue.assistant_texts
        and "human agent?" in dialogue.assistant_texts[-1]
    ):
        task.chosen["now"] = "yes"
    _fallbacks(dialogue, task, [*request.otherwise, *message.otherwise])
    task.context, dialogue.inherited = dialogue.inherited, []
    dialogue.inherit_context(task)
    dialogue.tasks.append(task)


def _details(dialogue: Dialogue, message: ParsedMessage) -> list[str]:
    """The sentences that may give details: also "no bags", but not what names a thing to keep."""
    kept = [each for each in message.kept if not dialogue.names_things(each)]
    return [*message.detail_sentences, *kept]


def _is_of_a_thing(dialogue: Dialogue, request: ParsedRequest) -> bool:
    """Whether an opening says that something bought is not wanted: "dont want the belt"."""
    unwanted = has(tokens(request.text), "don't want the", "dont want the", "do not want the")
    return not dialogue.tasks and request.intent == NOTHING and unwanted


def _more_of(dialogue: Dialogue, task: Task, request: ParsedRequest) -> bool:
    """Whether a request continues an open task."""
    family = dialogue.reader.catalog.family
    same_mood = task.what_if == (request.modality == "what_if")
    alike = family(str(task.intent)) == family(request.intent)
    return alike and same_mood and dialogue.continues_task(task, request.intent, request)


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


def _is_another(dialogue: Dialogue, request: ParsedRequest, task: Task) -> bool:
    """Whether a fallback is a task of its own."""
    catalog = dialogue.reader.catalog
    own = request.intent in {*catalog.acts, NOTHING}
    if not own or task.intent is None:
        return False
    return catalog.family(request.intent) != catalog.family(task.intent)


def _drop_denied(dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage) -> None:
    """Drop the tasks that a denied request is about, and add a task that acknowledges it."""
    acts = dialogue.reader.catalog.acts
    for each in dialogue.open_tasks:
        told = dialogue.told_detail and each is dialogue.current_task and request.intent == NOTHING
        if each.intent in acts and dialogue.denies(request, each) and not told:
            dialogue.drop(each)
    if not any(each.intent == NOTHING for each in dialogue.open_tasks):
        denied = {"denied": request.intent} if request.intent in acts else {}
        alike = (each for each in dialogue.open_tasks if request.intent in {each.intent, NOTHING})
        if any(dialogue.names_another(each, request) for each in alike):
            denied = {"denied": ""}
        rest = {"rest": "yes"} if any(e.modality == "meant" for e in message.requests) else {}
        chosen, others = {**denied, **rest}, _others(dialogue, request, message)
        dialogue.tasks.append(
            Task(
                NOTHING,
                request.text,
                request.guesses,
                chosen=chosen,
                message=message.text,
                other_intents=others,
            )
        )


def _others(dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage) -> list[str]:
    """Intents that the message of a request may have meant in addition to it, or instead of it."""
    return rivals(message, request, dialogue.reader.catalog, dialogue.offers)
