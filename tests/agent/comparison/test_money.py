from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.facts import Facts, Money
from tests.agent.comparison.talking import NO_FACTS, agent, choice, customer, lines, ways

ASKED = customer("Please change it.")
YES = customer("Yes.")


def costs(due: float, people: int = 1, *parts: float, payments: tuple[float, ...] = ()) -> Facts:
    money = Money(due, f"charges ${due:,.2f}", people, frozenset(parts), payments)
    return replace(NO_FACTS, money=money, others=ways(W9="w9"), about=ways(W1="w1"))


def after(facts: Facts, text: str) -> list[tuple[str, str, str]]:
    """The disagreements where the agent told this before the yes."""
    return lines(facts, ASKED, agent(text), YES)


@pytest.mark.parametrize(
    ("due", "text", "fires"),
    [
        (50, "The total is $50.", False),
        (50, "The total is $40.", True),
        (50, "The total is $60.", False),
        (50, "You get a refund of $50.", False),
        (50, "You get a refund of $20.", True),
        (-50, "You get a refund of $50.", False),
        (-50, "You get a refund of $60.", True),
        (-50, "You get a refund of $40.", False),
        (0, "You get a refund of $40.", True),
        (50, "The lamp is $40.", False),
        (176, "For this trip 2 bags would be free; each further one costs $50.", False),
        (176, "Each further bag costs $50, so the total is $100.", True),
        (50, "Shall I?", False),
    ],
)
def test_a_line_stands_where_it_is_dearer_than_was_told(due: float, text: str, fires: bool) -> None:
    assert after(costs(due), text) == ([("amount", text, "agent")] if fires else [])


def test_what_nobody_spoke_of_is_not_in_a_total() -> None:
    facts = costs(156, 1, 106, 50)
    assert after(facts, "Total $106.") == [("amount", "Total $106.", "agent")]
    assert after(facts, "Total $106. A bag would be $25.") == []
    assert after(facts, "Total $106. Insurance is $20, a bag $30.") == []
    assert after(facts, "Total $106, plus a bag.") == []


def test_of_a_sentence_the_part_that_says_what_moves_tells_how_much() -> None:
    assert after(costs(-35), "The silver one ($481.50), with $20.78 back.") == []
    assert after(costs(-15), "The silver one ($481.50), with $20.78 back.") != []


def test_what_was_told_later_bears_out_what_was_told_before() -> None:
    said = (
        agent("With the card, $155 to pay."),
        customer("And the larger?"),
        agent("$255: $250, $5"),
    )
    assert lines(costs(255), ASKED, *said, YES) == []
    assert lines(costs(300), ASKED, *said, YES) != []


def test_what_was_told_for_one_counts_for_all() -> None:
    assert after(costs(150, 3), "It costs $50 per passenger.") == []
    assert after(costs(150, 3), "It costs $40 per passenger.") != []
    assert after(costs(150, 3, 50), "The total is $50.") != []


def test_a_part_of_the_whole_is_not_the_whole() -> None:
    assert after(costs(90, 1, 40, 50), "The fee for the first one is $40.") == []


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Only if there's no additional charge.", True),
        ("I'm not going to pay a penny on top.", True),
        ("It should cost me nothing extra.", True),
        ("Will it cost me nothing extra?", False),
        ("There is nothing wrong with it.", False),
        ("No extra bags.", False),
    ],
)
def test_where_nothing_may_come_on_top_nothing_does(text: str, fires: bool) -> None:
    on_top = Money(4.0, "charges $4.00", is_difference=True)
    found = lines(replace(NO_FACTS, money=on_top), customer(text))
    assert found == ([("limit", text, "customer")] if fires else [])
    assert lines(replace(NO_FACTS, money=replace(on_top, due=-4.0)), customer(text)) == []
    assert (
        lines(replace(NO_FACTS, money=replace(on_top, is_difference=False)), customer(text)) == []
    )


def test_payments_that_make_it_up_bear_it_out() -> None:
    facts = costs(90, payments=(70, 20))
    assert after(facts, "You pay $70 with the card and $20 with the gift card.") == []
    assert after(facts, "You pay $70 with the card.") != []


def test_only_the_last_message_with_an_amount_counts() -> None:
    said = (agent("The total is $40."), customer("Hm."), agent("The total is $50."), YES)
    assert lines(costs(50), ASKED, *said) == []
    assert lines(costs(50), ASKED, *said[::-1]) != []


def test_totals_of_several_records_are_nobodys_own() -> None:
    assert after(costs(50), "For both orders the total is $40.") == []
    assert after(costs(50), "For w9 the total is $40.") == []
    assert after(costs(50), "For w9 the total is $70. For w1 the total is $40.") != []


@pytest.mark.parametrize(
    ("due", "text", "fires"),
    [
        (50, "Not more than $40.", True),
        (50, "Not more than $50.", False),
        (50, "Up to $60.", False),
        (-50, "Up to $10.", False),
        (0, "At most $0.", False),
    ],
)
def test_a_limit_of_the_customer_is_passed_or_kept(due: float, text: str, fires: bool) -> None:
    found = lines(costs(due), customer(text), agent("Shall I?"), YES)
    assert found == ([("limit", text, "customer")] if fires else [])


def test_a_limit_for_each_is_one_for_all_of_them() -> None:
    assert lines(costs(90, 2), customer("Up to $50 per passenger.")) == []
    assert lines(costs(110, 2), customer("Up to $50 per passenger.")) != []


def test_a_limit_on_what_one_card_pays_is_none_on_the_whole() -> None:
    paid = choice("payment method", ["visa", "gift"], ways(visa="visa", gift="gift card"))
    facts = replace(costs(90, payments=(70, 20)), choices=(paid,))
    said = customer("At most $20 with the gift card, the rest with my Visa.")
    assert [kind for kind, _, _ in lines(facts, said)] == []


def test_a_limit_that_names_no_card_is_one_on_the_whole_however_many_pay() -> None:
    facts = costs(480, payments=(200, 280))
    said = (customer("Not more than $300."), agent("OK?"), YES)
    assert lines(facts, *said) == [("limit", "Not more than $300.", "customer")]


def test_how_a_sum_for_several_comes_about_is_told() -> None:
    from agent.comparison import compare
    from tests.agent.comparison.talking import talk

    (line,) = compare(costs(1194, 2), talk(ASKED, agent("The total is $597."))).disagreements
    assert line.does == "charges $1,194.00, 2 × $597.00"


SUMS = st.integers(1, 500_000).map(lambda cents: cents / 100)


@given(SUMS, SUMS, st.booleans())
def test_a_line_stands_exactly_where_it_turns_out_worse(
    told: float, done: float, back: bool
) -> None:
    text = f"{'The refund' if back else 'The total'} is ${told:,.2f}."
    worse = done < told if back else done > told
    found = after(costs(-done if back else done), text)
    assert found == ([("amount", text, "agent")] if worse else [])
