from __future__ import annotations

from dataclasses import replace

import pytest

from domains.core.facts import Choice, Facts
from sessions.events import AnyEvent
from tests.agent.comparison.talking import NO_FACTS, agent, choice, customer, lines, ways, written

CARDS = ways(
    visa="visa|card|1234|original payment|same card", other="mastercard|card|9876", gift="gift card"
)
COLORS = ways(red="red", blue="blue", green="green")


def pays(chosen: str = "visa", **more: object) -> Facts:
    return _with(choice("payment method", chosen, CARDS, **more))


def colored(chosen: str = "blue", before: str = "red", topic: str = "") -> Facts:
    spoken = ways(lamp=topic) if topic else {}
    return _with(choice("color", chosen, COLORS, before=frozenset({before}), topic=spoken))


def _with(*choices: Choice) -> Facts:
    return replace(
        NO_FACTS, choices=choices, about=ways(W1="w1|lamp"), others=ways(W9="w9|sweater")
    )


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Use the Visa.", False),
        ("Use the card ending in 1234.", False),
        ("Use the card ending in 9876.", True),
        ("Use the Mastercard.", True),
        ("Charge my card.", False),
        ("Put it on the original payment method.", False),
        ("Not the Visa please.", True),
        ("Not the gift card please.", False),
        ("Is the gift card empty?", False),
        ("If the gift card covers it.", False),
        ("Can you use the gift card?", True),
        ("The gift card, or the Visa.", False),
        ("I'm not sure which gift card I have.", False),
        ("For w9 use the gift card.", False),
        ("For w1 use the gift card.", True),
    ],
)
def test_a_method_is_the_one_that_was_asked_for(text: str, fires: bool) -> None:
    said = (customer("Change it."), agent("How will you pay?"), customer(text))
    assert lines(pays(), *said) == ([("payment method", text, "customer")] if fires else [])


def test_the_last_word_decides() -> None:
    gift, visa = customer("Use the gift card."), customer("Use the Visa.")
    assert lines(pays(), gift, agent("Why?"), visa) == []
    assert lines(pays(), visa, agent("Why?"), gift) != []


def test_what_the_agent_told_and_nobody_contradicted_was_agreed() -> None:
    told = agent("I will use the Visa. Shall I?")
    assert lines(pays(), customer("Use the gift card."), told, customer("Yes.")) == []
    assert lines(pays("gift"), customer("Change it."), told, customer("Yes.")) == [
        ("payment method", told.text, "agent")  # type: ignore[union-attr]
    ] or lines(pays("gift"), customer("Change it."), told, customer("Yes.")) == [
        ("payment method", "I will use the Visa.", "agent")
    ]


def test_an_agent_that_tells_several_has_told_none() -> None:
    told = agent("There are the Visa and the gift card.")
    assert lines(pays("gift"), told, customer("Do as you like.")) == []


def test_the_rest_adds_to_what_was_named_before() -> None:
    facts = _with(choice("payment method", ["visa", "gift"], CARDS))
    rest = customer("And the rest with the Visa.")
    assert lines(facts, customer("Take the gift card first."), agent("Then?"), rest) == []
    other = customer("And the rest with the Mastercard.")
    assert lines(facts, customer("Take the gift card."), agent("Then?"), other) != []


def test_an_unusual_choice_that_nobody_named_is_told() -> None:
    unusual = pays("gift", usual=frozenset({"visa"}))
    assert lines(unusual, customer("Change it.")) == [("payment method", "", "")]
    assert lines(unusual, customer("Change it with the gift card.")) == []
    assert lines(pays("visa", usual=frozenset({"visa"})), customer("Change it.")) == []


def test_what_holds_until_now_only_describes() -> None:
    assert lines(colored(), customer("The lamp is red.")) == []
    assert lines(colored(), customer("Green please, in place of red.")) != []


def test_what_was_said_before_the_last_write_holds_where_this_record_was_named() -> None:
    said = [customer("Make it green."), written(), agent("Done."), customer("Next.")]
    assert lines(colored(), *said) == []
    said[0] = customer("Make w1 green.")
    assert lines(colored(), *said) == [("color", "Make w1 green.", "customer")]


def test_where_several_things_have_the_same_option_it_is_the_one_of_this_thing() -> None:
    facts = colored(topic="lamp")
    assert lines(facts, customer("I want the mug in green.")) == []
    assert lines(facts, customer("I want the lamp in green.")) != []
    assert lines(facts, customer("I want the lamp in blue, the mug in green.")) == []


