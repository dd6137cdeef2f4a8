"""Words an answer: its questions, also repeated ones, what it reports, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question, Statement
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import NOTHING
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import ANYTHING_ELSE, join_parts, quote

_CUT = "That was a long message, and I could only read the beginning of it."
_STUCK = (
    "I'm sorry, I still don't follow. Shall I leave it as it is, or transfer you to a human agent?"
)
_GOODBYE = "Have a good day!"
_STANDS = "I'm sorry, but I can't do more about that: it stays as I said."
_LATE = (
    "That has already been done and can't simply be undone. "
    "Tell me if something about it should be different."
)
PATIENCE = 1
"""How often a question is repeated before the clerk offers to leave it."""

BRIEF_REFUSAL = 100
"""A refusal of at most this many characters can be heard twice."""

_SHORT = 8
"""The most words of a message that only says no to something."""


def close_answer(dialogue: Dialogue, parts: list[str]) -> list[str]:
    """The parts of an answer that asks nothing, with an invitation to go on."""
    if parts:
        return [*parts, _GOODBYE if dialogue.farewell else ANYTHING_ELSE]
    if dialogue.farewell:
        return [_words_to_a_no(dialogue)]
    begins = dialogue.unidentified and dialogue.gave_identity
    if dialogue.tasks and not begins:
        return [f"All right{', that stays as it is' * dialogue.let_go}. {ANYTHING_ELSE}"]
    lost = dialogue.opening if not dialogue.tasks else ""
    thanks = f"Thank you, {dialogue.records.first_name}. " if begins else ""
    asks = f"You wrote {quote(lost)}. What would you like me to do?" if lost else ""
    return [f"{thanks}{asks or 'What can I do for you?'}"]


def _words_to_a_no(dialogue: Dialogue) -> str:
    """A goodbye or, if the no was to something specific, an acknowledgement that quotes it.

    *No bags please* is such a no.
    """
    last = dialogue.last
    leaves = last is not None and "farewell" in last.aside_intents and not last.detail_sentences
    if last is None or leaves or not _is_specific_no(last.words):
        thanked = last is not None and tells(last.words, "thanking")
        return f"You're welcome. {_GOODBYE}" if thanked else _GOODBYE
    return f"Noted: {quote(last.text)}. I haven't changed anything. {ANYTHING_ELSE}"


def _is_specific_no(words: Tokens) -> bool:
    bare = GENERAL.words["a bare no"].issuperset(words)
    return words[:1] == ("no",) and len(words) <= _SHORT and not bare


def word_question(question: Question, dialogue: Dialogue, told: list[tuple[Task, str]]) -> str:
    """The text of a question, worded differently if it is asked again."""
    if not _is_repeated(question, dialogue, told):
        return question.text
    if _says_more(dialogue):
        return f"Noted. {question.text}"
    if dialogue.repeats >= PATIENCE:
        return _STUCK
    return f"Sorry, I didn't get that. {question.text}"


def _says_more(dialogue: Dialogue) -> bool:
    """Whether the last message tells something else than what was asked, which is kept."""
    last, task = dialogue.last, dialogue.current_task
    if last is None or task is None or not dialogue.told_detail:
        return False
    again = any(each.intent == task.intent for each in last.requests)
    return not again and dialogue.names_something(last.text)


def is_worn_out(question: Question, dialogue: Dialogue, told: list[tuple[Task, str]]) -> bool:
    """Whether a question was repeated so often without an answer that it is given up."""
    worn = dialogue.repeats > PATIENCE + (2 if _says_more(dialogue) else 1)
    return worn and _is_repeated(question, dialogue, told)


def _is_repeated(question: Question, dialogue: Dialogue, told: list[tuple[Task, str]]) -> bool:
    """Whether a question is the one that was asked last, with nothing new in between."""
    same = dialogue.question is not None and dialogue.question.text == question.text
    return same and not (told or dialogue.has_new_request)


def word_statement(step: Statement, dialogue: Dialogue) -> str:
    """The text of an answer; a long refusal is not repeated to who just asks for it again."""
    said = any(step.text in text for text in dialogue.assistant_texts[-1:])
    said = said and len(step.text) > BRIEF_REFUSAL
    last = dialogue.last
    pleads = last is not None and "?" in last.text and not has(last.words, "why")
    return _STANDS if said and step.outcome == "refused" and pleads else step.text


def says_nothing(task: Task, dialogue: Dialogue) -> bool:
    """Whether to say that something stays tells nothing: it does not say what."""
    denied = task.chosen.get("denied")
    named = denied in dialogue.offers or dialogue.kept_things(task.text) or "late" in task.chosen
    return task.intent == NOTHING and not named


def acknowledge(task: Task, dialogue: Dialogue) -> str:
    """The sentence which says that something is left as it is, naming it if it was named."""
    denied, kept = task.chosen.get("denied"), dialogue.kept_things(task.text)
    if "late" in task.chosen or (kept and dialogue.has_changed(task.text)):
        return _LATE
    if kept:
        stays = "stays as it is" if len(kept) == 1 else "stay as they are"
        return f"All right, {join_parts(kept)} {stays}."
    if denied == "" or (denied is not None and "rest" in task.chosen):
        return "All right, that stays as it is."
    if denied is not None and denied in dialogue.offers:
        return f"All right, you don't want to {dialogue.offers[denied]}; I'll leave that."
    beside = "rest" in task.chosen or any(each.written for each in dialogue.tasks)
    return f"All right, I'll leave {'the rest' if beside else 'everything'} as it is."


def tell_done(
    task: Task, dialogue: Dialogue, report: Callable[[Task], str], told: Sequence[Task]
) -> str:
    """The changes that were made, each as it was reported, and those that still wait.

    What was ``told`` in the same answer waits no more.

    What the question names and none of them speaks of is said to be as it was.
    """
    reports = (report(each) for each in dialogue.tasks if each.written)
    done = list(dict.fromkeys(filter(None, reports)))
    waiting = dict.fromkeys(
        dialogue.offers[str(each.intent)]
        for each in dialogue.open_tasks
        if dialogue.changes_records(each) and not each.written
        if each.intent in dialogue.offers and each.intent in dialogue.reader.catalog.acts
        if not any(each is one for one in told)
    )
    words = tokens(task.text)
    rest = f"Nothing {'else has been changed' if done else 'has been changed so far'}."
    to_do = f" Still to do: {join_parts(waiting)}." if waiting else ""
    changed = " ".join(done)
    kept = dialogue.kept_things(task.text)
    kept = [e for e in kept if e.removeprefix("the ").lower() not in changed.lower()]
    if kept and done and not waiting:
        lead = "No" if has(words, "touched", "touch", "changed", "change", "altered") else "Yes"
        return f"{lead}, {join_parts(kept)} {'is' if len(kept) == 1 else 'are'} as before."
    return "\n\n".join([*done, f"{rest}{to_do}"])


def about_reading(dialogue: Dialogue, lost: Sequence[str]) -> list[str]:
    """What is said of a message that was cut short, or of which parts were not understood."""
    cut = [_CUT] if dialogue.last is not None and dialogue.last.cut else []
    return [*cut, *([tell_lost(lost)] if lost else [])]


def tell_lost(texts: Sequence[str]) -> str:
    """The sentence about what was not understood."""
    return f"I didn't understand {join_parts(map(quote, texts))}. Please put that another way."


def as_text(parts: list[str]) -> str:
    """The parts of an answer as paragraphs, each once, and none that another one holds."""
    known: dict[str, str] = {}
    for each in filter(None, parts):
        known.setdefault(each.lower(), each)
    told = [*known.values()]
    whole = (e for e in told if not any(o is not e and e.lower() in o.lower() for o in told))
    return "\n\n".join(whole)
