"""What a change is limited to: some of a reservation's passengers, or one of its ways."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import way_mentioned
from agent.clerk.airline.known_records import ways
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.people import customer, names_in
from agent.clerk.airline.vocabulary import words_of
from agent.clerk.airline.wanted_legs import read_wanted
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task

_BRIEF = 5
"""The most words of an exception that is of a person: "but not for Dalia"."""


def part_meant(task: Task, dialogue: AirlineState, record: Json) -> str:
    """What a change of the cabin is limited to, a flight or a passenger; else empty."""
    lines = dialogue.sentences_of(task)
    if leaves_out_some(task, dialogue, record) or means_some(lines, dialogue, record):
        return "a single passenger"
    told = read_wanted(lines, record)
    sides = [e for e in ("out", "back") if told.of(e).mentioned or {*told.booked(e)} & {*told.old}]
    parts = [part for line in lines for part in line.parts() if way_mentioned(part) or part.days]
    limits = any(line.has_phrase_of("limits") for line in [*lines, dialogue.parse(task.message)])
    limits = limits or any(part.has_phrase("only", "just") for part in parts)
    return "a single flight" if limits and len(sides) == 1 and ways(record)[1] else ""


def leaves_out_some(task: Task, dialogue: AirlineState, record: Json) -> bool:
    """Whether some of a reservation's passengers are left out: "for me, but not for Dalia"."""
    firsts = {each["first_name"] for each in record["passengers"]}
    told = [e for e in dialogue.parse_all(task.excepted) if len(e.words) <= _BRIEF]
    named = {first for line in told for _, first, _ in names_in(line, dialogue)} & firsts
    return bool(named) and named < firsts


def means_some(lines: Sequence[ParsedSentence], dialogue: AirlineState, record: Json) -> bool:
    """Whether sentences are about some of a reservation's passengers only.

    Whoever just says something, as in "Nils says he'd rather that", is not all that is meant.
    """

    def told(line: ParsedSentence, place: int) -> bool:
        return bool(words_of("says") & {*line.after(place + 1, 1)})

    firsts = {each["first_name"] for each in record["passengers"]}
    me = customer(dialogue).first
    for line in lines if len(firsts) > 1 else ():
        found = {first for place, first, _ in names_in(line, dialogue) if not told(line, place)}
        found -= {me} if line.has_phrase("this is", "my name") else set()
        beside = found and line.has_phrase("and i", "and me", "i and")
        named = (found | ({me} if beside else set())) & firsts
        together = line.has_phrase_of("all of us") or line.has_phrase("we", "us", "our")
        if line.has_phrase_of("not all of us") or (named and named < firsts and not together):
            return True
    return False
