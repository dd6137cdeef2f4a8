"""What a customer's answer or correction does to the request it is about."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.language import says
from agent.clerk.airline.replying import Reply, tells
from agent.clerk.airline.requests import Intent, Leg, Pay, Person, Request, Said
from agent.clerk.airline.slot_answers import SLOTS, as_leg
from agent.clerk.airline.slots.times import leg
from agent.clerk.airline.succeeding import book_like, inherit, overlay
from agent.clerk.airline.wording import shifted
from agent.clerk.steps import Ask


def revise(about: Request, reply: Reply, said: Said, ask: Ask | None, declined: bool) -> bool:
    """Fold a reply into the request at hand; True where it told anything of it."""
    if reply.replaced:
        about.closed, about.outcome = True, "dropped"
        _hand_on(about, reply.rest[0], ask)
        return True
    if not tells(reply.details) and _one_way_only(about, said):
        return True
    if _given_up(reply.details, said, ask, declined):
        about.closed, about.outcome = True, "dropped"
        return True
    before = repr(replace(about, text=""))
    fill = SLOTS.get(ask.slot) if ask is not None else None
    if ask is not None and fill is not None:
        fill(about, reply.details, said, ask)
    _take_over(about, reply.details, said, declined or (ask is not None and ask.slot == "revise"))
    changed = repr(replace(about, text="")) != before or (said.profile and not said.no)
    if changed and ask is not None and ask.slot == "type" and _goes_nowhere_back(about):
        about.flight_type = "one_way"
    if changed or tells(reply.details) or (said.yes and ask is not None and not ask.choices):
        about.wait = ""
    return changed


def _hand_on(about: Request, new: Request, ask: Ask | None) -> None:
    """Tell a request what it takes over from the one whose place it takes."""
    unfound = ask is not None and ask.slot == "reservation"
    if unfound and new.intent is Intent.BOOK:
        book_like(new, about)
    else:
        inherit(new, about)


def _goes_nowhere_back(booking: Request) -> bool:
    """Whether nothing was said of a way back, though it was asked and a day was named."""
    return bool(booking.out.date) and booking.back.empty and not booking.flight_type


def _one_way_only(about: Request, said: Said) -> bool:
    """Read "no, only the way out" of a change: what is wished of the other way is taken back."""
    out, back = says("out_leg", said.text), says("back_leg", said.text)
    if about.intent is not Intent.FLIGHTS or out == back or not (said.only or said.correction):
        return False
    first, second = (about.out, about.back) if out else (about.back, about.out)
    wish = second if replace(first, wanted=False, keep=False).empty else first
    kept, wish = Leg(keep=True), replace(wish, wanted=True, keep=False)
    about.out, about.back = (wish, kept) if out else (kept, wish)
    return True


def _take_over(about: Request, details: Request, said: Said, corrects: bool) -> None:
    """Put what was told in place of what the request said before."""
    _fit_legs(about, details, said, corrects)
    if corrects and details.payments and about.payments:
        details.payments = _paid_otherwise(about.payments, details.payments, said)
    if about.intent is Intent.BOOK:
        details.people = _told_more(about.people, details.people)
    overlay(about, details)
    if about.intent is Intent.BOOK:
        about.text = f"{about.text}\n{said.text}"
    about.otherwise += details.otherwise
    about.give_up = about.give_up or details.give_up


def _told_more(known: list[Person], told: list[Person]) -> list[Person]:
    """The passengers, where all that is told is more of those who are known: a date of birth."""

    def same(old: Person, new: Person) -> bool:
        named = bool(new.first) and old.first.lower() == new.first.lower()
        return named or (bool(new.relation) and old.relation == new.relation)

    if not all(any(same(old, new) for old in known) for new in told):
        return told
    pairs = ((old, next((new for new in told if same(old, new)), Person())) for old in known)
    return [
        Person(
            old.first or new.first,
            new.last or old.last,
            new.dob or old.dob,
            old.relation or new.relation,
        )
        for old, new in pairs
    ]


def _fit_legs(about: Request, details: Request, said: Said, corrects: bool) -> None:
    """Hang what was told of a flight on the way that it is about."""
    if corrects and about.intent in _WITH_FLIGHTS and as_leg(details).empty:
        details.out = leg(said.text)
    if about.intent in _WITH_FLIGHTS and says("greeting_of_day", said.text):
        details.out = leg(f"in the {said.text}")
    if about.intent is Intent.FLIGHTS and details.out.empty and details.back.empty:
        details.out.wanted = says("out_leg", said.text)
        details.back.wanted = says("back_leg", said.text)
    if about.intent is Intent.BOOK:
        details.out = _dated(details.out, about.out)
        details.back = _dated(details.back, about.back)
    if said.only and about.intent is Intent.FLIGHTS and details.out.empty:
        about.out = about.out if details.back.empty else Leg(keep=True)
    if _only_back(about) and details.back.empty and not details.out.wanted:
        details.out, details.back = Leg(), details.out


def _dated(told: Leg, before: Leg) -> Leg:
    """A wish "a day later", or "the same day", reckoned from the day that was wished before."""
    if told.shift is None or not before.date:
        return told
    return replace(told, date=shifted(before.date, told.shift), shift=None)


def _only_back(about: Request) -> bool:
    """Whether the request at hand changes nothing but the way back."""
    out = replace(about.out, keep=False)
    return about.intent is Intent.FLIGHTS and out.empty and not about.back.empty


_WITH_FLIGHTS = frozenset({Intent.BOOK, Intent.FLIGHTS})


def _given_up(details: Request, said: Said, ask: Ask | None, declined: bool) -> bool:
    """Whether the customer drops the request, in so many words or by a plain no to "or not?"."""
    if tells(details):
        return False
    offered = declined or (ask is not None and ask.slot in _DROPPED_BY_NO)
    leaves = says("goodbye", said.text)
    return said.forget or leaves or (offered and (said.nothing or said.no) and not said.yes)


_DROPPED_BY_NO = frozenset(
    {"revise", "intent", "whole", "go", "out_date", "back_date", "payment", "reason", "legs"}
)
"""Questions after which a bare no means that the request is dropped."""


def _paid_otherwise(old: list[Pay], new: list[Pay], said: Said) -> list[Pay]:
    """Methods named at the card take the place of the old ones, or of those of their kind."""
    return [*old, *new] if said.also else new
