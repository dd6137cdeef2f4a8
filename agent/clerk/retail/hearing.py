"""From what a customer typed to tasks: who speaks, replies, new wishes, and what asks nothing."""

from __future__ import annotations

import re

from agent.clerk.english import EMAIL, ZIP, Language
from agent.clerk.identity import identity
from agent.clerk.retail import paying
from agent.clerk.retail.at_hand import things_of
from agent.clerk.retail.replying import replied
from agent.clerk.retail.taking_up import take_up
from agent.clerk.retail.task import ACTS, SWAPS, Intent, Talk, Task, reader
from agent.clerk.retail.things import named_items
from agent.clerk.retail.which_address import settle_address
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import LONGEST, Message, Wish

_PEOPLE = frozenset(
    tokens(
        "roommate friend colleague boss neighbor neighbour mother father sister brother husband "
        "wife mum mom dad"
    )
)
_OWNER = re.compile(r"\b(\w+)'s (?:\w+ ){0,2}(?:order|account|parcel|package|purchase)\b")
_NO_OWNERS = frozenset(
    "it that what where there here who let today yesterday week else".split()  # noqa: SIM905
)
_THEIRS = frozenset({"order", "account", "package", "parcel", "purchase", "profile"})


def hear(talk: Talk, text: str) -> None:
    """Take in what the customer typed."""
    talk.heard += 1
    talk.fresh = talk.noted = talk.unclear = talk.upset = talk.farewell = False
    talk.introducing, talk.introduced = talk.memory.user is None, False
    told = reader().read(_without_identity(talk, text))
    told.text = text[:LONGEST]
    talk.last, talk.cut = told, told.cut
    _introduce(talk, text, told)
    talk.typed.append(text)
    before = [(len(each.notes), dict(each.chosen)) for each in talk.requests]
    about = talk.about if talk.about is not None and not talk.about.closed else None
    rest = told.wishes
    if about is not None and (talk.ask is not None or talk.declined):
        rest = replied(talk, about, told)
    if _another_order(talk, told):
        return
    for wish in _without_details(talk, rest, told):
        take_up(talk, settle_address(talk, wish), told)
    talk.unread = [each for each in told.loose if _unanswered(talk, each)]
    changed = before != [(len(each.notes), dict(each.chosen)) for each in talk.requests]
    if not rest and not talk.noted and not (changed and talk.noted):
        _aside(talk, told)
    talk.misses = talk.misses + 1 if talk.unclear else 0


def _unanswered(talk: Talk, sentence: str) -> bool:
    """Whether a sentence asks something that nobody took up and that tells no detail."""
    detail = paying.kinds(sentence) or named_items(sentence, things_of(talk))
    return sentence.rstrip().endswith("?") and len(sentence.split()) > 3 and not detail


def _another_order(talk: Talk, told: Message) -> bool:
    """By "it must be another order", what was refused of the one is looked for in all."""
    last = talk.requests[-1] if talk.requests else None
    if last is None or last.outcome != "refused" or last.intent not in ACTS:
        return False
    if not has(told.words, "another order", "other order", "different order", "wrong order"):
        return False
    last.closed, last.outcome, last.chosen["order"] = False, "", "any"
    last.notes.append(told.text)
    talk.fresh = True
    return True


def _without_identity(talk: Talk, text: str) -> str:
    """A message in which what tells who speaks stands in a sentence of its own."""
    text = re.sub(rf"[\s,;:(-]*{EMAIL.pattern}[\s,;:)-]*", " . ", text)
    if talk.memory.user is not None:
        return text
    found = ZIP.search(text)
    named = identity(text, Language("retail")).names
    if found is None or not named or named[0][1].lower() not in text[: found.start()].lower():
        return text
    return f"{text[: found.end()]} . {text[found.end() :].lstrip(' ,.;:-')}"


def _introduce(talk: Talk, text: str, told: Message) -> None:
    """Who speaks; another's e-mail, once somebody is known, is a wish about another person."""
    told_now = identity(text, Language("retail"))
    known = str((talk.memory.user or {}).get("email", "")).lower()
    if talk.memory.user is None:
        talk.introduced = bool(told_now.emails or told_now.names or told_now.zips)
        talk.identity.add(told_now)
        if talk.introduced:
            told.loose += (each.text for each in told.wishes if each.unsure)
            told.wishes = [each for each in told.wishes if not each.unsure]
    elif any(each != known for each in told_now.emails):
        told.wishes = [_other_person(text)]
    if _of_another(told):
        told.wishes = [_other_person(text)]
    if any(each.intent == "other_person" for each in told.wishes):
        told.wishes = [each for each in told.wishes if each.intent == "other_person"][:1]


def _without_details(talk: Talk, wishes: list[Wish], told: Message) -> list[Wish]:
    """The wishes but for sentences that only tell where the money of another one goes."""
    money = SWAPS | {"return_items"}
    for wish in wishes:
        others = any(each.intent in money for each in wishes if each is not wish)
        detail = wish.intent in {"change_payment", "refund_amount", "gift_balance", "return_items"}
        words = tokens(wish.text)
        told_more = has(words, "order", "how much", "return", "send", "give", "take")
        if others and detail and paying.kinds(wish.text) and not told_more:
            told.loose.append(wish.text)
            told.otherwise += wish.otherwise
    return [each for each in wishes if each.text not in told.loose]


def _of_another(told: Message) -> bool:
    """Whether another person's order is spoken of: "his order", "my roommate's account"."""
    words = told.words
    named = _OWNER.findall(told.text.lower().replace("’", "'"))
    if any(each not in _NO_OWNERS for each in named):
        return True
    for place, word in enumerate(words[:-1]):
        theirs = word in {"his", "her", "their"} or word in _PEOPLE
        if theirs and set(words[place + 1 : place + 3]) & _THEIRS and word not in {"my"}:
            return True
    return False


def _other_person(text: str) -> Wish:
    return Wish("other_person", text, 1.0, (), has_cue=True)


def _aside(talk: Talk, told: Message) -> None:
    """A message that asks for nothing: manners, chat, a no, or words that mean nothing."""
    kinds = set(told.asides)
    if talk.about is not None and not talk.about.closed and talk.ask is not None:
        return
    if "yes" in kinds and _after_all(talk):
        return
    if "farewell" in kinds or "no" in kinds:
        talk.farewell = True
    elif talk.introduced:
        talk.opening = ""
    elif "about_clerk" in kinds or ("greeting" in kinds and talk.memory.user is not None):
        talk.requests.append(Task(Intent("greeting"), told.text))
    elif "identify" in kinds or talk.introduced:
        talk.opening = ""
    elif "yes" in kinds:
        return
    elif talk.memory.user is None:
        talk.opening = talk.opening or told.text
    elif not talk.open:
        guesses = reader().guesses(told.text)
        talk.requests.append(Task(None, told.text, guesses, message=told.text))
        talk.fresh = True


def _after_all(talk: Talk) -> bool:
    """By "yes, do it after all" the change that was let go of last is wanted again."""
    dropped = next((e for e in reversed(talk.requests) if e.outcome == "dropped"), None)
    if dropped is None or talk.open or not has(talk.last.words if talk.last else (), "after all"):
        return False
    dropped.closed, dropped.outcome, dropped.wait = False, "", ""
    talk.unwanted.clear()
    talk.fresh = True
    return True
