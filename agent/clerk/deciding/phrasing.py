"""Words an answer: its questions, also repeated ones, what it reports, and how it ends."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has
from agent.clerk.wording import ANYTHING_ELSE, TRANSFER, join_parts, quote

_CUT = "That was a long message, and I could only read the beginning of it."
_NOT_READ = "I didn't understand {}. Please put that another way."
_STUCK = (
    "I'm sorry, I still don't follow. Shall I leave it as it is, or transfer you to a human agent?"
)
_STANDS = "I'm sorry, but I can't do more about that: it stays as I said."
_GOODBYE = "Have a good day!"
PATIENCE = 1
"""How often a question is repeated before the clerk offers to leave it."""

_SHORT = 8
"""The most words of a message that only says no to something."""


def close_answer(dialogue: Dialogue, parts: list[str]) -> list[str]:
    """The parts of an answer that asks nothing, with an invitation to go on."""
    if any(each.endswith(TRANSFER) for each in parts):
        return parts
    if parts:
        return [*parts, _GOODBYE if dialogue.farewell else ANYTHING_ELSE]
    if dialogue.farewell and dialogue.last is not None and has(dialogue.last.words, "why"):
        return ["I'm sorry, I misunderstood you. What would you like instead?"]
    if dialogue.farewell:
        return [_words_to_a_no(dialogue.last)]
    if dialogue.unidentified and dialogue.gave_identity:
        thanks = f"Thank you, {dialogue.records.first_name}."
        return [f"{thanks} {_opening_words(dialogue)}What can I do for you?"]
    return [f"All right. {ANYTHING_ELSE}"]


def _words_to_a_no(message: ParsedMessage | None) -> str:
    """A goodbye or, if the no was to something specific, an acknowledgement that quotes it.

    *No bags please* is such a no.
    """
    begins = message is not None and message.words[:1] == ("no",) and len(message.words) <= _SHORT
    if message is None or not begins or GENERAL.words["a bare no"].issuperset(message.words):
        return f"You're welcome. {_GOODBYE}"
    return f"Noted: {quote(message.text)}. I haven't changed anything. {ANYTHING_ELSE}"


def _opening_words(dialogue: Dialogue) -> str:
    """A sentence that quotes the opening message if it led to no task, or an empty string."""
    if not dialogue.opening or dialogue.tasks:
        return ""
    return f"You wrote {quote(dialogue.opening)}, which I didn't understand. "


def word_question(question: Question, dialogue: Dialogue, told: list[tuple[Task, str]]) -> str:
    """The text of a question, worded differently if it is asked again."""
    if not _is_repeated(question, dialogue, told):
        return question.text
    if dialogue.told_detail:
        return f"Noted. {question.text}"
    if dialogue.repeats >= PATIENCE:
        return _STUCK
    return f"Sorry, I didn't get that. {question.text}"


def is_worn_out(question: Question, dialogue: Dialogue, told: list[tuple[Task, str]]) -> bool:
    """Whether a question was repeated so often without an answer that it is given up."""
    worn = dialogue.repeats > PATIENCE + (2 if dialogue.told_detail else 1)
    return worn and _is_repeated(question, dialogue, told)


def _is_repeated(question: Question, dialogue: Dialogue, told: list[tuple[Task, str]]) -> bool:
    """Whether a question is the one that was asked last, with nothing new in between."""
    return (
        dialogue.question is not None
        and dialogue.question.text == question.text
        and not (told or dialogue.has_new_request)
    )


def word_statement(step: Statement, dialogue: Dialogue) -> str:
    """The text of an answer; a refusal that was just given is not repeated to who asks for it."""
    said = bool(dialogue.assistant_texts) and step.text in dialogue.assistant_texts[-1]
    refuses = step.outcome == "refused" and not step.text.endswith(TRANSFER)
    if not said or not refuses:
        return step.text
    last = dialogue.last
    pleads = last is not None and last.text.rstrip().endswith("?") and not has(last.words, "why")
    return _STANDS if pleads else step.text


def about_reading(dialogue: Dialogue, *, answers: bool) -> list[str]:
    """What is said of a message that was not read whole, before the answers to it."""
    cut = [_CUT] if dialogue.last is not None and dialogue.last.cut else []
    lost = [quote(each) for each in dialogue.not_understood if answers]
    return [*cut, *([_NOT_READ.format(join_parts(lost))] if lost else [])]


def as_text(parts: list[str]) -> str:
    """The parts of an answer as paragraphs, each once."""
    return "\n\n".join(dict.fromkeys(each for each in parts if each))
