"""Handles replies to a question or to a declined proposal."""

from __future__ import annotations

import re
from collections.abc import Container

from agent.clerk.deciding.offers import CONDITION, OFFER
from agent.clerk.lessons.adjusting import LEARNED, UNCLEAR
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_place, pick_places
from agent.clerk.understanding.retracting import ends_by_taking_back
from agent.clerk.understanding.scope import without_exceptions, without_kept
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import MORE

_BY_WORDS = frozenset({"intent", "transfer", "either", CONDITION})
_ONE_OF_TWO = re.compile(r",|;|\bnot\b.*\bbut\b|\binstead\b|\bonly\b", re.IGNORECASE)
_BESIDE = ("also", "as well", "first", "something else")
"""Words which show that a change is wanted in addition to another."""

_FEW = 4
"""The most words of a reply in which a choice may be named by its own words.

A yes or a no is looked for only among this many words at the start.
"""

_TELLS_MORE = 2
"""A reply to an offer with fewer words tells nothing more of an unclear request."""

_SHORT = 6
"""The most words of a message that is nothing but a no."""


def take_reply(dialogue: Dialogue, about: Task, told: ParsedMessage) -> list[ParsedRequest]:
    """Apply a reply to the current task, and return the requests that are new."""
    ask, acts = dialogue.question, dialogue.reader.catalog.acts
    if ask is not None and ask.slot.startswith(LEARNED):
        return _take_yes_or_no(dialogue, about, ask, told)
    if ask is not None and (
        _take_refusal(dialogue, about, ask, told) or _take_several(dialogue, about, ask, told)
    ):
        return []
    may = ask is not None and dialogue.may_pick(ask, told.text)
    place = _place_picked(ask, about, told.text) if ask is not None and may else None
    if about.intent is None and place is None and (ask is None or ask.slot == "intent"):
        return _take_instead_of_pick(about, dialogue, told)
    if ask is not None and place is not None:
        return _take_pick(dialogue, about, ask, place, told)
    sentence = dialogue.answer_sentence(about, told.text)
    own = [e for e in told.requests if _is_own(dialogue, e, about, filled=bool(sentence))]
    rest = [each for each in told.requests if not any(each is other for other in own)]
    changes = [each for each in rest if each.modality == "meant" and each.intent in acts]
    if changes and not own and not told.detail_sentences:
        sentence = ""
    if changes and dialogue.declined and has(told.words, *_BESIDE):
        about.wait = ""
        dialogue.declined_calls.clear()
        return changes
    if changes and _is_replacement(dialogue, about, changes[0], told):
        dialogue.drop(about)
        dialogue.told_detail = False
        dialogue.pass_on_details(about, changes[0])
        return rest
    if _settle(dialogue, about, told, filled=bool(sentence), rest=bool(rest)):
        return rest
    told_more = any(e.modality == "meant" for e in own) or (
        _tells_more(dialogue, told) and not rest
    )
    if sentence or told_more:
        _note(about, told, sentence or told.text)
        dialogue.told_detail = True
    return rest


def _tells_more(dialogue: Dialogue, told: ParsedMessage) -> bool:
    """Whether a message names something specific, or sets a limit or a condition."""
    return dialogue.names_something(told.text) or told.limit is not None or bool(told.condition)


def _take_refusal(dialogue: Dialogue, about: Task, ask: Question, told: ParsedMessage) -> bool:
    """Exclude a thing that was offered, or drop the task, if the reply says so.

    Returns whether it did.
    """
    if ask.slot == "items" and _leaves_out(dialogue, told):
        about.excepted.append(told.text)
        dialogue.told_detail = True
        return True
    if ends_by_taking_back(told.text):
        dialogue.drop(about)
        return True
    return False


def _take_yes_or_no(
    dialogue: Dialogue, about: Task, ask: Question, told: ParsedMessage
) -> list[ParsedRequest]:
    """Record whether a lesson applies, and return the message's other requests.

    An answer that is neither yes nor no is asked about once more, and then counts as a no.
    """
    first = told.words[:_FEW]
    if "farewell" in told.aside_intents:
        dialogue.drop(about)
        return []
    answer = "no" if tells(first, "not so") else "yes" if tells(first, "so") else ""
    before = about.chosen.get(ask.slot)
    about.chosen[ask.slot] = answer or ("no" if before == UNCLEAR else UNCLEAR)
    about.note(told.text)
    dialogue.told_detail = True
    return [each for each in told.requests if _is_beside_pick(dialogue, each, about.intent)]


