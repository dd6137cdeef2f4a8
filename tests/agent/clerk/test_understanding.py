from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import domains
from agent.clerk.airline.dialogue import AirlineDialogue as Travels
from agent.clerk.retail.dialogue import RetailDialogue
from agent.clerk.retail.intent_data import reader as retail_reader
from agent.clerk.understanding.labelling import ANYTHING
from agent.clerk.understanding.rival_intents import RIVALS, rivals
from tests.agent.clerk.driver import Driver
from tests.benchmarks.clerk import measured
from tests.effort import WHOLE, every, in_whole_runs

HERE = Path(__file__).parent / "sentences"
FORBIDDEN: list[str] = json.loads((HERE / "retail_forbidden.json").read_text("utf-8"))
READERS = {"retail": retail_reader(), "airline": Travels().reader}
NEVER_FLOWN = [
    "leave the booking alone",
    "don't cancel my trip to Seattle",
    "if I moved it to the 20th, how much more would it be?",
    "no no, I already have the flight",
    "I already have a booking, don't book another flight",
    "what would an upgrade to business cost me?",
    "suppose I added two bags, what would that cost?",
    "what if I put my sister's name on it?",
    "hypothetically, could I cancel the trip and get the money back?",
    "please do not upgrade me, economy is fine",
    "nvm about the upgrade to business",
    "no need to replace anyone on my reservation",
]


@pytest.mark.heavy
@pytest.mark.parametrize("domain", READERS)
def test_what_is_wanted_is_told_from_what_is_denied_asked_about_or_mentioned(domain: str) -> None:
    reader = READERS[domain]
    rows = every(3, json.loads((HERE / f"stances_{domain}.json").read_text("utf-8")))
    begun = missed = 0
    for row in rows:
        requests = reader.read(row["text"]).requests
        meant = [e for e in requests if e.intent in reader.catalog.acts and e.modality == "meant"]
        begun += row["stance"] != "want" and not all(each.is_uncertain for each in meant)
        missed += row["stance"] == "want" and not meant
    wanted = sum(row["stance"] == "want" for row in rows)
    assert begun <= 0.03 * (len(rows) - wanted)
    assert missed <= 0.08 * wanted


@pytest.mark.heavy
@pytest.mark.parametrize("domain", READERS)
def test_a_clause_in_the_middle_of_something_is_what_it_was_written_as(domain: str) -> None:
    reader, catalog = READERS[domain], READERS[domain].catalog
    rows = every(2, json.loads((HERE / f"replies_{domain}.json").read_text("utf-8")))
    right = acts = 0
    for row in rows:
        told, meant = reader.read(row["text"], ANYTHING), row["intent"]
        best = told.guesses[0].name if told.guesses else ""
        right += catalog.family(best) == catalog.family(meant)
        acts += meant not in catalog.acts and any(
            e.intent in catalog.acts and e.modality == "meant" and not e.is_uncertain
            for e in told.requests
        )
    assert right >= 0.85 * len(rows)
    assert acts <= 0.04 * len(rows)


@pytest.mark.parametrize(
    ("file", "at_once", "reached", "wrong"),
    [
        ("strangers_retail_twentysecond", 0.93, 0.95, 0),
        ("strangers_airline_twentyfirst", 0.93, 0.95, 0),
        pytest.param("strangers_retail_twentythird", 0.96, 0.97, 0, marks=in_whole_runs),
        pytest.param("strangers_airline_twentysecond", 0.95, 0.97, 1, marks=in_whole_runs),
        pytest.param("strangers_retail_twentyfirst", 0.94, 0.95, 0, marks=in_whole_runs),
        pytest.param("strangers_airline_twentieth", 0.93, 0.96, 0, marks=in_whole_runs),
        pytest.param("strangers_retail_eighteenth", 0.94, 0.96, 0, marks=in_whole_runs),
        pytest.param("strangers_airline_seventeenth", 0.95, 0.98, 0, marks=in_whole_runs),
        pytest.param("strangers_airline_sixteenth", 0.93, 0.95, 0, marks=in_whole_runs),
        pytest.param("strangers_retail_seventeenth", 0.90, 0.95, 0, marks=in_whole_runs),
        pytest.param("strangers_retail_nineteenth", 0.91, 0.95, 0, marks=in_whole_runs),
        pytest.param("strangers_retail_twentieth", 0.94, 0.95, 0, marks=in_whole_runs),
        pytest.param("strangers_airline_eighteenth", 0.94, 0.97, 0, marks=in_whole_runs),
        pytest.param("strangers_airline_nineteenth", 0.94, 0.98, 0, marks=in_whole_runs),
        pytest.param("utterances_retail", 0.89, 0.94, 1, marks=in_whole_runs),
    ],
)
@pytest.mark.heavy
def test_as_many_sentences_as_before_are_understood(
    file: str, at_once: float, reached: float, wrong: int
) -> None:
    total, _ = measured(HERE / f"{file}.json", 1 if WHOLE else 2)
    assert total.at_once / total.all >= at_once
    assert total.reached / total.all >= reached
    assert total.wrong <= wrong


