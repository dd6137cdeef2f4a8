from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from agent.session.identity import Identity, ownership_check
from domains.core.domain import Domain
from domains.core.tool import ToolCall
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    DecisionMade,
    Precondition,
    ToolCalled,
    ToolReturned,
)

RETAIL = domains.load("retail")
CUSTOMERS = sorted(RETAIL.base.collections["users"])
YUSUF = next(each for each in CUSTOMERS if each.startswith("yusuf_"))
OTHER = next(each for each in CUSTOMERS if each != YUSUF)
NAME, ZIP = (RETAIL.base.collections["users"][YUSUF][each] for each in ("name", "address"))
BY_NAME = {"first_name": NAME["first_name"], "last_name": NAME["last_name"], "zip": ZIP["zip"]}


def says(text: str) -> list[AnyEvent]:
    return [CustomerSaid(text=text, turn=1)]


def looks_up(tool: str, customer: str = YUSUF, **arguments: str) -> list[AnyEvent]:
    """A look-up by which the policy lets a customer be identified, and whom it found."""
    return [
        ToolCalled(call_id="1", name=tool, arguments=arguments),
        ToolReturned(call_id="1", name=tool, text=customer, customer=customer),
    ]


def told(*events: AnyEvent, owner: str = YUSUF, domain: Domain = RETAIL) -> Precondition:
    """What a card says of who is asking, for a change of the owner's default address."""
    identity = Identity(domain)
    for event in events:
        identity.add_event(event)
    call = ToolCall("modify_user_address", {"user_id": owner})
    found = ownership_check(identity, domain.records(), call)
    assert found is not None
    return found


def verdict(events: Sequence[AnyEvent]) -> str:
    return told(*events).verdict


@given(
    before=st.sampled_from(["", "my id is ", "(", "ID: ", "sure, it's\n", "@", "id="]),
    after=st.sampled_from(["", ".", " and I want", ")", "!\nthanks", ", please"]),
    small=st.booleans(),
)
def test_the_owners_id_in_the_customers_own_words_identifies_them(
    before: str, after: str, small: bool
) -> None:
    found = told(*says(before + (YUSUF if small else YUSUF.upper()) + after))
    assert (found.verdict, found.value) == ("holds", f"you gave {YUSUF}")


def test_an_id_inside_an_address_is_none() -> None:
    assert verdict(says(f"mail me at {YUSUF}@example.com")) == "fails"
    assert verdict(says(f"mail me at a.{YUSUF}@example.com")) == "fails"


@given(part=st.integers(1, len(YUSUF) - 1), more=st.sampled_from(["", "x", "9", "_1"]))
def test_a_part_of_an_id_or_more_than_one_does_not(part: int, more: str) -> None:
    assert verdict(says(f"it is {YUSUF[:part]}{more}")) == "fails"
    assert verdict(says(f"it is {YUSUF}0")) == "fails"


@pytest.mark.parametrize(
    "events",
    [
        [],
        [AgentSaid(text=f"Are you {YUSUF}?")],
        [*says("yes"), AgentSaid(text=f"Welcome {YUSUF}")],
        looks_up("find_user_id_by_email", email="yusuf@example.com"),
        [*says("find me"), *looks_up("find_user_id_by_name_zip", **BY_NAME)],
        [ToolReturned(call_id="7", name="get_order_details", text=f'{{"user_id": "{YUSUF}"}}')],
        [DecisionMade(card_id="c", decision="change", words=YUSUF, by="rule", milliseconds=1)],
    ],
)
def test_what_the_agent_said_guessed_or_read_identifies_nobody(events: list[AnyEvent]) -> None:
    assert verdict(events) == "fails"


def test_a_guess_is_told_as_one() -> None:
    assert told().value == "you have not said who you are"
    assert told(*looks_up("find_user_id_by_email", email="y@example.com")).value == (
        f"the agent looked up {YUSUF}; you have not said who you are"
    )


@pytest.mark.parametrize("first", [True, False])
def test_a_look_up_counts_by_what_the_customer_gave_before_or_after_it(first: bool) -> None:
    gave = says("it's YUSUF@example.com, thanks.")
    looked = looks_up("find_user_id_by_email", email="yusuf@example.com")
    found = told(*gave, *looked) if first else told(*looked, *gave)
    assert (found.verdict, found.value) == ("holds", f"you gave yusuf@example.com: {YUSUF}")


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        (f"I'm {NAME['first_name']} {NAME['last_name']}, zip {ZIP['zip']}", True),
        (f"{NAME['last_name']}, {NAME['first_name']}; {ZIP['zip']}.", True),
        (f"I'm Ysuuf {NAME['last_name']}, {ZIP['zip']}", True),
        (f"I'm Yusuf {NAME['last_name']}, {ZIP['zip'][:-1]}", False),
        (f"I'm Yusuf {NAME['last_name']}, 1{ZIP['zip']}", False),
        (f"I'm Sofia {NAME['last_name']}, {ZIP['zip']}", False),
        (f"Yusuf here, {ZIP['zip']}", False),
    ],
)
def test_a_name_may_be_mistyped_and_a_zip_code_may_not(words: str, holds: bool) -> None:
    found = told(*says(words), *looks_up("find_user_id_by_name_zip", **BY_NAME))
    assert found.verdict == ("holds" if holds else "fails")


@pytest.mark.parametrize(
    "said", ["x.yusuf@example.com", "yusuf@example.com.au", "yusuf@example.co", "yusuf@example"]
)
def test_an_address_is_given_to_the_letter(said: str) -> None:
    looked = looks_up("find_user_id_by_email", email="yusuf@example.com")
    assert verdict([*says(said), *looked]) == "fails"


def test_who_identified_as_somebody_else_is_told_so() -> None:
    found = told(*says(f"I am {OTHER}"))
    assert (found.verdict, found.value) == (
        "fails",
        f"you gave {OTHER}, but these belong to {YUSUF}",
    )


def test_the_first_who_was_identified_stays() -> None:
    assert verdict([*says(f"I am {YUSUF}"), *says(f"now for {OTHER}")]) == "holds"
    assert verdict([*says(f"I am {OTHER}"), *says(f"now for {YUSUF}")]) == "fails"
    looked = looks_up("find_user_id_by_email", OTHER, email="other@example.com")
    assert verdict([*says("other@example.com"), *looked, *says(YUSUF)]) == "fails"


def test_the_customer_that_look_ups_found_is_another_question() -> None:
    identity = Identity(RETAIL)
    for event in looks_up("find_user_id_by_email", email="yusuf@example.com"):
        identity.add_event(event)
    assert identity.customer == YUSUF
    assert identity.customer_named(YUSUF) is None
    for event in says(f"I am {OTHER}"):
        identity.add_event(event)
    assert identity.customer == YUSUF
    assert identity.customer_named(YUSUF) == (OTHER, OTHER)


def test_words_on_a_card_are_the_customers_own() -> None:
    words = f"change it, I am {YUSUF}"
    said = DecisionMade(card_id="c", decision="change", words=words, by="person", milliseconds=1)
    assert verdict([said]) == "holds"
