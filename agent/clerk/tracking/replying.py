"""Replies to what was asked, and to a change that was declined."""

from __future__ import annotations

import re
from collections.abc import Container

from agent.clerk.deciding.offers import CONDITION, OFFER
from agent.clerk.lessons.heeding import LEARNED, UNCLEAR
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Ask
from agent.clerk.state.task import Task
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_place, pick_places
from agent.clerk.understanding.retracting import ends_by_taking_back
from agent.clerk.understanding.scope import without_exceptions
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import Message, Wish
from agent.clerk.wording import MORE

_BY_WORDS = frozenset({"intent", "transfer", "either", CONDITION})
_ONE_OF_TWO = re.compile(r",|;|\bnot\b.*\bbut\b|\binstead\b|\bonly\b", re.IGNORECASE)
_BESIDE = ("also", "as well", "first", "something else")
"""Words of a change that is wanted beside another."""

_FEW = 4
"""Words of an answer up to which they may name what was offered."""

_SHORT = 6
"""Words up to which a no is nothing but a no."""


def take_reply(talk: Dialogue, about: Task, told: Message) -> list[Wish]:
    """Fold a reply into the task at hand; what is new besides is given back."""
    ask, acts = talk.ask, talk.reader.manner.acts
    if ask is not None and ask.slot.startswith(LEARNED):
        return _take_yes_or_no(talk, about, ask, told)
    if ask is not None and (
        _is_declined(talk, about, ask, told) or _take_several(talk, about, ask, told)
    ):
        return []
    may = ask is not None and talk.may_pick(ask, told.text)
    place = _place_picked(ask, about, told.text) if ask is not None and may else None
    if about.intent is None and place is None and (ask is None or ask.slot == "intent"):
        return _take_instead_of_pick(about, talk, told)
    if ask is not None and place is not None:
        return _take_pick(talk, about, ask, place, told)
    sentence = talk.fills(about, told.text)
    own = [e for e in told.wishes if _is_own(talk, e, about, filled=bool(sentence))]
    rest = [each for each in told.wishes if not any(each is other for other in own)]
    changes = [each for each in rest if each.mode == "meant" and each.intent in acts]
    if changes and not own and not told.loose:
        sentence = ""
    if changes and talk.declined and has(told.words, *_BESIDE):
        about.wait = ""
        talk.unwanted.clear()
        return changes
    if changes and _is_in_its_place(talk, about, changes[0], told):
        talk.drop(about)
        talk.noted = False
        talk.hand_on(about, changes[0])
        return rest
    if _settle(talk, about, told, filled=bool(sentence), rest=bool(rest)):
        return rest
    told_more = any(e.mode == "meant" for e in own) or (_tells_more(talk, told) and not rest)
    if sentence or told_more:
        _note(about, told, sentence or told.text)
        talk.noted = True
    return rest


def _tells_more(talk: Dialogue, told: Message) -> bool:
    """Whether a message names something, or sets a limit or a condition."""
    return talk.names(told.text) or told.limit is not None or bool(told.condition)


def _is_declined(talk: Dialogue, about: Task, ask: Ask, told: Message) -> bool:
    """Whether a reply gives no answer, but leaves out a thing that was offered, or all of it."""
    if ask.slot == "items" and _leaves_out(talk, told):
        about.excepted.append(told.text)
        talk.noted = True
        return True
    if ends_by_taking_back(told.text):
        talk.drop(about)
        return True
    return False


def _take_yes_or_no(talk: Dialogue, about: Task, ask: Ask, told: Message) -> list[Wish]:
    """Whether what was learned applies: a yes, a no, or words that tell; other wishes go on.

    What is neither is asked about once more, and then taken for a no.
    """
    first = told.words[:_FEW]
    if "farewell" in told.asides:
        talk.drop(about)
        return []
    answer = "no" if tells(first, "not so") else "yes" if tells(first, "so") else ""
    before = about.chosen.get(ask.slot)
    about.chosen[ask.slot] = answer or ("no" if before == UNCLEAR else UNCLEAR)
    about.note(told.text)
    talk.noted = True
    return [each for each in told.wishes if _is_beside_pick(talk, each, about.intent)]


def _leaves_out(talk: Dialogue, told: Message) -> bool:
    """Whether words only tell which of the things on offer is not meant: "never mind the lamp"."""
    begins = tells(told.words[:2], "left out") and len(told.words) <= _SHORT
    return begins and talk.names(told.text) and _ONE_OF_TWO.search(told.text) is None


def _is_own(talk: Dialogue, wish: Wish, about: Task, *, filled: bool) -> bool:
    """Whether a wish belongs to the task at hand."""
    if wish.mode == "denied":
        return talk.denies(wish, about)
    return talk.belongs(wish, about, filled=filled)


