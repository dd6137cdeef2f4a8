"""What is wanted of each way of a trip, new or booked, by sentences in order: the newer one counts.

The reader remembers which way is under discussion, so that "friday at noon" after "the way home" is
about the way home, and so that a weekday is the one nearest to the day spoken of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, read_flight_slots, way_mentioned
from agent.clerk.airline.known_records import ways
from agent.clerk.airline.parsed_sentence import ParsedSentence, parse_sentence
from agent.clerk.airline.reservation_slots import is_on_route
from agent.clerk.airline.vocabulary import FROM, NOT, TO, Mention, words_of
from agent.clerk.airline.wording import shift_day
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task
from agent.clerk.understanding.correcting import is_correction
from agent.clerk.understanding.tokens import tokens

_FEW = 3
_OTHER = {"out": "back", "back": "out"}


@dataclass
class WantedLegs:
    """The slots of both ways of a trip, as far as its sentences were read."""

    record: Json | None = None
    """The reservation, if the trip is booked; what is said of a new one is first of its way out."""

    out: Leg = field(default_factory=Leg)
    back: Leg = field(default_factory=Leg)
    either: Leg = field(default_factory=Leg)
    """Slots that were given without a way."""

    old: list[str] = field(default_factory=list)
    """The mentioned days that are already booked."""

    side: str = ""
    """The way under discussion: ``out``, ``back``, or empty while none was mentioned."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is wanted of either way."""
        return self.out.is_empty and self.back.is_empty and self.either.is_empty

    def booked(self, side: str = "") -> list[str]:
        """The days of the booked flights, of one way or of both."""
        both = ways(self.record) if self.record else ((), ())
        out, back = ([each["date"] for each in way] for way in both)
        return {"out": out, "back": back}.get(side, [*out, *back])

    def of(self, side: str) -> Leg:
        """The slots of one way; under another name, those without a way."""
        return {"out": self.out, "back": self.back}.get(side, self.either)

    def put(self, side: str, leg: Leg) -> None:
        """Replace the slots of one way."""
        setattr(self, side or "either", leg)

    def read(self, line: ParsedSentence) -> None:
        """Update the slots by a sentence."""
        here: dict[str, Leg] = {}
        corrects = False
        self.side = self.side if self.record else self._side_first_meant(line)
        for part in _parts(line):
            if is_correction(tokens(part.text)):
                corrects = True
                continue
            if not self.record and len(part.words) < _FEW and words_of("coming") & {*part.words}:
                continue  # "there and back"
            named = self._way_named(part)
            self.side = named or self.side
            if self.record and self._keeps(part, named):
                if not self.either.is_empty:  # what was said is of the other way
                    told = self.either.merged_with(here.pop("", Leg()))
                    here[self.side] = here.get(self.side, Leg()).merged_with(told)
                    self.either = Leg()
                continue
            if self.record and part.has_phrase("only") and self.side in _OTHER:
                self.put(_OTHER[self.side], Leg())
                self.either = here[""] = Leg()
            told = self._slots(part, named)
            for name in _OTHER if self.side == "both" else (self.side,):
                own_days = name == "out" or self.record or self.side == name
                new = told if own_days else replace(told, days=())
                leg = here.get(name, Leg())
                here[name] = leg.updated_by(new) if corrects else leg.merged_with(new)
        for name, told in here.items():
            self.put(name, self.of(name).updated_by(told))
        self.side = self.side if self.side in _OTHER else ""

    def _side_first_meant(self, line: ParsedSentence) -> str:
        """The way of a new trip that a sentence is about before it names any."""
        return "out"

    def _way_named(self, part: ParsedSentence) -> str:
        """The way that a part of a sentence names, by words or by where it starts or ends.

        The way out is not named by its places alone, as they may just name the trip.
        """
        if self.record is None:
            leaves = part.has_phrase("leave", "leaving", "depart", "departing", "out")
            return way_mentioned(part) or ("out" if leaves else "")
        here, there = self.record["origin"], self.record["destination"]
        roles = {(each.role, code) for each in part.places for code in each.value}
        if self.record["flight_type"] == "round_trip" and roles & {(FROM, there), (TO, here)}:
            return "back"
        turns = self.side == "back" and (FROM, here) in roles
        return way_mentioned(part) or ("out" if turns else "")

    def _keeps(self, part: ParsedSentence, named: str) -> bool:
        """Whether a part only says what is to stay; what was wanted of that way is forgotten."""
        days = {self._day(each, part) for each in part.days}
        denied = named and part.has_phrase_of("not that way") and days <= {*self.booked()}
        same = named and part.words[-1:] == ("same",)  # "come back same"
        if not (denied or same or part.has_phrase_of("stays")):
            return False
        for side in _OTHER:
            if side == named or days & {*self.booked(side)}:
                self.put(side, Leg())
                self.side = _OTHER[side]
        return True

    def _slots(self, part: ParsedSentence, named: str) -> Leg:
        """The slots in a part of a sentence, with the days other than booked ones."""
        told, before = read_flight_slots(part), self.of(self.side).days
        new = self._new_days(part)
        is_range = len(part.days) > 1 and part.days[1].role == TO
        if not self.record and self.side != "back" and is_range and len(new) > 1:
            self.back = self.back.updated_by(Leg(days=(new.pop(1),)))  # "from May 20 to May 25"
        if new or not self.record:
            nights = told.shift if self.side == "back" and not new else None
            told = replace(told, days=tuple(new), shift=nights)
        elif before and any(each.role not in {FROM, NOT} for each in part.days):
            told = replace(told, shift=0)  # back to the day that is booked
        mentioned = (named and (new or not part.days)) or not told.is_empty
        return replace(told, mentioned=bool(self.side and mentioned))

    def _new_days(self, part: ParsedSentence) -> list[str]:
        """The wanted days in a part of a sentence; days that are not wanted are given up."""
        new: list[str] = []
        for mention in part.days:
            days = part.days_meant(mention, self._day(mention, part))
            if days[0] in self.booked(self.side) and mention.role != TO:
                self.old.append(days[0])
            elif mention.role == NOT:
                for side in ("", self.side) if self.side in _OTHER else ("", *_OTHER):
                    if days[0] in self.of(side).days:
                        self.put(side, replace(self.of(side), days=()))
            elif mention.role != FROM or len(part.days) == 1 or not self.record:
                new += days
        return new[-1:] if part.has_phrase("i mean", "rather") else [*dict.fromkeys(new)]

    def _day(self, mention: Mention, part: ParsedSentence) -> str:
        """The day that is mentioned; a mere weekday is the one nearest to the day spoken of.

        It is not before the first possible one: today, or the day of the way out.
        """
        day = str(mention.value)
        if not (self.record and part.is_weekday(mention)):
            return day
        about = self.of(self.side).date or [*self.booked(self.side), *self.booked()][0]
        out = self.out.date or self.booked("out")[-1] if self.side == "back" else day
        weeks = (date.fromisoformat(about) - date.fromisoformat(day)).days / 7
        found = shift_day(day, 7 * max(0, round(weeks)))
        return found if found >= out else shift_day(found, 7)


