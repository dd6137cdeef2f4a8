"""Processes a customer's message: who is speaking, replies, new requests, and small talk."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.tracking.asides import (
    MANNERS,
    RATHER_TALK,
    take_aside,
    take_leave,
    take_remark_on_change,
)
from agent.clerk.tracking.picks import note, place_picked
from agent.clerk.tracking.replying import take_reply
from agent.clerk.tracking.task_creation import NOTHING, create_or_extend_task
from agent.clerk.understanding.parsed_message import (
    CERTAIN,
    CLEAR,
    LONGEST,
    SURE,
    WANTED,
    ParsedMessage,
    ParsedRequest,
)
from agent.clerk.understanding.sentence_kinds import asks_to_wait, refuses_human, says_also
from agent.clerk.understanding.tokens import has, tokens

BRIEF = 2
"""What is said to stay in this many words or fewer is not repeated."""

_DO_IT = ("do it", "do that", "do this", "go ahead", "book it", "let's do", "go for it")


def take_message(dialogue: Dialogue, text: str) -> None:
    """Update the dialogue with a message that the customer typed."""
    told = _read_message(dialogue, text)
    kept = dialogue.not_understood if dialogue.unidentified else []
    dialogue.not_understood = [*kept, *_drop_unclear(dialogue, told)]
    before = _details_so_far(dialogue)
    current = dialogue.current_task
    about = current if current is not None and not current.closed else None
    if take_remark_on_change(dialogue, told):
        return
    rest = _take_reply(dialogue, about, told)
    if dialogue.reopen(told):
        dialogue.has_new_request = True
        return
    if _completes_opening(dialogue, told):
        return
    implied = _implied_request(dialogue, rest, told)
    rest = rest if implied is None else [implied]
    if implied is None and _reopen_last(dialogue, rest, told):
        return
    _take_requests(dialogue, rest, told)
    revised = dialogue.question is not None and dialogue.question.slot == "revise"
    goes_on = (dialogue.told_detail or dialogue.declined) and not revised
    if about is not None and not (about.closed or goes_on):
        _postpone(dialogue, about, rest)
    dialogue.not_understood += [e for e in told.detail_sentences if _is_unanswered(dialogue, e)]
    dialogue.not_understood += [e for e in told.unclear if _is_lost(dialogue, e)]
    changed = before != _details_so_far(dialogue)
    moods = {each.modality for each in told.requests}
    leaves = "farewell" in told.aside_intents and not dialogue.gave_identity
    if leaves and "meant" not in moods and (moods or not changed):
        take_leave(dialogue, drops=True)
    elif not (rest or dialogue.told_detail or changed):
        take_aside(dialogue, told)


def _details_so_far(dialogue: Dialogue) -> list[tuple[int, dict[str, str]]]:
    """What has been told of each task, to find out whether a message tells more."""
    return [(len(each.notes), dict(each.chosen)) for each in dialogue.tasks]


def _read_message(dialogue: Dialogue, text: str) -> ParsedMessage:
    """Parse the message, and reset the state that concerned only the message before it."""
    dialogue.message_count += 1
    dialogue.has_new_request = dialogue.told_detail = dialogue.farewell = False
    dialogue.let_go = False
    dialogue.unidentified, dialogue.gave_identity = dialogue.records.user is None, False
    dialogue.opening = dialogue.opening if dialogue.unidentified else ""
    told = _parse(dialogue, dialogue.preprocess(text))
    told.text = text[:LONGEST]
    dialogue.last = told
    dialogue.asked_to_wait = asks_to_wait(text)
    if dialogue.asked_to_wait:  # who needs a moment takes nothing back
        told.requests = [each for each in told.requests if each.modality != "denied"]
    dialogue.identify_customer(text, told)
    told.requests = _without_courtesies(dialogue, told)
    told.complete_subjects()
    dialogue.customer_texts.append(text)
    return told


def _without_courtesies(dialogue: Dialogue, message: ParsedMessage) -> list[ParsedRequest]:
    """The requests without what only goes with a goodbye, or with who is speaking.

    "Cheers, back to the boxes!" after all is done wants nothing, and what is left of "it is
    anna_berg_2041" denies nothing.
    """
    found = [e for e in message.requests if e.intent != "human" or not refuses_human(e.text)]
    if len(found) < len(message.requests):
        message.guesses = tuple(each for each in message.guesses if each.name != "human")
    if "farewell" in message.aside_intents and dialogue.tasks and not dialogue.open_tasks:
        found = [e for e in found if e.probability >= CLEAR or e.text.rstrip().endswith("?")]
    if dialogue.gave_identity:
        found = [e for e in found if e.intent != NOTHING or e.probability >= CERTAIN]
    return found


def _parse(dialogue: Dialogue, text: str) -> ParsedMessage:
    """Parse a message as a reply to what was said last.

    At first nothing can be checked on, and details alone are those of a request that they imply.
    """
    catalog = dialogue.reader.catalog
    absent = frozenset() if dialogue.tasks else frozenset({catalog.check})
    told = dialogue.reader.read(text, dialogue.asked, absent)
    if dialogue.tasks or told.requests or catalog.detail not in told.aside_intents:
        return told
    again = dialogue.reader.read(text, "", absent | {catalog.detail})
    implied = max(again.requests, key=lambda each: each.probability, default=None)
    if implied is not None:
        implied.text, told.requests, told.detail_sentences = told.text, [implied], []
        told.guesses = again.guesses
    return told


def _drop_unclear(dialogue: Dialogue, message: ParsedMessage) -> list[str]:
    """Drop what was unclear in earlier messages, unless the customer was asked about it just now.

    Before the account is found nothing can be asked about, so it is kept until a clear request: of
    a change, if that comes with who is speaking.
    Returns the words of what was rather a change, and about which nothing was ever said.
    """
    acts, lost = dialogue.reader.catalog.acts, []
    told = [each.intent for each in message.requests if not each.is_uncertain]
    clear = not acts.isdisjoint(told) if dialogue.gave_identity else bool(told)
    for each in dialogue.open_tasks if clear or not dialogue.unidentified else []:
        if each.intent is None and each is not dialogue.current_task:
            each.close("dropped")
            likely = sum(guess.probability for guess in each.guesses if guess.name in acts)
            lost += [each.text] if likely >= WANTED and not dialogue.has_told(each.text) else []
    return lost


def _take_reply(
    dialogue: Dialogue, about: Task | None, message: ParsedMessage
) -> list[ParsedRequest]:
    """Apply a message to the task that was asked about; return the requests beside that."""
    _take_out_denied(dialogue, message)
    shared = dialogue.requests_for_both(message)
    if about is not None and _is_left(dialogue, about, message):
        about.close("dropped")
        dialogue.question, about = None, None
    if shared is not None:
        return shared
    if about is None or (dialogue.question is None and not dialogue.declined):
        return message.requests
    return take_reply(dialogue, about, message)


def _take_out_denied(dialogue: Dialogue, message: ParsedMessage) -> None:
    """Take out of the open changes what a message denies of them, and acknowledge that."""
    acts = dialogue.reader.catalog.acts
    changes = [each for each in dialogue.open_tasks if each.intent in acts]
    for wish in [each for each in message.requests if each.modality == "denied"]:
        left = [each for each in changes if dialogue.leaves_part_of(each, wish.text)]
        if left:
            kept = Task(NOTHING, wish.text, message=message.text, chosen={"denied": ""})
            dialogue.tasks.append(kept)
            dialogue.told_detail = True
            message.requests.remove(wish)


def _is_left(dialogue: Dialogue, task: Task, message: ParsedMessage) -> bool:
    """Whether a message turns from a question that asked something back to something else.

    What was only asked about never keeps the customer from what they want: it is dropped as soon as
    a reply does not fill what it lacks.
    """
    ask = dialogue.question
    acts = dialogue.reader.catalog.acts
    if ask is None or ask.slot == "intent" or task.intent is None:
        return False
    if task.intent in acts and not (task.what_if and "no" in message.aside_intents):
        return False
    away = [e for e in message.requests if e.intent != task.intent and not e.is_uncertain]
    if ask.slot == "transfer":  # a question on the way is answered, and then it is asked again
        return any(each.intent in acts for each in away)
    turns = bool(away)
    answers = dialogue.answer_sentence(task, message.text) or (
        place_picked(dialogue, ask, task, message) is not None
    )
    return not answers and (turns or task.intent in dialogue.offers)


def _implied_request(
    dialogue: Dialogue, requests: list[ParsedRequest], message: ParsedMessage
) -> ParsedRequest | None:
    """The request that the details of a message imply, if it makes no clear one itself.

    If an unclear request is rather another change than the implied one, nothing is implied, nor by
    small talk: "nice weather today".
    """
    if dialogue.told_detail or not all(each.is_uncertain for each in requests):
        return None
    if message.likelihood_of(MANNERS) > RATHER_TALK:
        return None
    implied, acts = dialogue.implied_request(message), dialogue.reader.catalog.acts
    likely = {each.intent for each in requests if each.probability >= SURE and each.intent in acts}
    return implied if implied is not None and likely <= {implied.intent} else None


def _take_requests(
    dialogue: Dialogue, requests: list[ParsedRequest], message: ParsedMessage
) -> None:
    """Turn requests into tasks, and what is said to stay as it is into what acknowledges that."""
    for wish in dialogue.refine_requests(requests, message):
        create_or_extend_task(dialogue, wish, message)
    dialogue.tasks += [
        Task(NOTHING, each, message=message.text, chosen={"denied": ""})
        for each in message.kept
        if len(each.split()) > BRIEF
    ]


def _postpone(dialogue: Dialogue, task: Task, rest: list[ParsedRequest]) -> None:
    """Move a task with an open question behind a change that was requested just now."""
    acts = dialogue.reader.catalog.acts
    if any(each.intent in acts and each.modality == "meant" for each in rest):
        dialogue.tasks = [*(each for each in dialogue.tasks if each is not task), task]


def _is_unanswered(dialogue: Dialogue, sentence: str) -> bool:
    """Whether a sentence is a question, and not just a detail of an open change."""
    asks = sentence.rstrip().endswith("?") and len(sentence.split()) > 3
    details = any(each.intent in dialogue.reader.catalog.acts for each in dialogue.open_tasks)
    argues = has(tokens(sentence)[-2:], "right")  # "but I'm gold, so that should be fine right?"
    return asks and not (details and (argues or dialogue.names_something(sentence)))


def _is_lost(dialogue: Dialogue, sentence: str) -> bool:
    """Whether an unclear wish gives no detail of any other: "also i want seat 3A"."""
    return says_also(tokens(sentence)) and not dialogue.names_something(sentence)


def _completes_opening(dialogue: Dialogue, message: ParsedMessage) -> bool:
    """Add details that came with who is speaking to what was wanted before; return whether so."""
    acts = dialogue.reader.catalog.acts
    wanted = [each for each in dialogue.open_tasks if each.intent in acts]
    if not dialogue.unidentified or len(wanted) != 1:
        return False
    task, wishes = wanted[0], message.requests
    own = all(dialogue.adds_detail_to(each, task, filled=True) for each in wishes)
    if own and dialogue.tells_of(task, message.text):
        note(dialogue, task, message, message.text)
        return True
    details = [each for each in message.detail_sentences if dialogue.names_something(each)]
    if details and not any(each.intent in acts for each in wishes):
        task.note(" . ".join(details))  # "economy, one way. how many bags are free?"
    return False


def _reopen_last(dialogue: Dialogue, requests: list[ParsedRequest], message: ParsedMessage) -> bool:
    """Reopen the last task if a message like "yes, do it" asks for it after all.

    The task was dropped, or its change was only asked about. Returns whether it was reopened.
    """
    own = [each for each in dialogue.tasks if "or" not in each.chosen]
    if not own or dialogue.open_tasks or any(each.modality == "denied" for each in requests):
        return False
    last = next((each for each in reversed(own[-2:]) if each.what_if), own[-1])
    clear = [each for each in requests if not each.is_uncertain]
    family = dialogue.reader.catalog.family
    same = all(
        family(each.intent) == family(str(last.intent))
        and each.modality == "meant"
        and not dialogue.names_another(last, each)
        for each in clear
    )
    if last.what_if and last.outcome == "answered":
        again = bool(clear) or has(message.words, *_DO_IT)
    else:
        again = last.outcome == "dropped" and has(message.words, "after all")
    if not (same and again):
        return False
    last.closed, last.outcome, last.wait, last.what_if = False, "", "", False
    others = [each for each in dialogue.tasks if each is not last]
    dialogue.tasks = [*others, *dialogue.tasks_before(last), last]
    dialogue.declined_calls.clear()
    dialogue.has_new_request = True
    last.note(message.text)
    return True