def _take_pick(talk: Dialogue, about: Task, ask: Ask, place: int, told: Message) -> list[Wish]:
    """Take up the choice that was picked; wishes of their own that came with it are given back."""
    talk.noted = True
    if ask.slot == CONDITION:
        about.condition = ""
        if ask.choices[place].value == "leave":
            talk.drop(about)
        return []
    if _take_intent(about, ask, place, talk.reader.manner.acts):
        if len(told.words) > 1:
            about.note(told.text)
        talk.point_back(about)
        return []
    sentence = talk.pick(about, ask, ask.choices[place])
    if ask.slot == "either":
        return []
    _note(about, told, f"{sentence} , {told.text}" if sentence else told.text)
    return [each for each in told.wishes if _is_beside_pick(talk, each, about.intent)]


def _take_several(talk: Dialogue, about: Task, ask: Ask, told: Message) -> bool:
    """Whether several of the choices were picked at once: "1 and 3"; they are taken up then."""
    if ask.slot not in talk.several or ask.text.endswith(MORE):
        return False
    own = [each for each in ask.choices if not each.value.startswith(OFFER)]
    main, excepted = without_exceptions(told.text)
    places = pick_places(main, len(own))
    if places:
        about.chosen.pop(ask.slot, None)
        about.note(" and ".join(own[place].value for place in places))
        about.excepted += excepted
        talk.noted = True
    return bool(places)


def _take_instead_of_pick(about: Task, talk: Dialogue, told: Message) -> list[Wish]:
    """What was said to an offer instead of a pick: a wish of its own, or nothing that helps."""
    sure = [each for each in told.wishes if not each.unsure and each.mode != "denied"]
    lets_go = "or" in about.chosen or any(each.mode == "denied" for each in told.wishes)
    certain = any(each.has_verb or each.has_cue for each in sure)
    plain = None if lets_go or certain else talk.unspoken(told, about)
    if lets_go or sure or plain is not None:
        about.closed, about.outcome = True, "dropped"
        talk.handed = about.words
        return told.wishes if plain is None else [plain]
    if {"no", "farewell"} & set(told.asides):
        talk.drop(about)
    return []


def _take_intent(about: Task, ask: Ask, place: int, acts: Container[str]) -> bool:
    """Whether the pick names the intent itself; "none of these" opens the next ones."""
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


def _is_beside_pick(talk: Dialogue, wish: Wish, intent: str | None) -> bool:
    """Whether a wish that came with a pick is one of its own."""
    plain = wish.has_verb and wish.intent != intent and wish.mode == "meant"
    asks = wish.has_cue and wish.intent not in talk.reader.manner.acts
    return plain or asks


def _is_in_its_place(talk: Dialogue, about: Task, wish: Wish, told: Message) -> bool:
    """Whether another change is wanted in place of the one at hand."""
    lets_go = any(each.mode == "denied" for each in told.wishes)
    revised = talk.ask is not None and talk.ask.slot == "revise"
    instead = tells(told.words, "instead") and not has(told.words, *_BESIDE)
    return (
        talk.declined
        or (revised and not has(told.words, *_BESIDE))
        or lets_go
        or talk.replaces(about, wish)
        or (instead and about.intent in talk.reader.manner.acts)
    )


def _settle(talk: Dialogue, about: Task, told: Message, *, filled: bool, rest: bool) -> bool:
    """Whether the reply was a yes, a no, or lets go of the task."""
    lets_go = any(each.mode == "denied" for each in told.wishes)
    if lets_go and not filled and not talk.names(told.text):
        talk.drop(about)
        return True
    bare = not filled and not rest and not talk.names(told.text)
    if bare and ("farewell" in told.asides or ("no" in told.asides and len(told.words) <= _SHORT)):
        talk.drop(about)
        return True
    return "yes" in told.asides and not filled and _take_yes(talk, about, told)


def _place_picked(ask: Ask, about: Task, text: str) -> int | None:
    """The place of the choice that is meant; what a change hangs on holds by a yes."""
    words = tokens(text)
    if ask.slot == CONDITION and tells(words, "yes") and not tells(words, "not so"):
        return 0
    short = ask.slot != "intent" or len(text.split()) <= _FEW
    told_apart = ask.slot == "items" and len(words) <= _FEW and words[-1:] == ("one",)
    by_words = (ask.slot in _BY_WORDS or told_apart) and "or" not in about.chosen and short
    return pick_place(text, [each.words for each in ask.choices], by_words=by_words)


def _note(about: Task, told: Message, sentence: str) -> None:
    main, excepted = without_exceptions(sentence)
    about.note(main)
    about.excepted += excepted
    for wish in told.wishes:
        about.alternatives += wish.otherwise
        about.limit = wish.limit if wish.limit is not None else about.limit
    about.alternatives += told.otherwise
    about.limit = told.limit if told.limit is not None else about.limit
    about.condition = told.condition or about.condition


def _take_yes(talk: Dialogue, about: Task, told: Message) -> bool:
    """Whether a yes takes the only choice there is, or the proposal as it was."""
    ask = talk.ask
    if ask is None or talk.declined:
        return False
    own = [each for each in ask.choices if not each.value.startswith(OFFER)]
    if len(own) == 1:
        about.note(talk.pick(about, ask, own[0]))
        talk.noted = True
        return True
    if ask.slot == "revise" and tells(told.words, "yes"):
        about.wait = ""
        talk.unwanted.clear()
        talk.noted = True
        return True
    return False
