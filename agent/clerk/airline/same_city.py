"""Airports that serve one city, as far as an entry of the memory names them.

The records do not say which airports are of one city, and neither does the policy: an entry may,
*Kennedy counts as LaGuardia*. Only the airports that one entry names together are taken for that.
"""

from __future__ import annotations

from collections.abc import Iterable

from agent.clerk.airline.talk import Talk
from agent.clerk.learned import Rule
from agent.clerk.remembering import Json


def move_to_same_city(record: Json, wanted: Iterable[str], rule: Rule, talk: Talk) -> Json | None:
    """A reservation as if it were booked from or to another airport of the same city.

    None where no entry that was read names that airport together with one of its own.
    """
    ends = {code for each in record["flights"] for code in (each["origin"], each["destination"])}
    for lesson in talk.memory.learned.lessons(rule.tool, "relaxes"):
        if not lesson.is_of(rule):
            continue
        named = {
            code
            for line in talk.lines_of([lesson.condition])
            for place in line.places
            for code in place.value
        }
        for new in wanted:
            for booked in ends & named:
                if new in named:
                    return _with_airport(record, booked, new)
    return None


def _with_airport(record: Json, booked: str, new: str) -> Json:
    def put(each: Json) -> Json:
        ends = {key: each[key] for key in ("origin", "destination") if key in each}
        return {**each, **{key: new if code == booked else code for key, code in ends.items()}}

    return {**put(record), "flights": [put(each) for each in record["flights"]]}
