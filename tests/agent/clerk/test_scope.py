"""What starts nothing because it is taken back, denied, only told or asked; and what still starts.

``scope_retail.json`` and ``scope_airline.json`` hold sentences of both kinds, each with what would
be carried out if it were meant: order, reason and means are all told.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import domains
from agent.clerk.airline.dialogue import AirlineDialogue
from agent.clerk.retail.intent_data import reader as retail_reader
from agent.clerk.understanding.clauses import limit
from tests.agent.clerk.driver import Driver
from tests.effort import every

HERE = Path(__file__).parent / "sentences"
CUSTOMERS = {"retail": "yusuf rossi, 19122", "airline": "my user id is ivo_petrov_2519"}
TABLES = {
    trade: json.loads((HERE / f"scope_{trade}.json").read_text("utf-8")) for trade in CUSTOMERS
}
UNWANTED = json.loads((HERE / "unwanted.json").read_text("utf-8"))
SECOND = json.loads((HERE / "unwanted_second.json").read_text("utf-8"))
"""By writers who saw neither code nor examples, in one to three messages."""

NOTHING = [(trade, line) for trade, table in TABLES.items() for line in table["nothing"]]
STARTS = [
    (trade, row["text"], row["tool"]) for trade, table in TABLES.items() for row in table["starts"]
]
RETRACTIONS = [
    "Scratch that.", "On second thought, no.", "Wait, don't!", "Sorry, never mind.",
    "Just kidding.", "Forget it, she's better now.",
]  # fmt: skip
CONDITIONS = [
    "If it rains, ", "Unless my wife recovers, ", "As soon as my boss agrees, ",
    "In case the weather is bad, ", "If he can't come, ",
]  # fmt: skip
CORRECTIONS = ["Scratch that, it's 1260 Elm.", "Insurance? No.", "Thanks, and have a nice day."]


def proposed(trade: str, *lines: str) -> list[str]:
    driver = Driver(domains.load(trade), decisions=["reject"] * 9)
    driver.say(CUSTOMERS[trade])
    for line in lines:
        driver.say(line)
    return [call.name for call in driver.proposed]


NOT_YET = {
    "Refund my keyboard",
    "are you going to return the lamp to my mastercard?",
    "wud it be possible 2 pay the planner w the mastercard? asking cos my wife thinks paypal is"
    " safer & i agree with her so paypal stays",
}
"""What is still taken for a request; whatever mends one of these has to take it out here."""

MISSED: set[str] = set()
"""What is requested and comes to an offer instead of a card."""


def known(line: str, those: set[str]) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(strict=True)] if line in those else []


@pytest.mark.parametrize(
    ("trade", "line"),
    [pytest.param(*row, marks=known(row[1], NOT_YET)) for row in NOTHING],
)
def test_what_is_taken_back_denied_or_only_told_comes_to_no_card(trade: str, line: str) -> None:
    assert proposed(trade, line) == []


@pytest.mark.heavy
@pytest.mark.parametrize("trade", CUSTOMERS)
def test_what_blind_writers_mentioned_and_did_not_want_comes_to_no_card(trade: str) -> None:
    talks = [row["turns"] for row in UNWANTED if row["domain"] == trade]
    assert len(talks) >= 60
    cards = [turns for turns in every(2, talks) if proposed(trade, *turns)]
    assert [turns for turns in cards if turns[0] not in NOT_YET] == []


@pytest.mark.heavy
@pytest.mark.parametrize("trade", CUSTOMERS)
def test_hardly_anything_that_was_not_wanted_comes_to_a_card(trade: str) -> None:
    talks = [row["turns"] for row in SECOND if row["domain"] == trade]
    assert len(talks) == 200
    assert len([turns for turns in every(2, talks) if proposed(trade, *turns)]) <= 1


@pytest.mark.parametrize(
    ("trade", "line", "tool"), [pytest.param(*row, marks=known(row[1], MISSED)) for row in STARTS]
)
def test_what_is_asked_for_politely_or_at_length_comes_to_its_card(
    trade: str, line: str, tool: str
) -> None:
    assert tool in proposed(trade, line)


MENUS = {
    "retail": ["fatou.diallo@example.com. cancel one of the two planners, ordered by mistake"],
    "airline": ["ivo_petrov_2519", "cancel a reservation of mine, I'm ill"],
}
"""What leads to a choice of records to cancel."""


@pytest.mark.parametrize(
    "retraction", [*RETRACTIONS, "No wait, dont cancel anything.", "Hm no, I keep both."]
)
@pytest.mark.parametrize("trade", MENUS)
def test_a_number_that_is_taken_back_comes_to_no_card(trade: str, retraction: str) -> None:
    driver = Driver(domains.load(trade), decisions=["reject"] * 9)
    menu = [driver.say(each) for each in MENUS[trade]][-1]
    assert "\n2. " in menu
    driver.say(f"1. {retraction}")
    assert driver.proposed == []


@pytest.mark.parametrize("retraction", RETRACTIONS)
@pytest.mark.parametrize(("trade", "line", "_tool"), STARTS[::3])
def test_any_request_is_taken_back_by_any_retraction_that_ends_it(
    trade: str, line: str, _tool: str, retraction: str
) -> None:
    reader = {"retail": retail_reader(), "airline": AirlineDialogue().reader}[trade]
    acts = reader.catalog.acts
    read = [reader.read(f"{line}{end}") for end in (".", f". {retraction}")]
    before, after = ([e for e in told.requests if e.intent in acts] for told in read)
    assert any(each.modality == "meant" for each in before)
    assert not any(each.modality == "meant" for each in after)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(("trade", "line", "_tool"), STARTS[::3])
def test_any_request_hangs_on_any_condition_that_nobody_can_check(
    trade: str, line: str, _tool: str, condition: str
) -> None:
    reader = {"retail": retail_reader(), "airline": AirlineDialogue().reader}[trade]
    read = [reader.read(f"{each}{line}") for each in ("", condition)]
    plain, hanging = (
        [e.condition for e in told.requests if e.modality == "meant"] for told in read
    )
    assert not any(plain)
    assert all(condition.strip(", ") in each for each in hanging)


@pytest.mark.parametrize("more", CORRECTIONS)
def test_what_only_corrects_or_answers_takes_nothing_back(more: str) -> None:
    told = retail_reader().read(f"Send the planner to 1206 Elm Street, Troy, NY 12180. {more}")
    assert any(each.modality == "meant" for each in told.requests)


def test_a_question_about_a_change_is_not_asked_back_as_if_it_were_wanted() -> None:
    held = Driver(domains.load("airline"))
    held.say(CUSTOMERS["airline"])
    assert "Which of your reservations do you mean?" in held.say(
        "just asking what cancelling costs"
    )
    assert "should I cancel?" in held.say("then cancel a reservation of mine")


@pytest.mark.parametrize(
    ("text", "dollars"),
    [
        ("at most $1,000", 1000.0),
        ("only if it's under $1,200.50", 1200.5),
        ("no more than 30 bucks", 30.0),
    ],
)
def test_a_limit_is_read_with_its_thousands(text: str, dollars: float) -> None:
    assert limit(text) == dollars
