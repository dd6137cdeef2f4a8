"""Messages as the examples have them, in front of the patterns.

``scoped`` goes first: what a message denies or only wonders about never stays a change, whatever
the patterns say. ``sure`` and ``offered`` are for what the patterns do not understand: requests of
the same kind, with the slots that the slot readers find in the words, or a numbered offer.
"""

from __future__ import annotations

import json
import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from agent.clerk.airline.filling import fill
from agent.clerk.airline.language import LANGUAGE
from agent.clerk.airline.replying import left_open, tells
from agent.clerk.airline.requests import ACTIONS, WHETHER, Intent, Request, Said
from agent.clerk.airline.slots.codes import reservation_ids
from agent.clerk.airline.slots.details import Context, details
from agent.clerk.airline.slots.names import Names
from agent.clerk.airline.talk import Talk
from agent.clerk.english import plain
from agent.clerk.quoting import quoted
from agent.clerk.steps import Ask, Choice
from agent.clerk.understanding import scope
from agent.clerk.understanding.intents import FAR, Examples
from agent.clerk.understanding.picking import picked
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.wishes import CLEAR, SURE, Manner, Message, Wish
from agent.clerk.wording import numbered

HERE = Path(__file__).parent
OFFERED = "offer"
"""What a request waits for of which several things were offered."""

NOTHING, WHAT_IF = "nothing_changes", "hypothetical"
INTENTS = {
    "book_flight": Intent.BOOK, "cancel_reservation": Intent.CANCEL,
    "change_flights": Intent.FLIGHTS, "change_cabin": Intent.CABIN,
    "change_passengers": Intent.PASSENGERS, "add_bags": Intent.BAGS,
    "search_flights": Intent.SEARCH, "flight_status": Intent.STATUS,
    "reservation_info": Intent.RESERVATION, "reservations": Intent.RESERVATIONS,
    "balance": Intent.BALANCE, "membership": Intent.MEMBERSHIP, "profile": Intent.PROFILE,
    "methods": Intent.METHODS, "compensation": Intent.COMPENSATION,
    "policy_question": Intent.POLICY, "allowance": Intent.ALLOWANCE, "human": Intent.TRANSFER,
    "other": Intent.OUT_OF_SCOPE, WHAT_IF: Intent.POLICY,
}  # fmt: skip
OFFERS = {
    "book_flight": "book a flight", "cancel_reservation": "cancel a reservation",
    "change_flights": "change the flights of a reservation",
    "change_cabin": "change the cabin of a reservation",
    "change_passengers": "correct or change a passenger", "add_bags": "add checked bags",
    "search_flights": "see which flights there are", "flight_status": "know how a flight stands",
    "reservation_info": "know something about a reservation",
    "reservations": "see your reservations", "balance": "see your gift cards and certificates",
    "membership": "see your membership", "profile": "see your profile",
    "methods": "see your payment methods", "compensation": "get something for a delay",
    "policy_question": "know the airline's rules", "allowance": "know how many bags are free",
    "human": "talk to a human agent", "other": "something else that I can't do myself",
    NOTHING: "leave everything as it is",
}  # fmt: skip
_ACTS = frozenset(name for name, intent in INTENTS.items() if intent in ACTIONS)
_OF_ACCOUNT = frozenset({"balance", "membership"})
_PLAINLY = 0.85

_SAME = 0.7
"""The share of a request's words that stand in a wish for the two to be one."""

_LOOKS = re.compile(r"^\W*(?:what(?:'s| is| are| does| do|s)|how much|which|list|show)\b")
"""How a sentence begins that wants to know something, whatever verbs it holds."""

_CHOICES = 4
_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{4}\b", re.IGNORECASE)
_CODE = re.compile(r"\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6}\b")


_ELSE = re.compile(r"\b(?:nothing|everything|anything) else\b[^.!?;]*", re.IGNORECASE)
"""What is to stay beside a change takes nothing back."""

_NO = frozenset(tokens("don't dont not never no"))
_HAS_IT = re.compile(
    r"^\W*no\b.*\balready (?:have|has|got|booked) (?:it|the|a|my|that)\b(?! insur| bag)",
    re.IGNORECASE,
)
_FORGETS = re.compile(r"\b(?:nvm|never ?mind|forget|scratch) (?:about|the|that)\b[^,;.]*$")
_ABBREVIATED = re.compile(r"\b(Mrs?|Ms|Dr)\.")
_SUPPOSES = re.compile(r"\b(?:were (?:i|we) to|imagine|suppos(?:e|ing))\b", re.IGNORECASE)
_WISHES = re.compile(r"\b(?:please|i'd like to|i want to|i need to|can you|could you)\b")


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((HERE / "manner.json").read_text(encoding="utf-8"))
    return data