def test_of_two_options_of_one_thing_each_has_its_own_line() -> None:
    sizes = choice("size", "large", ways(large="large", small="small"))
    color = choice("color", "blue", COLORS)
    facts = _with(color, sizes)
    assert lines(facts, customer("Blue and large.")) == []
    assert [kind for kind, _, _ in lines(facts, customer("Red and small."))] == ["color", "size"]
    assert [kind for kind, _, _ in lines(facts, customer("Red and large."))] == ["color"]


def test_of_a_whole_nothing_that_was_asked_for_may_be_missing() -> None:
    known = ways(a="hat1", b="hat2", c="hat3")
    facts = _with(choice("flight", ["a", "b"], known, whole=True))
    assert lines(facts, customer("hat1 please")) == []
    assert lines(facts, customer("hat1 and hat2")) == []
    assert lines(facts, customer("hat1 and hat3")) == [("flight", "hat1 and hat3", "customer")]


def test_what_the_second_one_is_stands_in_the_list_that_it_answers() -> None:
    told = agent("1. Red, $5\n2. Green, $6\n3. Blue, $7")
    facts = replace(colored(before="white"), verbs=frozenset({"take"}))
    assert lines(facts, told, customer("The third one.")) == []
    assert lines(facts, told, customer("The second one.")) == [
        ("color", "The second one.", "customer")
    ]


METHODS = ways(visa="visa", gift="gift card", cert="certificate", big="larger certificate")


@pytest.mark.parametrize(
    ("told", "chosen", "fires"),
    [
        ("$12 from the gift card and $30 from the Visa, ok?", ["gift", "visa"], False),
        ("$12 from the gift card and $30 from the Visa, ok?", ["cert"], True),
        ("$42 from the certificate, ok?", ["big"], True),
        ("The certificate stays untouched, the Visa pays. Ok?", ["cert"], True),
        ("You have a certificate and a Visa. Shall I use the Visa?", ["visa"], False),
    ],
)
def test_what_pays_is_what_the_customer_said_yes_to(
    told: str, chosen: list[str], fires: bool
) -> None:
    facts = _with(choice("payment method", chosen, METHODS))
    said = (customer("Please book it."), agent(told))
    assert bool(lines(facts, *said, customer("Yes, please."))) is fires


@pytest.mark.parametrize("but", ["except the mug", "apart from the mug", "but the mug"])
def test_an_exception_ends_where_it_is_said_how_it_is_paid(but: str) -> None:
    facts = _with(choice("payment method", ["visa"], METHODS))
    assert lines(facts, customer(f"Return everything {but} to my Visa.")) == []


def test_a_user_id_names_nobody() -> None:
    facts = _with(choice("passenger", ["petra"], ways(petra="petra", oskar="oskar|holm")))
    assert lines(facts, customer("oskar_holm_8620, please correct Petra.")) == []


def test_a_no_to_one_thing_is_no_yes_to_what_was_told_with_it() -> None:
    facts = _with(choice("payment method", ["visa"], METHODS))
    said = (agent("The gift card then?"), customer("No, the Visa. Do it."))
    assert lines(facts, *said) == []


def test_of_two_alike_the_one_that_is_wanted_now_leaves_the_other_out() -> None:
    facts = _with(choice("payment method", ["cert", "visa"], METHODS))
    said = (customer("The certificate and the larger certificate."), agent("Only one is allowed."))
    last = customer("Then the larger certificate, the rest with my Visa.")
    assert [by for _, _, by in lines(facts, *said, last)] == ["customer"]


def test_a_remark_on_what_was_told_in_full_takes_nothing_back() -> None:
    facts = _with(choice("payment method", ["cert", "visa"], METHODS))
    told = agent("The certificate and the Visa pay. Ok?")
    said = customer("Hm, one certificate. Yes, do it.")
    assert lines(facts, customer("Book it."), told, said) == []


def test_what_is_said_of_another_act_is_not_said_of_this_one() -> None:
    facts = replace(
        _with(choice("payment method", ["visa"], METHODS)), verbs=frozenset({"exchange"})
    )
    said = "Yes. The money of what you cancelled goes to the gift card, I see."
    assert lines(facts, agent("The exchange is paid with the Visa, ok?"), customer(said)) == []


RECORDS = ways(W1="w1", W8="w8", W9="w9")


def cancels() -> Facts:
    record = choice("order", "W1", RECORDS, things="replaced")
    return replace(_with(), record=record, verbs=frozenset({"cancel"}), acts=frozenset({"cancel"}))


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Cancel w1.", False),
        ("Cancel w9.", True),
        ("Cancel w1 and w9.", False),
        ("Cancel w9 too.", False),
        ("Cancel it.", False),
        ("Don't cancel w9, cancel it.", False),
        ("w9 has come, thanks. Cancel the lamp.", False),
        ("Cancel w9. Actually no, its w1.", False),
        ("Cancel w1. Oh, I meant w9.", True),
        ("Cancel w9, keep the others.", True),
    ],
)
def test_the_record_is_the_one_that_was_named_with_the_act(text: str, fires: bool) -> None:
    kinds = [kind for kind, _, _ in lines(cancels(), customer(text))]
    assert ("order" in kinds) is fires


