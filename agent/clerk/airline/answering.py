"""Answers to questions, each as the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent.clerk.airline.bags import bags_told, insurance_wish
from agent.clerk.airline.flight_wish import Leg, side_of, wish
from agent.clerk.airline.line import Line
from agent.clerk.airline.paying import read_answer
from agent.clerk.airline.people import head_count, names_in, people_in
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.words import number, words_of
from agent.clerk.task import Task

Talk = Any
YES = words_of("yes")
NO = words_of("no")
_MANNERLY = frozenset({"please", "do", "go"})
_AGREES = frozenset("do it so that this go ahead yes , !".split())  # noqa: SIM905
_ONLY = frozenset("only just me myself alone".split())  # noqa: SIM905


def is_yes(line: Line) -> bool:
    """Whether an answer agrees; "please" and "do" agree only where little else is said."""
    first, *rest = line.words or ("",)
    if first in _MANNERLY and not set(rest[:1]) <= _AGREES:
        return False
    return first in YES and not NO & {first, *rest[:1]}


def is_no(line: Line) -> bool:
    """Whether an answer denies."""
    return bool(NO & set(line.words[:3])) and not line.has("no problem", "why not")


def answer_to(slot: str, about: Task, line: Line, talk: Talk) -> str:
    """The sentence that an answer stands for; nothing where it answers nothing."""
    read = _SLOTS.get(slot)
    if read is not None:
        return read(about, line, talk)
    return line.text if slot == "revise" and talk.names(line.text) else ""


def _reservation(about: Task, line: Line, talk: Talk) -> str:
    named = line.ids or line.places or line.days or line.flight_numbers or line.cabins
    return line.text if named or line.has("latest", "most recent", "both", "all of them") else ""


def _reason(about: Task, line: Line, talk: Talk) -> str:
    asks = "?" in line.words or is_yes(line) or (is_no(line) and len(line.words) < 4)
    if reason([line]):
        return line.text
    wishes = talk.last.wishes if talk.last is not None else []
    if asks or any(not each.unsure for each in wishes) or len(line.words) < 2 or line.has("bye"):
        return ""
    about.chosen["reason"] = "other"
    return line.text


def _cover(about: Task, line: Line, talk: Talk) -> str:
    if reason([line]):
        return line.text
    if is_yes(line) or is_no(line):
        return "for reasons of health" if is_yes(line) else "change of plans"
    return ""


def _leg(line: Line) -> bool:
    return wish(line) != Leg() or bool(line.days)


def _day(side: str) -> Callable[[Task, Line, Talk], str]:
    def read(about: Task, line: Line, talk: Talk) -> str:
        if not _leg(line):
            return ""
        spoken = side_of(line)
        return line.text if spoken else f"{side} {line.text}"

    return read


def _legs(about: Task, line: Line, talk: Talk) -> str:
    return line.text if _leg(line) or side_of(line) else ""


def _places(role: str) -> Callable[[Task, Line, Talk], str]:
    def read(about: Task, line: Line, talk: Talk) -> str:
        if not line.places:
            return ""
        alone = len(line.places) == 1 and not line.places[0].role
        return f"{role} {line.text}" if alone and role else line.text

    return read


def _type(about: Task, line: Line, talk: Talk) -> str:
    known = line.has("one way", "one-way", "round trip", "round-trip", "return", "single", "back")
    if known or line.days:
        return line.text
    if line.has("just there", "only there", "just going", "there and back"):
        return line.text
    told = people_in(line, talk) or bags_told(line) or insurance_wish([line]) is not None
    return f"{line.text} . one way" if told else ""


def _cabin(about: Task, line: Line, talk: Talk) -> str:
    return line.text if line.cabins else ""


def _people(about: Task, line: Line, talk: Talk) -> str:
    found = people_in(line, talk)
    if found or head_count(line, found):
        return line.text
    if line.has("profile", "file", "saved"):
        return f"{line.text} . all saved"
    if _ONLY & set(line.words) or is_yes(line) or is_no(line):
        return "just me"
    return line.text if len(line.words) == 1 and line.raw[0][:1].isupper() else ""


def _bags(about: Task, line: Line, talk: Talk) -> str:
    if bags_told(line) is not None:
        return line.text
    counts = [number(each) for each in line.words]
    more = line.has("more", "another", "extra", "further")
    if len(line.words) <= 5 and any(each is not None for each in counts) and not line.days:
        many = next(each for each in counts if each is not None)
        return f"{many} more bags" if more else f"{many} checked bags"
    return "no bags" if is_no(line) else ""


def _insurance(about: Task, line: Line, talk: Talk) -> str:
    if insurance_wish([line]) is not None:
        return line.text
    if line.has("chance it", "risk it", "skip it", "pass"):
        return "no insurance"
    return "with insurance" if is_yes(line) else "no insurance" if is_no(line) else ""


def _payment(about: Task, line: Line, talk: Talk) -> str:
    said = line.text.rpartition("?")[2]
    return read_answer(talk.line(said), talk.ask, talk.memory.methods)


def _way(about: Task, line: Line, talk: Talk) -> str:
    side = side_of(line)
    about.chosen["way"] = side or about.chosen.get("way", "")
    return line.text if side else ""


def _whole(about: Task, line: Line, talk: Talk) -> str:
    if line.has("leave", "never mind", "don't"):
        return ""
    if is_yes(line) or line.has("whole", "everybody", "all", "everyone"):
        about.chosen["whole"] = "yes"
        return line.text
    return ""


def _go(about: Task, line: Line, talk: Talk) -> str:
    if is_yes(line) or line.has("do it", "go ahead", "do that"):
        about.what_if = False
        return line.text
    return ""


def _renames(about: Task, line: Line, talk: Talk) -> str:
    told = people_in(line, talk) or names_in(line, talk) or line.births or line.has("name")
    return line.text if told else ""


def _transfer(about: Task, line: Line, talk: Talk) -> str:
    if is_yes(line) or line.has("human", "agent", "transfer"):
        about.chosen["transfer"] = "human"
    elif is_no(line) or line.has("leave it", "never mind", "forget it"):
        about.chosen["transfer"] = "leave"
    return line.text if "transfer" in about.chosen else ""


_SLOTS: dict[str, Callable[[Task, Line, Talk], str]] = {
    "reservation": _reservation,
    "reason": _reason,
    "covered": _cover,
    "out_date": _day("outbound"),
    "back_date": _day("back"),
    "out_flight": _day("outbound"),
    "back_flight": _day("back"),
    "legs": _legs,
    "route": _places(""),
    "origin": _places("from"),
    "destination": _places("to"),
    "type": _type,
    "cabin": _cabin,
    "people": _people,
    "bags": _bags,
    "insurance": _insurance,
    "payment": _payment,
    "payment_rest": _payment,
    "payment_which": _payment,
    "way": _way,
    "whole": _whole,
    "go": _go,
    "renames": _renames,
    "passenger": _renames,
    "dob": _renames,
    "transfer": _transfer,
}