@pytest.mark.parametrize("line", FORBIDDEN)
def test_what_is_denied_or_only_asked_about_never_comes_to_a_card(line: str) -> None:
    driver = Driver(domains.load("retail"), decisions=["reject"] * 9)
    driver.say("yusuf rossi, 19122")
    driver.say(line)
    assert driver.proposed == []


def last_said(driver: Driver) -> str:
    return list(driver.said)[-1]


@pytest.mark.parametrize("words", ["never mind", "not", "nvm", "anything but", "don't return"])
def test_what_is_left_out_of_an_offer_is_offered_no_more(words: str) -> None:
    driver = Driver(domains.load("retail"), decisions=["reject"])
    for line in ("yusuf rossi, 19122", "i want to return something", f"{words} the lamp"):
        driver.say(line)
    assert "Which items" in last_said(driver)
    assert "Lamp" not in last_said(driver)
    driver.say("the bottle")
    driver.say("yes")
    assert [len(call.arguments["item_ids"]) for call in driver.proposed] == [1]


@pytest.mark.parametrize("line", NEVER_FLOWN)
def test_nor_does_it_at_the_airline(line: str) -> None:
    driver = Driver(domains.load("airline"), decisions=["reject"] * 9)
    driver.say("hyejin_baek_9939")
    driver.say(line)
    assert driver.proposed == []


@pytest.mark.parametrize("line", NEVER_FLOWN)
def test_nor_after_a_change_was_declined(line: str) -> None:
    driver = Driver(domains.load("airline"), decisions=["reject"] * 9)
    driver.say("hyejin_baek_9939")
    driver.say("move my flight from Los Angeles to Seattle from May 19 to May 21, on my Visa")
    proposed = len(driver.proposed)
    driver.say(line)
    assert len(driver.proposed) == proposed


@pytest.mark.parametrize(
    "line", [*FORBIDDEN[::4], "cancel my order", "where is it, and swap the lamp"]
)
def test_what_is_offered_beside_an_answer_is_something_else(line: str) -> None:
    reader, offers = READERS["retail"], RetailDialogue.offers
    told, family = reader.read(line), reader.catalog.family
    for wish in told.requests:
        found = rivals(told, wish, reader.catalog, offers)
        meant = {family(each.intent) for each in told.requests if each.modality == "meant"}
        assert not meant & {family(each) for each in found}
        assert set(found) <= set(offers)
        assert len(found) <= RIVALS


def test_what_is_wanted_instead_is_requested_and_what_is_denied_is_not_offered() -> None:
    reader = READERS["retail"]
    wanted = reader.read("I don't want my money back, I want it in blue").requests
    assert ("exchange_items", "meant") in [(each.intent, each.modality) for each in wanted]
    assert ("return_items", "meant") not in [(each.intent, each.modality) for each in wanted]
    told = reader.read("never mind, leave it")
    assert {each.modality for each in told.requests} == {"denied"}
    assert not rivals(told, told.requests[0], reader.catalog, RetailDialogue.offers)


@pytest.mark.parametrize("no", ["actually no just", "No, please", "nope, sorry,", "hm no,"])
def test_a_no_to_what_was_said_before_denies_nothing_of_what_follows(no: str) -> None:
    wishes = READERS["retail"].read(f"{no} cancel the backpack").requests
    assert [(each.intent, each.modality) for each in wishes] == [("cancel_order", "meant")]


def test_at_the_airline_a_numbered_offer_is_answered_by_its_number() -> None:
    driver = Driver(domains.load("airline"), decisions=["reject"] * 9)
    driver.say("hyejin_baek_9939")
    asked = driver.say("something with Seattle and the suitcases")
    assert re.search(r"(?m)^2\. .*", asked)
    assert "none of these" in asked
    assert "I'm not sure" not in driver.say("1")
