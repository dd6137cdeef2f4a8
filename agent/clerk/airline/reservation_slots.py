"""Slot filling for reservations: which one a task is about, by how well its words match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.known_records import AirlineRecords
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.people import number_of_people
from agent.clerk.airline.replies import ask, refuse
from agent.clerk.airline.vocabulary import ACTS, FROM, NOT, TO, VERBS, phrases
from agent.clerk.airline.wording import describe_reservation, say
from agent.clerk.deciding.offers import MOST, OFFER
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.tokens import tokens
from agent.clerk.wording import join_parts

_OTHER_DAYS = frozenset({"change_flights", "change_passengers", None})
"""Tasks that may mention days on which no reservation has a flight: new days, dates of birth."""

_BY_ORDER = ("last trip", "next trip", "other trip", "cancelled trip")
"""Phrase lists that refer to a reservation by its position among the others, or its state."""

_SPOKEN_OF = 2.5
"""The score of having been spoken of last: more than for a day, less than a wrong one costs."""


def is_active(record: Json) -> bool:
    """Whether a reservation has not been cancelled."""
    return record.get("status") != "cancelled"


def is_upcoming(record: Json, dialogue: AirlineState) -> bool:
    """Whether a reservation has a flight today or later."""
    return any(each["date"] >= dialogue.today for each in record["flights"])


def upcoming(pool: Sequence[Json], dialogue: AirlineState) -> list[Json]:
    """The reservations that are not cancelled and lie ahead."""
    return [each for each in pool if is_active(each) and is_upcoming(each, dialogue)]


def means_several(task: Task, dialogue: AirlineState) -> bool:
    """Whether a task is about more than one reservation, and not about one of several."""
    lines = dialogue.sentences_of(task)
    ids = {each for line in lines for each in line.ids} & {*dialogue.records.reservation_ids}
    several = len(ids) > 1 and not any(_names_one_of(line) for line in lines)
    return several or dialogue.task_says(task, "all trips")


_FIRST = 4
"""Among how many first words a denial is of all that is named: "I don't need R2CQ7S or …"."""


def _names_one_of(line: ParsedSentence) -> bool:
    """Whether a sentence wants one of several and leaves open which: "R2CQ7S or C7WZ8Q"."""
    pairs = pairwise(each.lower() for each in line.ids)
    told = any(line.has_phrase(f"{a} or {b}", f"{a} or else {b}") for a, b in pairs)
    words = tokens(line.text)
    return (told or tells(words, "one of several")) and not tells(words[:_FIRST], "denying")


def find_reservation(task: Task, dialogue: AirlineState) -> Json:
    """The one reservation that a task is about; raises Settled with an offer or a refusal."""
    found = find_candidates(task, dialogue)
    if len(found) == 1:
        return found[0]
    verb = "" if task.what_if else VERBS.get(str(task.intent), "")
    everything = [] if found else dialogue.records.read_reservations()
    pool = found or upcoming(everything, dialogue) or everything
    if not pool:
        refuse("There are no reservations on your profile.")
    lead = "" if found else "I can't find a reservation like that. "
    question = f"Which of your reservations {f'should I {verb}' if verb else 'do you mean'}?"
    question = question if len(pool) > 1 else "Do you mean this one?"
    choices = [Choice(each["reservation_id"], describe_reservation(each)) for each in pool]
    if lead and task.intent == "change_flights":  # "can you get us on a plane to Orlando?"
        choices[MOST - 1 :] = [Choice(f"{OFFER}book_flight", "none of them: book a new flight")]
    ask(task, "reservation", f"{lead}{question}", choices=choices, shown=MOST)


def find_candidates(task: Task, dialogue: AirlineState) -> list[Json]:
    """The reservations that a task's sentences match best, rather ones that lie ahead, if any."""
    records, lines = dialogue.records, dialogue.sentences_of(task)
    ids = _ids(lines, records)
    if ids:
        return [each for each in (records.read_reservation(key) for key in ids) if each]
    pool = records.read_reservations()
    likely = _by_order(lines, _likely(task, dialogue, pool), pool, dialogue)
    focus = _spoken_of(task, dialogue, lines, pool)
    left_out = dialogue.parse_all(task.excepted)
    moves = task.intent in _OTHER_DAYS
    not_on = set() if moves else {day for line in lines for day in _days_left_alone(line)}

    def score(record: Json, told: Sequence[ParsedSentence]) -> float:
        """How well a reservation, in its current state or as first read, matches sentences."""
        id_ = record["reservation_id"]
        both = record, records.first_read.get(id_, record)
        found = sum(max(_match_score(line, each, task) for each in both) for line in told)
        out = any(_is_left_out(record, line, task) for line in left_out)
        if record is focus and not (out and task.intent == "cancel_reservation"):
            return found + _SPOKEN_OF
        if out:
            return -1.0
        return -1.0 if any(each["date"] in not_on for each in record["flights"]) else found

    pointed = focus or any(line.has_phrase_of(*_BY_ORDER) for line in lines)
    for told in (lines, [] if pointed else dialogue.parse_all(task.context)):
        for among in (likely, pool):
            scores = [score(each, told) for each in among]
            top = max(scores, default=0.0)
            if top > 0:
                return [e for e, found in zip(among, scores, strict=True) if found == top]
        if top < 0:  # "move my flight to Atlanta" is about the only one, though it can't be done
            one = task.intent == "change_flights" and len(upcoming(pool, dialogue)) == 1
            return likely if one else []
    return [each for each in likely if score(each, []) == 0]