def _leaves_out(dialogue: Dialogue, told: ParsedMessage) -> bool:
    """Whether the words only exclude one of the things on offer: "never mind the lamp"."""
    begins = tells(told.words[:2], "left out") and len(told.words) <= _SHORT
    return begins and dialogue.names_something(told.text) and _ONE_OF_TWO.search(told.text) is None


def _is_own(dialogue: Dialogue, wish: ParsedRequest, about: Task, *, filled: bool) -> bool:
    """Whether a request belongs to the current task."""
    if wish.modality == "denied":
        return dialogue.denies(wish, about)
    return dialogue.adds_detail_to(wish, about, filled=filled)


def _take_pick(
    dialogue: Dialogue, about: Task, ask: Question, place: int, told: ParsedMessage
) -> list[ParsedRequest]:
    """Apply the choice that was picked, and return the separate requests that came with it."""
    dialogue.told_detail = True
    if ask.slot == CONDITION:
        about.condition = ""
        if ask.choices[place].value == "leave":
            dialogue.drop(about)
        return []
    if _take_intent(about, ask, place, dialogue.reader.catalog.acts):
        if len(told.words) > 1:
            about.note(told.text)
        dialogue.inherit_context(about)
        return []
    sentence = dialogue.pick(about, ask, ask.choices[place])
    if ask.slot == "either":
        return []
    _note(about, told, f"{sentence} , {told.text}" if sentence else told.text)
    return [each for each in told.requests if _is_beside_pick(dialogue, each, about.intent)]


def _take_several(dialogue: Dialogue, about: Task, ask: Question, told: ParsedMessage) -> bool:
    """Apply several choices picked at once, as in "1 and 3"; return whether there were any."""
    if ask.slot not in dialogue.multi_choice_slots or ask.text.endswith(MORE):
        return False
    own = [each for each in ask.choices if not each.value.startswith(OFFER)]
    main, excepted = without_exceptions(told.text)
    places = pick_places(main, len(own))
    if places:
        about.chosen.pop(ask.slot, None)
        about.note(" and ".join(own[place].value for place in places))
        about.excepted += excepted
        dialogue.told_detail = True
    return bool(places)


def _take_instead_of_pick(
    about: Task, dialogue: Dialogue, told: ParsedMessage
) -> list[ParsedRequest]:
    """Handle a reply that picks nothing from an offer: return its own requests, if it has any."""
    sure = [each for each in told.requests if not each.is_uncertain and each.modality != "denied"]
    denied = any(each.modality == "denied" for each in told.requests)
    lets_go = "or" in about.chosen or (denied and not _accepts(told))
    certain = any(each.has_verb or each.has_cue for each in sure)
    plain = None if lets_go or certain else dialogue.implied_request(told, about)
    if lets_go or sure or plain is not None:
        about.closed, about.outcome = True, "dropped"
        dialogue.inherited = about.words
        return told.requests if plain is None else [plain]
    if {"no", "farewell"} & set(told.aside_intents):
        dialogue.drop(about)
        return []
    return _read_with_reply(about, dialogue, told)


def _read_with_reply(about: Task, dialogue: Dialogue, told: ParsedMessage) -> list[ParsedRequest]:
    """Read an unclear request again together with what was said to its offer."""
    again = dialogue.reader.read(f"{about.text.rstrip('.')} , {told.text}")
    clear = [e for e in again.requests if e.modality == "meant" and not e.is_uncertain]
    if len(told.words) < _TELLS_MORE:
        return []
    if not clear:
        about.note(told.text)
        dialogue.told_detail = True
        return []
    about.closed, about.outcome = True, "dropped"
    dialogue.inherited = about.words
    return clear


def _accepts(told: ParsedMessage) -> bool:
    """Whether a short reply only says that something suits: "plum is fine"."""
    return len(told.words) <= _FEW + 1 and tells(told.words, "suits")


