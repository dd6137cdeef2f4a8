from __future__ import annotations

from agent.clerk.airline.booking import trip_of
from agent.clerk.airline.dialogue import AirlineDialogue
from agent.clerk.state.task import Task

SEARCH = (1, "SEA", "MCO", "2024-05-21")
BY_CHICAGO = ({"origin": "SEA", "destination": "ORD"}, {"origin": "ORD", "destination": "MCO"})


def test_a_place_where_a_found_flight_changes_planes_is_no_destination() -> None:
    task = Task("book_flight", "book Seattle to Orlando on May 21", notes=["Chicago is fine"])
    dialogue = AirlineDialogue(tasks=[task])
    assert trip_of(task, dialogue).destination == ("ORD",)
    dialogue.records.searches[SEARCH] = [BY_CHICAGO]
    assert trip_of(task, dialogue).destination == ("MCO",)


def test_what_is_said_of_two_airports_is_read_like_anything_else() -> None:
    text = "I need Kennedy and LaGuardia to serve me better"
    assert AirlineDialogue().preprocess(text) == text
