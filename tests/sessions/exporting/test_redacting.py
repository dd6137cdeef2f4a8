from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from domains.core.domain import Domain
from domains.core.personal import personal_values
from domains.core.tool import ToolCall
from sessions.events import ContextAssembled, Logged
from sessions.events.memory import Recalled
from sessions.exporting.confirmations import rows_of
from sessions.exporting.redacting import Redact, Redaction
from sessions.json_strings import map_strings
from sessions.store.errors import ExportError
from tests.sessions.recorded import events_of, right_steps
from tests.sessions.scoring.trajectories import Agent, Customer, Step
from tests.sessions.toy import log_of

DOMAINS = [domains.load(name) for name in ("retail", "airline")]
RETAIL, AIRLINE = DOMAINS
SEEDED = Redaction("seed")


def looked_up(domain: Domain, *words: str) -> tuple[list[Logged], str]:
    """A session about the first customer, with these words, and that customer's id."""
    user = next(iter(domain.base.collections["users"]))
    steps: list[Step] = [Customer("Hi"), ToolCall("get_user_details", {"user_id": user})]
    log = log_of(*events_of(domain, None, [*steps, *map(Agent, words)]))
    return log, user


def redacted(domain: Domain, *words: str) -> Redact:
    return SEEDED.redactor_for(looked_up(domain, *words)[0], domain)


def _stands(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda each: each.name)
def test_nothing_that_is_on_record_of_a_person_is_left_in_any_row(domain: Domain) -> None:
    for scenario in domain.scenarios:
        log = log_of(*events_of(domain, scenario, right_steps(domain, scenario)))
        hide = SEEDED.redactor_for(log, domain)
        told = [logged.event.model_dump() for logged in log]
        personal = {value for _, value in personal_values(told, domain.personal)}
        text = json.dumps(map_strings(list(rows_of(log)), hide))
        text += hide(json.dumps(told))
        assert [each for each in personal if _stands(json.dumps(each)[1:-1], text)] == []


def test_the_same_value_has_the_same_stand_in_whatever_its_case() -> None:
    log, user = looked_up(RETAIL)
    hide = SEEDED.redactor_for(log, RETAIL)
    assert hide(user) == hide(user.upper()) == SEEDED.stand_in("user", user)
    assert Redaction("seed").stand_in("user", user) == SEEDED.stand_in("user", user)
    assert Redaction("other").stand_in("user", user) != SEEDED.stand_in("user", user)
    assert Redaction().stand_in("user", user) != Redaction().stand_in("user", user)


def test_names_and_addresses_are_found_inside_sentences() -> None:
    record = next(iter(RETAIL.base.collections["users"].values()))
    first, last = record["name"]["first_name"], record["name"]["last_name"]
    street, email = record["address"]["address1"], record["email"]
    hide = redacted(RETAIL)
    hidden = hide(f"I'm {first} {last.lower()}'s friend, at {street.upper()}; write to {email}.")
    for part in (first, last, street, email):
        assert part.lower() not in hidden.lower()
    assert hidden.startswith("I'm first-name_")
    assert "'s friend, at street_" in hidden


def test_a_birth_date_is_found_however_it_is_written() -> None:
    record = next(iter(AIRLINE.base.collections["users"].values()))
    assert record["dob"] == "1981-09-14"
    hide = redacted(AIRLINE)
    stand_in = SEEDED.stand_in("birth-date", "1981-09-14")
    for spelling in ("1981-09-14", "September 14, 1981", "14 Sep 1981", "09/14/1981",
                     "14.9.1981", "september 14th, 1981"):  # fmt: skip
        assert hide(f"born {spelling}.") == f"born {stand_in}."


def test_the_digits_of_a_card_are_only_those_of_the_people_spoken_of() -> None:
    cards = [
        method["last_four"]
        for user in RETAIL.base.collections["users"].values()
        for method in user["payment_methods"].values()
        if "last_four" in method
    ]
    own = cards[0]
    hide = redacted(RETAIL)
    assert "card_" in hide(f"Mastercard ending {own}")
    others = next(each for each in cards if hide(each) == each)
    assert hide(f"order #W{own}1234 and {others}") == f"order #W{own}1234 and {others}"


def test_the_cards_of_somebody_who_was_only_found_are_taken_out_too() -> None:
    record = next(iter(RETAIL.base.collections["users"].values()))
    (own, *_) = (each["last_four"] for each in record["payment_methods"].values()
                 if "last_four" in each)  # fmt: skip
    find = ToolCall("find_user_id_by_email", {"email": record["email"]})
    gone = ToolCall("get_user_details", {"user_id": record["user_id"]})
    log = log_of(*events_of(RETAIL, None, [Customer(f"ending {own}"), find, gone])[:-3])
    assert own not in json.dumps([each.event.model_dump() for each in log[2:]])
    assert SEEDED.redactor_for(log, RETAIL)(f"ending {own}").startswith("ending card_")


def test_whoever_an_earlier_conversation_was_about_is_taken_out_of_what_it_taught() -> None:
    user, record = list(RETAIL.base.collections["users"].items())[5]
    city = record["address"]["city"]
    example = f'Look-up: get_user_details({{"user_id":"{user}"}}) Customer: I moved to {city}.'
    log, first = looked_up(RETAIL)
    handed = ContextAssembled(
        turn=1, blocks=1, budget=16, tokens=9, retrieval="",
        recalled=(Recalled(capability="example_1", text=example),),
    )  # fmt: skip
    assert user != first
    assert city in SEEDED.redactor_for(log, RETAIL)(example)  # a city like any other, elsewhere
    log = log_of(*(each.event for each in log), handed)
    hidden = SEEDED.redactor_for(log, RETAIL)(example)
    assert user not in hidden
    assert city not in hidden


def test_anybodys_id_and_email_address_are_taken_out() -> None:
    *_, somebody = RETAIL.base.collections["users"].values()
    hide = redacted(RETAIL)
    assert somebody["user_id"] not in hide(f"not {somebody['user_id']}?")
    assert hide("me@somewhere.example") != "me@somewhere.example"


@given(text=st.text(alphabet="abc ,.#W0123456789$%()", max_size=80))
def test_what_is_about_nobody_stays_to_the_letter(text: str) -> None:
    assert _HIDE(text) == text or re.search(r"\d{4,5}", text)


_HIDE = redacted(RETAIL)


def test_times_and_identifiers_stay() -> None:
    for text in ("2026-11-21T12:00:00.000000+00:00", "#W1234567", "a" * 64, "01M7YW8AX11W8CW9"):
        assert _HIDE(text) == text


def test_where_the_person_lives_on_this_machine_is_not_told() -> None:
    assert _HIDE(f"records in {Path.home()}/tau2") == "records in ~/tau2"


def test_a_domain_that_does_not_say_what_is_personal_is_refused() -> None:
    log, _ = looked_up(RETAIL)
    with pytest.raises(ExportError, match="Nothing was written"):
        SEEDED.redactor_for(log, replace(RETAIL, personal={}))


def test_a_changed_address_is_personal_before_it_is_on_record(tmp_path: Path) -> None:
    call = ToolCall(
        "modify_user_address",
        {"user_id": next(iter(RETAIL.base.collections["users"])), "address1": "1 Nowhere Lane",
         "address2": "", "city": "Utopia", "state": "XX", "country": "USA", "zip": "99999"},
    )  # fmt: skip
    log = log_of(*events_of(RETAIL, None, [Customer("1 nowhere lane, Utopia"), call]))
    assert SEEDED.redactor_for(log, RETAIL)("1 nowhere lane, Utopia 99999").count("_") == 3
