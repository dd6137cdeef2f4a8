"""From what a customer typed to tasks: who speaks, replies, new wishes, and what asks nothing."""

from __future__ import annotations

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.tracking.looking_back import look_back
from agent.clerk.tracking.replying import take_reply
from agent.clerk.tracking.taking_up import take_up
from agent.clerk.understanding.doubting import CERTAIN
from agent.clerk.understanding.tokens import has
from agent.clerk.understanding.wishes import CLEAR, LONGEST, Message, Wish

_MANNERS = frozenset({"greeting", "smalltalk", "about_clerk", "chat"})
_CHAT = frozenset({"chat", "smalltalk"})
_DO_IT = ("do it", "do that", "do this", "go ahead", "book it", "let's do", "go for it")


def hear(talk: Dialogue, text: str) -> None:
    """Take in what the customer typed."""
    told = _read_message(talk, text)
    before = [(len(each.notes), dict(each.chosen)) for each in talk.requests]
    about = talk.about if talk.about is not None and not talk.about.closed else None
    if look_back(talk, told):
        return
    shared = talk.wishes_for_both(told)
    rest = told.wishes if shared is None else shared
    if shared is None and about is not None and (talk.ask is not None or talk.declined):
        rest = take_reply(talk, about, told)
    if talk.reopen(told):
        talk.fresh = True
        return
    vague = all(each.unsure for each in rest) and not talk.noted
    unspoken = talk.unspoken(told) if vague else None
    rest = [unspoken] if unspoken is not None else rest
    talk.unread = talk.unread if talk.introducing or talk.introduced else []
    if vague and unspoken is None and _want_after_all(talk):
        talk.requests[-1].note(told.text)
        return
    if talk.introducing and any(not each.unsure for each in rest):
        _forget_opening(talk)
    for wish in talk.refine(rest, told):
        take_up(talk, wish, told)
    if about is not None and not about.closed and not talk.noted and not talk.declined:
        _postpone(talk, about, rest)
    talk.unread += [each for each in told.loose if _is_unanswered(talk, each)]
    changed = before != [(len(each.notes), dict(each.chosen)) for each in talk.requests]
    if not rest and not talk.noted and not changed:
        _take_aside(talk, told)


def _forget_opening(talk: Dialogue) -> None:
    """What an opening may have meant is no longer asked once something plain was said."""
    for each in talk.open:
        if each.intent is None:
            each.closed, each.outcome = True, "dropped"


def _postpone(talk: Dialogue, about: Task, rest: list[Wish]) -> None:
    """Let a change that was asked for just now go before a question that was left open."""
    acts = talk.reader.manner.acts
    if any(each.intent in acts and each.mode == "meant" for each in rest):
        talk.requests = [*(each for each in talk.requests if each is not about), about]


def _read_message(talk: Dialogue, text: str) -> Message:
    """The message, read; what was only of the one before it is forgotten."""
    talk.heard += 1
    talk.fresh = talk.noted = talk.farewell = False
    talk.introducing, talk.introduced = talk.memory.user is None, False
    told = talk.reader.read(talk.prepare(text))
    told.text = text[:LONGEST]
    talk.last = told
    talk.introduce(text, told)
    talk.typed.append(text)
    return told


def _is_unanswered(talk: Dialogue, sentence: str) -> bool:
    """Whether a sentence asks something that nobody took up and that tells no detail."""
    asks = sentence.rstrip().endswith("?") and len(sentence.split()) > 3
    details = any(each.intent in talk.reader.manner.acts for each in talk.open)
    return asks and not (details and talk.names(sentence))


def _take_aside(talk: Dialogue, told: Message) -> None:
    """A message that asks for nothing: manners, chat, a no, or words that mean nothing."""
    kinds = set(told.asides)
    if talk.about is not None and not talk.about.closed and talk.ask is not None:
        return
    if _note_more(talk, told) or talk.was_done(told):
        return
    if talk.introduced:
        return
    unknown, named = talk.memory.user is None, talk.names(told.text)
    if "farewell" in kinds or "no" in kinds:
        talk.farewell = True
    elif {"about_clerk", "greeting"} & kinds and not unknown:
        talk.requests.append(Task("greeting", told.text))
    elif kinds & {"identify", "yes"} or (unknown and kinds & _MANNERS and not named):
        return
    elif unknown and not named:
        talk.opening = talk.opening or told.text
    elif kinds & _CHAT and _asks_nothing(talk, told) >= (CERTAIN if named else CLEAR):
        return
    elif not talk.open:
        guesses = talk.reader.guesses(told.text) if any(map(str.isalpha, told.text)) else ()
        talk.requests.append(Task(None, told.text, guesses, message=told.text))
        talk.fresh = True


def _asks_nothing(talk: Dialogue, told: Message) -> float:
    """How likely it is that all of a message is manners, chat or a name."""
    kinds = {*talk.reader.manner.empty, *_CHAT}
    return sum(each.likely for each in told.guesses if each.name in kinds)


def _note_more(talk: Dialogue, told: Message) -> bool:
    """Whether a message without a wish tells of the task that is open; it is noted then."""
    tells = [each for each in told.loose if talk.names(each)]
    if not (talk.open and tells):
        return False
    talk.open[-1].note(" . ".join(tells))
    return True


def _want_after_all(talk: Dialogue) -> bool:
    """By "yes, do it" what was let go of, or only asked about, last is wanted after all."""
    own = [each for each in talk.requests if "or" not in each.chosen]
    last = own[-1] if own else None
    words = talk.last.words if talk.last else ()
    if last is None or talk.open:
        return False
    dropped = last.outcome == "dropped" and has(words, "after all")
    asked = last.what_if and last.outcome == "answered" and has(words, *_DO_IT)
    if not dropped and not asked:
        return False
    last.closed, last.outcome, last.wait, last.what_if = False, "", "", False
    talk.requests = [*own[:-1], *talk.tasks_before(last), last]
    talk.unwanted.clear()
    talk.fresh = True
    return True
