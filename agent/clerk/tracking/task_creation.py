"""Creates tasks from requests, and drops the tasks that a message denies."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import OFFERABLE, Task
from agent.clerk.understanding.parsed_message import (
    CERTAIN,
    CLEAR,
    SURE,
    WANTED,
    ParsedMessage,
    ParsedRequest,
    Terms,
)
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import only_asks
from agent.clerk.understanding.rival_intents import rivals
from agent.clerk.understanding.tokens import tokens

NOTHING = "nothing_changes"
RULES = "policy_question"
"""The intent of questions about rules, in any domain."""


def create_or_extend_task(
    dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage
) -> None:
    """Create a task for a request, or add the request to an open task.

    A denied request drops the tasks that it is about.
    """
    dialogue.has_new_request = True
    catalog = dialogue.reader.catalog
    acts, others = catalog.acts, rivals(message, request, catalog, dialogue.offers)
    if request.modality == "denied":
        _drop_denied(dialogue, request, message, others)
        return
    unsure = request.is_uncertain and not _is_alone_possible(request, dialogue)
    intent = None if unsure else request.intent
    if intent not in acts:  # a question changes nothing anyway
        others = [each for each in others if each != NOTHING]
    changes = any(each.intent in acts for each in dialogue.open_tasks)
    asked = dialogue.question.slot if dialogue.question is not None else ""
    if intent is None and asked and (changes or asked == "transfer"):
        if request.text.rstrip().endswith("?") or only_asks(f"{request.text}?"):
            doubted = Task(RULES, request.text, message=message.text, chosen={"doubt": "yes"})
            dialogue.tasks.append(doubted)
        else:
            dialogue.not_understood.append(request.text)
        return
    for each in dialogue.open_tasks:
        if intent in acts and _is_continued(dialogue, each, request):
            for told in [*_details(dialogue, request, message), request.text]:
                each.note(told)
            each.other_intents = [] if request.probability >= CERTAIN else each.other_intents
            add_terms(dialogue, each, request)
            return
    task = Task(
        intent,
        request.text,
        guesses=request.guesses,
        what_if=request.modality == "what_if",
        same_message=_details(dialogue, request, message) if intent in acts else [],
        message=message.text,
        other_intents=others if intent is not None else [],
    )
    surely = min(request.probability, request.modality_probability) >= CERTAIN
    task.doubtful = intent in acts and not (surely or dialogue.unidentified)
    add_terms(dialogue, task, message)
    add_terms(dialogue, task, request)
    task.context, dialogue.inherited = dialogue.inherited, []
    dialogue.inherit_context(task)
    dialogue.tasks.append(task)


def _is_alone_possible(request: ParsedRequest, dialogue: Dialogue) -> bool:
    """Whether a request that is meant is the only one of what it may be that the clerk can do."""
    if request.modality != "meant" or request.modality_probability < WANTED:
        return False
    likely = [each.name for each in request.guesses if each.probability >= OFFERABLE]
    possible = [name for name in likely if name in dialogue.offers]
    return possible == [request.intent] and request.probability >= SURE


def add_terms(dialogue: Dialogue, task: Task, said: Terms) -> None:
    """Add to a task the exceptions, the limit, the condition and the fallbacks that were said.

    A fallback is another task, another detail of this one, or to leave it.
    """
    task.excepted += said.excepted
    task.limit = said.limit if said.limit is not None else task.limit
    lost = (each for each in said.excepted if "$" in each)  # "all but what costs more than $100"
    task.condition = said.condition or next(lost, "") or task.condition
    catalog = dialogue.reader.catalog
    for deed in said.otherwise:
        read = dialogue.reader.read(deed)
        wish = next((each for each in read.requests if not each.is_uncertain), None)
        changes = wish is not None and wish.intent in {*catalog.acts, NOTHING}
        if wish is None or not changes:
            task.alternatives.append(deed)
        elif wish.modality == "denied":
            task.give_up = True
        elif catalog.family(wish.intent) == catalog.family(str(task.intent)):
            task.alternatives.append(deed)
        else:
            task.fallback_tasks.append(Task(wish.intent, deed, wish.guesses, message=task.message))


def _details(dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage) -> list[str]:
    """The sentences that may give details of a request: also "no bags", but not what names a thing
    to keep, nor what stands between two requests and rather is of the other one.
    """
    kept = [each for each in message.kept if not dialogue.names_things(each)]
    others = _details_of_others(dialogue, request, message)
    return [*(e for e in message.detail_sentences if e not in others), *kept]


def _details_of_others(
    dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage
) -> list[str]:
    """The details between two requests that are of another one than this.

    "I'd like my money back. The mouse is no good, do you have a left one?" asks for a mouse: what
    is said before a request that names nothing itself is of that, and else of the one before, as is
    what is said between a change and a question.
    """
    texts = [each if isinstance(each, str) else each.text for each in message.in_order]
    places = [n for n, each in enumerate(message.in_order) if _is_asked(each, message)]
    found = []
    for place, text in enumerate(texts):
        before = [n for n in places if n < place]
        after = [n for n in places if n > place]
        if place in places or not before or not after:
            continue
        leads = dialogue.names_something(text) and not dialogue.names_something(texts[after[0]])
        leads &= _changes(message.in_order[after[0]], dialogue) or not _changes(
            message.in_order[before[-1]], dialogue
        )
        owner = texts[after[0] if leads else before[-1]]
        found += [text] if owner not in request.text else []
    return found


def _changes(part: ParsedRequest | str, dialogue: Dialogue) -> bool:
    return not isinstance(part, str) and part.intent in dialogue.reader.catalog.acts


def _is_asked(part: ParsedRequest | str, message: ParsedMessage) -> bool:
    return not isinstance(part, str) and part.text not in message.detail_sentences


def _is_continued(dialogue: Dialogue, task: Task, request: ParsedRequest) -> bool:
    """Whether a request continues an open task."""
    family = dialogue.reader.catalog.family
    same_mood = task.what_if == (request.modality == "what_if")
    alike = family(str(task.intent)) == family(request.intent)
    return alike and same_mood and dialogue.continues_task(task, request.intent, request)


def _drop_denied(
    dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage, others: list[str]
) -> None:
    """Drop the tasks that a denied request is about, and add a task that acknowledges it."""
    acts = dialogue.reader.catalog.acts
    changes = [each for each in dialogue.open_tasks if each.intent in acts]
    plain = request.intent == NOTHING and not tells(tokens(request.text), "denying")
    if changes and plain and dialogue.unidentified:
        changes[-1].note(request.text)  # "full size with RGB, still want those" undoes no wish
        return
    for each in dialogue.open_tasks:
        told = dialogue.told_detail and each is dialogue.current_task and request.intent == NOTHING
        if each.intent in acts and dialogue.leaves_part_of(each, request.text):
            dialogue.told_detail = True
        elif each.intent in acts and dialogue.denies(request, each) and not told:
            dialogue.drop(each)
    if _is_answer(dialogue, request) or _is_remark(dialogue, request, message):
        return
    if any(each.intent == NOTHING for each in dialogue.open_tasks):
        return
    sure = request.intent in acts and request.probability >= CLEAR
    chosen = {"denied": request.intent} if sure else {}
    alike = (each for each in dialogue.open_tasks if request.intent in {each.intent, NOTHING})
    if any(dialogue.names_another(each, request) for each in alike):
        chosen = {"denied": ""}
    if any(each.modality == "meant" and each.intent in acts for each in message.requests):
        chosen["rest"] = "yes"
    text, guesses = request.text, request.guesses
    dialogue.tasks.append(
        Task(NOTHING, text, guesses, chosen=chosen, message=message.text, other_intents=others)
    )


def _is_remark(dialogue: Dialogue, request: ParsedRequest, message: ParsedMessage) -> bool:
    """Whether what sounds like a denial just goes with a wish: "late again. this is not ok"."""
    wanted = any(each.modality == "meant" for each in message.requests)
    unsure = request.intent == NOTHING and request.probability < CERTAIN
    return wanted and unsure and not dialogue.names_something(request.text)


def _is_answer(dialogue: Dialogue, request: ParsedRequest) -> bool:
    """Whether a denial has answered the open question: "no, we need no insurance"."""
    current = dialogue.current_task
    if current is None or current.closed or dialogue.question is None:
        return False
    return dialogue.told_detail and bool(dialogue.answer_sentence(current, request.text))