@cache
def reader() -> Reader:
    """Reads the messages of an airline's customer."""
    data = _data()
    manner = Manner(
        frozenset(data["acts"]),
        {name: tuple(each) for name, each in data["cues"].items()},
        frozenset(data["asides"]),
        frozenset(data["amounts"]),
        empty=frozenset(data["empty"]),
        families=data["families"],
        verbs={name: tuple(each) for name, each in data["verbs"].items()},
        questions=frozenset(data["questions"]),
        kept=frozenset(data["kept"]),
        place=_CODE,
        stands_for="my reservation",
    )
    return Reader(Examples(HERE), manner)


def read(text: str) -> Message:
    """A message as the examples have it; who speaks is told elsewhere."""
    return reader().read(_ABBREVIATED.sub(r"\1", _ELSE.sub(" ", _ID.sub(" ", text))))


def scoped(talk: Talk, said: Said, told: Message) -> None:
    """Take out what is denied, and make questions of what is only asked about."""
    about = talk.about if talk.about is not None and not talk.about.closed else None
    kept = [each for each in said.requests if not _denied(each, about, told)]
    gone = {each.intent for each in said.requests} - {each.intent for each in kept}
    for wish in told.wishes:
        wish.mode = "denied" if INTENTS.get(wish.intent) in gone else wish.mode
    nothing = any(each.intent == NOTHING and _certain(each) for each in told.wishes)
    denied = any(each.mode == "denied" and each.intent in INTENTS for each in told.wishes)
    alone = not any(each.mode == "meant" and not each.unsure for each in told.wishes)
    dropped = len(kept) < len(said.requests)
    said.requests = kept
    refused = _refused(told)
    if not kept and (_HAS_IT.search(said.text) or (about is not None and refused)):
        nothing = nothing or not refused or (about is not None and str(about.intent) in refused)
        said.loose, said.yes = Request(None, said.loose.text), False
    if not kept and alone and about is None and (dropped or denied):
        said.loose = Request(None, said.loose.text)
    if not kept and alone and (dropped or ((nothing or denied) and not tells(said.loose))):
        said.forget, said.yes = True, False
    for request in said.requests:
        if request.intent in ACTIONS and _only_asked(request, told):
            _ask_only(request)


def _refused(told: Message) -> set[str]:
    """The kinds of change of which a message says in so many words that they are not wanted."""
    words = tokens(told.text)
    return {name for name, verbs in _data()["denied"].items() if scope.denied(words, verbs)}


def _denied(request: Request, about: Request | None, told: Message) -> bool:
    if request.intent not in ACTIONS or (about is not None and about.intent is Intent.BOOK):
        return False
    verbs = _data()["denied"].get(str(request.intent), ())
    if scope.denied(tokens(request.text), verbs) or _FORGETS.search(request.text):
        return True
    if any(
        each.mode == "meant" and INTENTS.get(each.intent) is request.intent for each in told.wishes
    ):
        return False
    words = set(tokens(request.text))
    return any(
        each.mode == "denied"
        and (_same(request, each.text) or set(tokens(each.text)) <= words)
        and _lets_go_of(each, bool(_NO & words), request)
        for each in told.wishes
    )


def _lets_go_of(wish: Wish, says_no: bool, request: Request) -> bool:
    """Whether a denied wish is for what a request asks, or for everything."""
    if wish.intent == NOTHING:
        return says_no or _certain(wish)
    return INTENTS.get(wish.intent) is request.intent


def _only_asked(request: Request, told: Message) -> bool:
    if request.intent in {Intent.BAGS, Intent.BOOK} and _LOOKS.search(request.text):
        return True
    return any(
        each.mode == "what_if"
        and _same(request, each.text)
        and (scope.only_asks(tokens(each.text)) or _sounds_asked(each, request))
        for each in told.wishes
    )


def _sounds_asked(wish: Wish, request: Request) -> bool:
    """Whether a wish is plainly like what is only asked about, and politely orders nothing."""
    asked = next((each.likely for each in wish.guesses if each.name == WHAT_IF), 0.0)
    supposes = _SUPPOSES.search(wish.text) is not None
    return supposes or (asked >= CLEAR and not _WISHES.search(request.text))


def _same(request: Request, text: str) -> bool:
    """Whether a request was read from a wish's words."""
    mine, other = {*tokens(request.text)}, {*tokens(text)}
    return len(mine & other) >= _SAME * len(mine)


def _certain(wish: Wish) -> bool:
    """Whether letting go is meant, and does not only sound so."""
    return wish.likely >= CLEAR or (wish.likely >= SURE and scope.lets_go(tokens(wish.text)))


def _ask_only(request: Request) -> None:
    """Make a question of a change, as the older parts answer it."""
    if request.intent in _ASKED_AS_PRICE:
        what = _ASKED_AS_PRICE[request.intent]
        request.intent, request.asks = Intent.PRICE, [what] if what else []
    elif request.intent is Intent.BOOK:
        request.intent = Intent.SEARCH
    elif request.intent is not Intent.CANCEL:
        request.intent = Intent.POLICY
    request.asks = [*request.asks, *([] if WHETHER in request.asks else [WHETHER])]