def _take_intent(about: Task, ask: Question, place: int, acts: Container[str]) -> bool:
    """Set the task's intent if the pick is one; "none of these" turns to the next page.

    Returns whether the pick was one of these.
    """
    value = ask.choices[place].value
    if ask.slot != "intent" and not value.startswith(OFFER):
        return False
    name = value.removeprefix(OFFER)
    about.what_if = name == "hypothetical"
    if not name:
        about.chosen["page"] = str(int(about.chosen.get("page", "0")) + 1)
        return True
    likely = (each.name for each in about.guesses if each.name in acts)
    about.intent = next(likely, name) if about.what_if else name
    about.chosen.pop("or", None)
    about.wait = ""
    return True


def _is_beside_pick(dialogue: Dialogue, wish: ParsedRequest, intent: str | None) -> bool:
    """Whether a request that came with a pick is separate from it."""
    plain = wish.has_verb and wish.intent != intent and wish.modality == "meant"
    asks = wish.has_cue and wish.intent not in dialogue.reader.catalog.acts
    return plain or asks


def _is_replacement(
    dialogue: Dialogue, about: Task, wish: ParsedRequest, told: ParsedMessage
) -> bool:
    """Whether another change is wanted instead of the current one."""
    lets_go = any(each.modality == "denied" for each in told.requests)
    revised = dialogue.question is not None and dialogue.question.slot == "revise"
    instead = tells(told.words, "instead") and not has(told.words, *_BESIDE)
    return (
        dialogue.declined
        or (revised and not has(told.words, *_BESIDE))
        or lets_go
        or dialogue.replaces(about, wish)
        or (instead and about.intent in dialogue.reader.catalog.acts)
    )


def _settle(
    dialogue: Dialogue, about: Task, told: ParsedMessage, *, filled: bool, rest: bool
) -> bool:
    """Handle a reply that is a yes or a no, or that drops the task; return whether it was one."""
    lets_go = any(each.modality == "denied" for each in told.requests)
    if lets_go and not filled and not dialogue.names_something(told.text):
        dialogue.drop(about)
        return True
    bare = not filled and not rest and not dialogue.names_something(told.text)
    if bare and (
        "farewell" in told.aside_intents
        or ("no" in told.aside_intents and len(told.words) <= _SHORT)
    ):
        dialogue.drop(about)
        return True
    return "yes" in told.aside_intents and not filled and _take_yes(dialogue, about, told)


def _place_picked(ask: Question, about: Task, text: str) -> int | None:
    """The index of the choice that is meant; None if that is unclear.

    A yes to the question about a condition picks the first choice, which is to go ahead.
    """
    words = tokens(text)
    if ask.slot == CONDITION and tells(words, "yes") and not tells(words, "not so"):
        return 0
    short = ask.slot != "intent" or len(text.split()) <= _FEW
    told_apart = ask.slot == "items" and len(words) <= _FEW and words[-1:] == ("one",)
    by_words = (ask.slot in _BY_WORDS or told_apart) and "or" not in about.chosen and short
    meant = without_kept(text) if by_words else text
    return pick_place(meant, [each.words for each in ask.choices], by_words=by_words)


def _note(about: Task, told: ParsedMessage, sentence: str) -> None:
    main, excepted = without_exceptions(sentence)
    about.note(main)
    about.excepted += excepted
    for wish in told.requests:
        about.alternatives += wish.otherwise
        about.limit = wish.limit if wish.limit is not None else about.limit
    about.alternatives += told.otherwise
    about.limit = told.limit if told.limit is not None else about.limit
    about.condition = told.condition or about.condition


def _take_yes(dialogue: Dialogue, about: Task, told: ParsedMessage) -> bool:
    """Let a yes pick the only choice, or repeat a declined proposal; return whether it did."""
    ask = dialogue.question
    if ask is None or dialogue.declined:
        return False
    own = [each for each in ask.choices if not each.value.startswith(OFFER)]
    if len(own) == 1:
        about.note(dialogue.pick(about, ask, own[0]))
        dialogue.told_detail = True
        return True
    if ask.slot == "revise" and tells(told.words, "yes"):
        about.wait = ""
        dialogue.declined_calls.clear()
        dialogue.told_detail = True
        return True
    return False