def _parts(sentence: ParsedSentence) -> Iterator[ParsedSentence]:
    """Yield the parts of a sentence, each cut before the way back."""
    for part in sentence.parts():
        returns = [n for n, word in enumerate(part.words) if word in words_of("coming")]
        head = parse_sentence(" ".join(part.raw[: returns[0] if returns else 0]), part.today)
        if head.days or head.places:
            yield head
            part = parse_sentence(" ".join(part.raw[returns[0] :]), part.today)
        yield part


def read_wanted(lines: Iterable[ParsedSentence], record: Json) -> WantedLegs:
    """The slots of both ways of a booked trip, from sentences in order, oldest first."""
    found = WantedLegs(record)
    for line in lines:
        found.read(line)
    return found


def lines_about(record: Json, task: Task, dialogue: AirlineState) -> list[ParsedSentence]:
    """The sentences of a task, after what was asked about flights for the reservation before.

    "On the way back, what is there on Friday?", then "the evening one" is of that way and day.
    """
    found: list[ParsedSentence] = []
    before = dialogue.tasks[: dialogue.tasks.index(task) if task in dialogue.tasks else None]
    for each in before:
        lines, key = dialogue.sentences_of(each), record["reservation_id"]
        here = each.chosen.get("focus", key) == key and all(is_on_route(e, record) for e in lines)
        if each.intent == "change_flights" and each.written:
            found = []
        elif each.intent in {"change_flights", "search_flights"} and here:
            found += lines
    return [*found, *dialogue.sentences_of(task)]