def test_a_record_that_the_agent_told_last_is_held_against_it_too() -> None:
    told = agent("Shall I cancel w9?")
    assert ("order", told.text, "agent") in lines(  # type: ignore[union-attr]
        cancels(), customer("Cancel it."), told, customer("Yes.")
    )


@pytest.mark.parametrize(
    ("told", "answer", "fires"),
    [
        ("I would cancel w9. The lamp comes back to us. Ok?", "Yes.", True),
        ("Cancel w9 for $5. w1 would not be affected. May I?", "Yes.", True),
        ("w9 is cancelled already. Shall I cancel the lamp as well?", "Yes.", False),
        ("I can cancel w1 and w9. Both?", "Yes.", False),
        ("I can cancel w9.", "No, just cancel the lamp.", False),
        ("w9 is fine. Shall I cancel the lamp?", "Yes.", False),
        ("Cancel this? Order: w9. Item: lamp.", "Yes.", True),
        ("I would cancel w8 and w9. w1 stays. Ok?", "Yes.", True),
        ("Shall I cancel the order of the fan?", "Yes.", True),
        ("Shall I cancel the order of the lamp?", "Yes.", False),
    ],
)
def test_the_record_is_the_one_that_the_customer_said_yes_to(
    told: str, answer: str, fires: bool
) -> None:
    facts = replace(cancels(), about=ways(W1="w1|lamp"), others=ways(W9="w9|fan", W8="w8"))
    found = lines(facts, customer("I don't need the lamp."), agent(told), customer(answer))
    assert ("order" in [kind for kind, _, _ in found]) is fires


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("A bigger one, but still blue.", True),
        ("The blue is fine, only larger.", True),
        ("Blue remains.", True),
        ("Exchange it for a larger one, blue again if you can.", True),
        ("Swap the blue one for something larger.", False),
        ("It is the blue one, as you see.", False),
        ("I have a blue one.", False),
        ("I still have the blue one and want a red one.", False),
    ],
)
def test_what_is_to_stay_is_wanted_and_not_only_described(text: str, fires: bool) -> None:
    facts = replace(NO_FACTS, choices=(choice("color", "red", COLORS, before=frozenset({"blue"})),))
    assert bool(lines(facts, customer(text))) is fires


@pytest.mark.parametrize(
    ("said", "fires"),
    [
        ((customer("Insurance? What for? I think I'll do without it."),), True),
        ((agent("Would you like insurance?"), customer("No thanks.")), True),
        ((agent("Would you like insurance?"), customer("No problem, add it.")), False),
        ((agent("Insurance is added. Anything else?"), customer("No.")), False),
    ],
)
def test_what_was_asked_about_is_refused_by_a_no(said: tuple[AnyEvent, ...], fires: bool) -> None:
    facts = replace(NO_FACTS, choices=(choice("insurance", "yes", ways(yes="insurance")),))
    found = [kind for kind, _, _ in lines(facts, *said)]
    assert ("insurance" in found) is fires


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Cancel the lamp, and return the sweater back to the mastercard.", False),
        ("Return the sweater back to the mastercard, and cancel the lamp.", False),
        ("Cancel the lamp, and return the money back to the mastercard.", True),
        ("Cancel the lamp, the refund goes to the mastercard, and return the sweater.", True),
    ],
)
def test_a_method_for_what_is_done_to_another_record_is_not_this_ones(
    text: str, fires: bool
) -> None:
    refunded = pays(topic=ways(refund="refund|back|money"))
    cancelled = replace(refunded, verbs=frozenset({"cancel"}), acts=frozenset({"cancel"}))
    assert lines(cancelled, customer(text)) == (
        [("payment method", text, "customer")] if fires else []
    )


@pytest.mark.parametrize(
    ("told", "fires"),
    [
        ("I'll make it larger, in the same red. Ok?", True),
        ("I'll keep the red. Ok?", True),
        ("The red one gets larger. Ok?", False),
        ("The red one gets larger, and blue. Ok?", False),
    ],
)
def test_what_the_agent_said_would_stay_has_to(told: str, fires: bool) -> None:
    found = lines(colored(), customer("Change it to a larger one."), agent(told), customer("Yes."))
    assert (("color", told.removesuffix(" Ok?"), "agent") in found) is fires