_ASKED_AS_PRICE: dict[Intent | None, str] = {
    Intent.CABIN: "", Intent.FLIGHTS: "", Intent.BAGS: "bags", Intent.INSURANCE: "insurance",
}  # fmt: skip
_SUMS = frozenset({Intent.PRICE, Intent.OUTCOME})


def asked_instead(talk: Talk, said: Said, told: Message) -> None:
    """Put the question that a message plainly is in the place of what it was taken for."""
    if len(said.requests) > 1 or len(told.wishes) != 1:
        return
    wish = told.wishes[0]
    wonders = wish.mode == "what_if" and wish.intent in _ACTS
    if not said.requests and talk.about and wonders and scope.only_asks(tokens(wish.text)):
        said.requests = [_made(talk, wish, said)]
    if not said.requests:
        return
    taken = said.requests[0]
    if INTENTS.get(wish.intent) is taken.intent:
        return
    account = wish.intent in _OF_ACCOUNT and wish.likely >= _PLAINLY
    plainly = account and taken.intent not in ACTIONS
    sums = taken.intent in _SUMS and not (taken.cabin or taken.asks)
    if (sums and (wonders or wish.intent == "allowance")) or (plainly and not talk.about):
        said.requests = [_made(talk, wish, said)]


def wondered(said: Said) -> list[Request]:
    """The requests that only ask what would come of something, taken out of a message."""
    found = [each for each in said.requests if WHETHER in each.asks]
    said.requests = [each for each in said.requests if WHETHER not in each.asks]
    return found


def sure(talk: Talk, said: Said, told: Message, least: float = 0.0) -> list[Request]:
    """The requests that the examples leave no doubt about."""
    wishes = [
        each
        for each in told.wishes
        if not each.unsure and each.mode != "denied" and each.likely >= least
    ]
    return [_made(talk, each, said) for each in wishes if each.intent in INTENTS]


def _made(talk: Talk, wish: Wish, said: Said) -> Request:
    request = in_slots(wish.text, INTENTS[wish.intent], talk, said.text)
    told, said.loose = said.loose, Request(None, said.loose.text)
    told.reason = "" if request.intent is not Intent.CANCEL else told.reason
    fill(request, told)
    if wish.mode == "what_if":
        _ask_only(request)
    return request


def in_slots(text: str, intent: Intent, talk: Talk, message: str = "") -> Request:
    """A request with what the slot readers find in the words."""
    message = message or text
    context = Context(reservation_ids(message), Names(message), date.fromisoformat(talk.today))
    return details(LANGUAGE.corrected(plain(text)), intent, context)


def manners(said: Said, told: Message) -> bool:
    """A yes, a no or a thank-you in words that the patterns do not know."""
    if told.wishes or said.requests or said.yes or said.no or said.nothing or said.forget:
        return False
    best = reader().guesses(said.text)[0]
    chat = best.name == "smalltalk" and best.likely >= CLEAR
    if best.likely < SURE or (tells(said.loose) and not chat):
        return False
    said.yes, said.no = best.name == "yes", best.name == "no"
    said.nothing = best.name in {"no", "farewell"} or chat
    return said.yes or said.nothing


def offered(said: Said, told: Message) -> list[Request]:
    """A request of which the customer is to say what it asks, among the likeliest."""
    wish = next((each for each in told.wishes if each.mode != "denied"), None)
    if wish is None or max(each.like for each in wish.guesses[:3]) < FAR:
        return []
    names = [each.name for each in wish.guesses if each.name in OFFERS and each.name != NOTHING]
    return [Request(None, wish.text, wait=OFFERED, guesses=names[:_CHOICES])]


def offer(request: Request) -> Ask:
    """What the words may have meant, as a numbered offer."""
    choices = [Choice(each, OFFERS[each]) for each in request.guesses]
    choices.append(Choice(NOTHING, "none of these"))
    text = (
        f"I'm not sure what you mean by {quoted(request.text)}. Would you like to\n\n"
        f"{numbered(each.words for each in choices)}"
    )
    return Ask(text, OFFERED, request, choices=tuple(choices))


def choose(talk: Talk, said: Said, told: Message) -> bool:
    """Read which of the offered things is meant; True where one was picked.

    An offer that something plain is said to instead is dropped.
    """
    about, ask = talk.about, talk.ask
    if about is None or ask is None or ask.slot != OFFERED:
        return False
    plainly = said.requests or any(not each.unsure for each in told.wishes)
    words = [each.words for each in ask.choices]
    place = picked(said.text, words, by_words=not plainly)
    if place is None:
        about.closed = bool(plainly)
        about.outcome = "dropped" if plainly else ""
        return False
    value = ask.choices[place].value
    about.wait = ""
    if value == NOTHING:
        about.closed, about.outcome = True, "dropped"
        return True
    made = in_slots(about.text, INTENTS[value], talk)
    about.intent, about.guesses, about.made = made.intent, [], talk.heard
    fill(about, made)
    if left_open(about) and made.trip.ids:
        about.trip = made.trip
    about.asks = made.asks
    said.requests, said.loose = [], Request(None, said.text)
    return True