def _spoken_of(
    task: Task, dialogue: AirlineState, lines: Sequence[ParsedSentence], pool: list[Json]
) -> Json | None:
    """The reservation that was spoken of last, unless the sentences are about other places."""
    focus = dialogue.records.reservations.get(task.chosen.get("focus", ""))
    if task.intent is not None:  # "show me F3BM2R. and what did I pay?"
        focus = named_reservation(dialogue.parse(task.message), pool) or focus
    if focus is None or means_several(task, dialogue):
        return None
    other = any(line.has_phrase_of(*_BY_ORDER) or not is_on_route(line, focus) for line in lines)
    return None if other else focus


def _by_order(
    lines: Sequence[ParsedSentence], likely: list[Json], pool: list[Json], dialogue: AirlineState
) -> list[Json]:
    """The reservations that words such as "my next trip" leave of the likely ones."""
    said = {name for name in _BY_ORDER if any(line.has_phrase_of(name) for line in lines)}
    if "last trip" in said and pool:
        return [max(pool, key=lambda each: str(each["created_at"]))]
    if "next trip" in said and likely:
        return [min(likely, key=lambda each: str(each["flights"][0]["date"]))]
    if "cancelled trip" in said:
        return [each for each in likely if dialogue.records.is_called_off(each)] or likely
    if "other trip" in said:
        return [each for each in likely if each["reservation_id"] != dialogue.focus]
    return likely


def is_on_route(line: ParsedSentence, record: Json) -> bool:
    """Whether a sentence names no place that a reservation does not touch."""
    places = [each for each in line.places if each.role != NOT]
    return all(_touched(record).intersection(each.value) for each in places)


def named_reservation(said: ParsedSentence, pool: Sequence[Json]) -> Json | None:
    """The one reservation that a message names by its id or its places; else None."""
    places = any(each.role != NOT for each in said.places)
    found = [each for each in pool if each["reservation_id"] in said.ids]
    found = found or [each for each in pool if places and is_on_route(said, each)]
    return found[0] if len(found) == 1 else None


def _touched(record: Json) -> set[str]:
    """The airports of a reservation's flights."""
    return {code for each in (record, *record["flights"]) for code in _ends(each)}


def _ends(flight: Json) -> tuple[str, str]:
    return flight["origin"], flight["destination"]


def _ids(lines: Sequence[ParsedSentence], records: AirlineRecords) -> list[str]:
    """The customer's reservations named by id; raises Settled with a refusal if none is theirs."""
    named = list(dict.fromkeys(each for line in reversed(lines) for each in line.ids))
    own = [each for each in named if each in records.reservation_ids]
    if named and not own:
        refuse(say("not yours", ids=join_parts(named)))
    return own


def _is_left_out(record: Json, line: ParsedSentence, task: Task) -> bool:
    """Whether an exception is of a reservation: by what it names, or else by the cabin alone."""
    named = record["reservation_id"] in line.ids or _match_score(line, record, task) > 0
    by_cabin = task.intent == "cancel_reservation" and not line.names_trip
    return named or (by_cabin and record["cabin"] in {each.value for each in line.cabins})


def _match_score(sentence: ParsedSentence, record: Json, task: Task) -> float:
    flights, touched = record["flights"], _touched(record)
    wrong_place = -0.1 if task.intent == "change_flights" else -1.5
    score = 0.0
    for place in sentence.places:
        if touched & {*place.value}:
            score += 1.5 if record["destination"] in place.value else 1.0
        elif place.role != NOT:
            score += wrong_place
    here, there = ([e.value for e in sentence.places if e.role == way] for way in (FROM, TO))
    ends = {_ends(each) for each in (record, *flights)}
    score += any(a in one and b in two for one in here for two in there for a, b in ends)
    dates, act = {each["date"] for each in flights}, task.intent in ACTS and not task.what_if
    wrong_day = 0.0 if task.intent in _OTHER_DAYS else -3.0 if act else -2.0
    for day in _days(sentence, dates, denied=task.intent in _OTHER_DAYS):
        exact = day in {each.value for each in sentence.days}
        score += 1.0 + exact if day in dates else wrong_day
    score += number_of_people(sentence) == len(record["passengers"]) and task.intent in VERBS
    score += 3.0 * len({each["flight_number"] for each in flights} & {*sentence.flight_numbers})
    described = score > 0 and task.intent not in {"change_cabin", "book_flight"}
    same = record["cabin"] in {each.value for each in sentence.cabins if each.role != TO}
    wide = sentence.has_phrase_of("all trips")
    return score + 0.5 if same and (described or wide) else score


def _days_left_alone(line: ParsedSentence) -> list[str]:
    """The days of what is not meant: "not the one on the 24th", "don't cancel the one on …"."""
    places = [at for each in phrases("left alone") if (at := line.find(each)) >= 0]
    first = min(places, default=len(line.words))
    return [str(each.value) for each in line.days if each.role == NOT or each.start > first]


def _days(line: ParsedSentence, booked: set[str], *, denied: bool) -> set[str]:
    """The days that a sentence mentions, ``denied`` ones only if they may be of the new flights.

    A mere weekday is a booked day, if one falls on it.
    """
    found: set[str] = set()
    left = [] if denied else _days_left_alone(line)
    for each in (each for each in line.days if each.value not in left):
        weekday = date.fromisoformat(each.value).weekday()
        same = {e for e in booked if date.fromisoformat(e).weekday() == weekday}
        found |= same if same and line.is_weekday(each) else {each.value}
    return found


def _likely(task: Task, dialogue: AirlineState, pool: list[Json]) -> list[Json]:
    """The reservations that lie ahead, else the active ones; the past ones if the task says so."""
    if dialogue.task_says(task, "past trips"):
        return [each for each in pool if not is_upcoming(each, dialogue)] or pool
    return upcoming(pool, dialogue) or [each for each in pool if is_active(each)] or pool
