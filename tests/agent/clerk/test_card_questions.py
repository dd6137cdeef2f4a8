"""Questions at a card: what is not known of it is never answered with something else."""

from __future__ import annotations

from functools import cache

import pytest

import domains
from agent.clerk.airline.skills import AIRLINE
from agent.clerk.card_questions.answering import answer_about_card
from agent.clerk.card_questions.money_answers import amount
from agent.clerk.card_questions.waiting_card import WaitingCard
from agent.clerk.retail.skills import RETAIL
from agent.models.protocol import Message
from domains.core.canonical import canonical
from domains.core.tool import ToolCall
from domains.text.one_line import quotation
from tests.agent.clerk.driver import Driver
from tests.generators.clerk_card_questions.train import (
    DOMAINS,
    count_right,
    kept_apart,
    questions_of,
)

SKILLS = {"retail": RETAIL, "airline": AIRLINE}

GRACE = "grace.okafor@example.com. I need to cancel the order with the coffee brewer, by mistake."
TOBIAS = "tobias keller, zip 53703. Ship my pending order to 1020 Jenifer Street, Madison, WI 53703"
LAMP = "grace.okafor@example.com. return the reading lamp to my mastercard"
HOME = "grace.okafor@example.com. change my default address to 12 Oak Street, Madison, WI 53711"
SMALLER = "priyaraman@example.com, could i get my jacket in size S instead, paypal"
GIFT = "bia.amaral@example.com. return the bedding set to my gift card"
CHAIR = (
    "tobias keller, zip 53703. change the task chair in my pending order to the mesh gray one with "
    "adjustable armrests, visa"
)


@cache
def waiting(line: str, domain: str) -> tuple[tuple[Message, ...], ToolCall]:
    """The messages up to a card, which is then declined."""
    driver = Driver(domains.load(domain), decisions=["reject"])
    driver.say(line)
    (proposed,) = driver.proposed
    place = next(n for n, m in enumerate(driver.messages) if "Not carried" in str(m["content"]))
    return tuple(driver.messages[: place - 1]), proposed


def answer(line: str, question: str, of: str = "retail") -> str:
    messages, proposed = waiting(line, of)
    domain = domains.load(of)
    tool = domain.tools.get(proposed.name)
    assert tool is not None
    assert tool.notes is not None
    records = domain.records()
    preview = records.preview(proposed)
    notes, given = tool.notes, proposed.arguments
    lines = [
        "Console note: A card is waiting: the customer is looking at this change.",
        f"The call: {proposed.name}({canonical(given)})",
        f"The card says: {notes.sentence(records.draft(), given)}",
        *(f"Afterwards: {e.text}" for e in notes.effects(preview.after, given, preview.changes)),
        *(f"Afterwards no longer possible: {e}" for e in notes.closes(preview.after, given)),
    ]
    note: Message = {"role": "user", "content": "\n".join(lines)}
    return answer_about_card([*messages, note, {"role": "user", "content": question}], SKILLS[of])


@pytest.mark.parametrize(
    ("line", "question", "told", "never"),
    [
        (GRACE, "does the planner still come to my house", "only order #W4002457", "no longer"),
        (
            GRACE,
            "does the brewer still come to my house",
            "Order #W4002457 (Drip Coffee Brewer) would be cancelled",
            "no longer",
        ),
        (
            GRACE,
            "will the lamp still be delivered?",
            "the Reading Lamp in order #W6727492, which is delivered",
            "no longer",
        ),
        (GRACE, "does it go to my default address?", "cancelled", "goes to"),
        (GRACE, "will i be charged anything?", "$90.50 back to PayPal", "Yes"),
        (GRACE, "what colour is the new one", "glass, black", "no longer"),
        (GRACE, "can i still get it back later?", "no longer", "does not say"),
        (TOBIAS, "when do i get my money back?", "no money is moved", "Visa"),
        (TOBIAS, "which card does the refund go to?", "no money is moved", "Visa"),
        (TOBIAS, "does it still come to my house?", "goes to 1020 Jenifer", "no longer"),
        (GRACE, "will you charge me a fee", "No, it costs nothing: $90.50 back", "Yes"),
        (GRACE, "why is there a red x", "marks a check that failed", "Cancel order"),
        (LAMP, "am i keeping the bedding", "The Bedding Set stays", "does not say"),
        (LAMP, "am i keeping the lamp", "The Reading Lamp is part", "stays"),
        (LAMP, "is that both of us", "does not say", "About the card: Return"),
        (HOME, "will my coffee order still come to the right place", "already placed", "12 Oak"),
        (HOME, "what was the old one", "2704 Rosewood Street", "12 Oak"),
        (CHAIR, "when will the new chair get here?", "does not say", "no price difference"),
        (CHAIR, "when does it arrive?", "no information on delivery dates", "Yes"),
        (CHAIR, "will this cost me anything?", "$26.00 more", "nothing to pay"),
        (TOBIAS, "can we still cancel afterwards", "or cancelled", "lists nothing"),
        (TOBIAS, "what is the old address", "215 North Blair Street", "does not say"),
        (TOBIAS, "do you gift wrap", "no information on gift", "no longer"),
        (SMALLER, "will my total go up?", "No, $0.75 back to PayPal", "does not say"),
        (SMALLER, "will my total go down?", "Yes, $0.75 back to PayPal", "does not say"),
        (CHAIR, "does the total change?", "Yes, $26.00 more", "does not say"),
        (TOBIAS, "will i pay more?", "No, it costs nothing", "does not say"),
        (
            HOME,
            "does this change my coffee order as well?",
            "No, orders already placed",
            "does not say",
        ),
        (GIFT, "how much is on my gift card", "on your gift card now", "to go back"),
        (SMALLER, "how much is on my gift card", "no gift card on your profile", "$0.75"),
    ],
)
def test_a_question_is_answered_by_what_it_is_about_or_not_at_all(
    line: str, question: str, told: str, never: str
) -> None:
    said = answer(line, question)
    assert told in said
    assert never not in said


@pytest.mark.parametrize("question", ["is that both of us", "is everyone on it?"])
def test_who_flies_is_told_to_who_asks_if_all_of_them_do(question: str) -> None:
    people = [
        {"first_name": first, "last_name": "Visser", "dob": "1990-01-01"}
        for first in ("Anneke", "Joost")
    ]
    lines = (
        "Console note: A card is waiting: the customer is looking at this change.",
        f"The call: book_reservation({canonical({'passengers': people})})",
        "The card says: Book a flight from Boston to Chicago for 2.",
    )
    messages: list[Message] = [
        {"role": "user", "content": "\n".join(lines)},
        {"role": "user", "content": question},
    ]
    said = answer_about_card(messages, AIRLINE)
    assert "Anneke Visser" in said
    assert "Joost Visser" in said
    assert "does not say" not in said


JAMILA = "jamila_nasser_8261. move us to the same flight tomorrow, the difference on my visa"
TAREK = (
    "Does that cover my husband Tarek too?",
    "so it is the two of us, yes?",
    "is Jamila on it, right?",
)


@pytest.mark.parametrize("question", TAREK)
def test_who_asks_whether_somebody_is_on_it_is_told_yes_if_they_are(question: str) -> None:
    said = answer(JAMILA, question, "airline")
    assert "Yes, 2 passengers: Jamila Nasser" in said
    assert "Tarek Nasser" in said


def test_a_sum_or_a_card_that_is_named_is_confirmed_or_denied() -> None:
    assert "Yes, $26.00 more" in answer(CHAIR, "so i'd pay 26 on top, is that right?")
    assert "Yes, it is paid with your Visa" in answer(CHAIR, "and that's on my visa, right?")
    assert "No, it is paid with your Visa" in answer(CHAIR, "that goes on my paypal, right?")


LINNEA = (
    "linnea_sandberg_2190. You cancelled our flight to Denver today, so please cancel the "
    "reservation and refund it."
)
BAGS = "matteo_rinaldi_2329. please add two more bags to my Orlando trip, on my visa"
PALOMA = (
    "paloma_reyes_3272, the flight to New York on Monday, can you put me on the early one on "
    "Sunday, on my visa"
)
BARTEK = (
    "Hi, I'm bartek_zielinski_7152. Please book a one-way flight from Atlanta to New York on May "
    "19 in business, just for me. No bags, no insurance. Pay with the 200 dollar certificate and "
    "the rest on my Mastercard"
)
STEFAN = "stefan_brandt_9295 downgrade my Denver Phoenix trip to economy, money to my visa"
HELMET = "caleb.thornton@example.com. return the bike helmet #W9190524 to my card"
PLANNER = (
    "I'm Fatou Diallo, zip 11215. I ordered the same planner twice by mistake, please cancel one "
    "of them, the first one"
)
INGRID = "ingrid.s@example.com. please send my pending order to my default address"
ELIN = "elin.castellanos@example.com. return the headphones to my gift card"
NEW_YORK = "ivo_petrov_2519. my New York trip: I'd like business class there and back, mastercard"
BOTH = (
    "grace okafor 77004, i ordered the brewer by mistake so cancel that one, and the lamp i got "
    "last month goes back because it flickers all the time and the shade came with a scratch on it "
    "that i only saw later on, money to mastercard"
)
TWO = "grace.okafor@example.com. cancel the coffee order by mistake, return the lamp to mastercard"
DESK = (
    "tobias.keller@example.com. I want the desk in bamboo with the black frame, and send the whole "
    "order to 1020 Jenifer Street, Apt 2, Madison, WI 53703"
)
BOSTON = (
    "ivo_petrov_2519. my wife broke her leg so cancel our Boston trip, and my New York trip: I'd "
    "like business class there and back"
)
GYM = "Jonah Whitaker, zip is 27607. pay the kettlebell and mat order with my Mastercard"
HYEJIN = (
    "hyejin_baek_9939. I want to come home from Seattle a day later, May 24 rather than May 23, on "
    "the same flight, on my Visa"
)
PETRA = "oskar_lindholm_8620. on D3UC8P Petra Holm is called Petra Lindholm now, please change that"
PAYS = "mira.novak82@example.com. pay for the hand blender with my paypal instead"
KENJI = (
    "tomoko_hayashi_1269. book LA to San Francisco on May 25, one way, economy, the noon flight, "
    "for me and Kenji, no bags, no insurance, paid with my gift card"
)


@pytest.mark.parametrize(
    ("line", "of", "questions", "told"),
    [
        (TWO, "retail", ("is the lamp part of this one?",), "No, that is not part of this; it"),
        (GYM, "retail", ("this is the order with the kettlebell?",), "Yes, order #W9643741 holds"),
        (LAMP, "retail", ("how long till that shows up?",), "Once the item is back, the money"),
        (LAMP, "retail", ("why only that?",), "I can't tell you why"),
        (HYEJIN, "airline", ("Can I still buy insurance?",), "only be added when booking"),
        (
            HOME,
            "retail",
            ("a parcel is on its way, my neighbor takes it. Will that still go to the old place?",),
            "Yes, orders already placed keep",
        ),
        (TWO, "retail", ("and the lamp?", "you'll return the lamp too, right?"), "comes next: '"),
        (DESK, "retail", ("and the bamboo desk?", "do you swap the desk later?"), "comes next: '"),
        (BOSTON, "airline", ("is New York still dealt with?", "and the upgrade?"), "comes next: '"),
        (LAMP, "retail", ("is there anything else still to come?",), "Nothing else is noted"),
        (LAMP, "retail", ("do I get the full price back?",), "Yes, all that you paid: $84.50"),
        (BOSTON, "airline", ("do we lose any of it?",), "No, all that you paid: $336.00"),
        (PETRA, "airline", ("does this cost us anything?",), "No, it costs nothing."),
        (PETRA, "airline", ("is it free?",), "Yes, it costs nothing."),
        (
            PETRA,
            "airline",
            ("the flights stay the same right?", "same flights?"),
            "Yes, that stays",
        ),
        (PAYS, "retail", ("can I split it between the gift card and paypal?",), "can't be split"),
        (PAYS, "retail", ("so the visa is refunded?",), "Yes, it goes back to your Visa"),
        (PAYS, "retail", ("do I pay with the visa?",), "No, it is paid with your PayPal"),
        (PAYS, "retail", ("so there's 40 on the gift card?",), "Yes, you have $40.00"),
        (
            PAYS,
            "retail",
            ("if I swap it later, does the difference go on it?",),
            "asked then which",
        ),
        (BOSTON, "airline", ("can we have a voucher instead?",), "No, it goes back to your Master"),
        (KENJI, "airline", ("what would the evening flight cost?",), "There is also LRK124"),
        (KENJI, "airline", ("nonstop? anything earlier?",), "Yes, nonstop: LRK122"),
        (KENJI, "airline", ("can we add a bag later?",), "Yes, bags can be added afterwards."),
        (KENJI, "airline", ("can I add insurance later?",), "No, afterwards travel insurance"),
    ],
)
def test_what_is_asked_is_told_yes_or_no_first(
    line: str, of: str, questions: tuple[str, ...], told: str
) -> None:
    for question in questions:
        said = answer(line, question, of)
        assert told in said
        assert "changed nothing yet" not in said


@pytest.mark.parametrize(
    ("line", "of", "questions", "told"),
    [
        (
            LINNEA,
            "airline",
            ("why does part of it go to a gift card?", "how come only 228 goes to the visa?"),
            "That is how it was paid: $120 with your gift card and $228 with your Visa",
        ),
        (
            BAGS,
            "airline",
            ("can't I get one of them for free?", "aren't they free?"),
            "No, the free ones are used up; 5 checked bags in all: 2 would be free",
        ),
        (
            PALOMA,
            "airline",
            ("is that the morning one?", "does it leave before noon?"),
            "Yes, LRK141 on May 19 leaves at 10:15",
        ),
        (
            PALOMA,
            "airline",
            ("is that the evening flight?",),
            "No, LRK141 on May 19 leaves at 10:15",
        ),
        (
            STEFAN,
            "airline",
            ("when is the money back?", "how long does the refund take?"),
            "I don't know how soon the refund of a change arrives.",
        ),
        (HYEJIN, "airline", ("when do I pay?",), "It is paid as soon as you approve this"),
        (
            BARTEK,
            "airline",
            ("is my other certificate still good?", "do I keep the second certificate?"),
            "Yes, not used: travel certificate (balance $125.00)",
        ),
        (
            HELMET,
            "retail",
            ("does the dog bed still go to Holly Street?", "is the dog bed still coming?"),
            "Yes, only order #W9190524 is changed; your other orders and your profile stay as they "
            "are, including #W2237077, which I have not read",
        ),
        (
            PLANNER,
            "retail",
            ("so the other planner is still on its way?", "is the second planner still coming?"),
            "Yes, this changes nothing about the Weekly Planner in order #W2546980",
        ),
        (BOTH, "retail", ("and the lamp?",), "goes back because it flickers all the time'."),
        (
            DESK,
            "retail",
            ("why does the address come first and not the desk?", "why not the desk first?"),
            "Once its items are changed an order can't be changed any more, so the address comes",
        ),
    ],
)
def test_what_is_asked_of_what_is_near_the_card_is_told_from_what_is_known(
    line: str, of: str, questions: tuple[str, ...], told: str
) -> None:
    for question in questions:
        assert told in answer(line, question, of)


@pytest.mark.parametrize(
    ("line", "of", "questions", "told"),
    [
        (
            TWO,
            "retail",
            (
                "this only touches the coffee brewer, right? what about the lamp?",
                "this just affects the coffee order, yes?",
            ),
            "Yes, only order #W4002457",
        ),
        (
            TWO,
            "retail",
            (
                "this only touches the coffee brewer, right? what about the lamp?",
                "it's only the brewer, yes? and the lamp?",
            ),
            "comes next: 'return the lamp",
        ),
        (
            LAMP,
            "retail",
            ("Do I get a label, how do I send it back?", "do I need to bring it to a shop?"),
            "you get an email which explains how to send the items back",
        ),
        (
            INGRID,
            "retail",
            ("will it arrive in one package, suitcase and daypack?", "do they come together?"),
            "goes to 927 Southeast Taylor Street, Apt 5, Portland, OR 97214, USA; I can't tell in",
        ),
        (
            PAYS,
            "retail",
            (
                "so how much is on the gift card? not enough?",
                "is it enough?",
                "does the 40 cover it?",
            ),
            "ou have $40.00 on your gift card, which is not enough for $94.75.",
        ),
        (PAYS, "retail", ("it isn't enough, the gift card, right?",), "Yes, you have $40.00 on"),
        (
            NEW_YORK,
            "airline",
            ("both ways in business then?", "is the way back in business too?"),
            "Yes, business on LRK231 on May 24 and LRK232 on May 26.",
        ),
        (NEW_YORK, "airline", ("is it economy?",), "No, business on LRK231"),
        (
            BARTEK,
            "airline",
            ("what about the 125 one, do I keep that?", "the 125 one stays with me?"),
            "Yes, not used: travel certificate (balance $125.00).",
        ),
        (BARTEK, "airline", ("do I lose the 125 one?",), "No, not used: travel certificate"),
        (
            ELIN,
            "retail",
            (
                "I paid with PayPal, so it's certain it all goes on the gift card and nothing to "
                "PayPal?",
                "nothing goes to paypal, right?",
            ),
            "Yes, it goes back to your gift card; not used: PayPal.",
        ),
        (
            ELIN,
            "retail",
            ("it goes to PayPal, not the gift card, right?",),
            "No, it goes back to your gift card",
        ),
        (
            ELIN,
            "retail",
            ("how much is on my gift card?", "what will be on my gift card then?"),
            "You have $32.50 on your gift card now; $189.95 comes to it once the items are back.",
        ),
        (
            PAYS,
            "retail",
            (
                "Will I still be able to swap an item in that order after this?",
                "could I exchange the blender later?",
            ),
            "Yes, its items can still be changed once",
        ),
        (TOBIAS, "retail", ("can I swap the chair later?",), "Yes, its items can still be changed"),
        (HYEJIN, "airline", ("can I change the name later?",), "Yes, names can still be"),
        (HYEJIN, "airline", ("can I still cancel it afterwards?",), "It can be cancelled only in"),
        (
            CHAIR,
            "retail",
            ("does the address stay too?", "will my address be kept?"),
            "Yes, order #W5427861 (Standing Desk and Task Chair) still goes to 215 North",
        ),
        (
            TOBIAS,
            "retail",
            ("does this change my default address?",),
            "No, your default address stays",
        ),
        (LINNEA, "airline", ("does it all go to the visa?",), "No, it goes back to your gift card"),
        (
            LAMP,
            "retail",
            ("does it go to my credit card?",),
            "Yes, it goes back to your Mastercard",
        ),
    ],
)
def test_what_new_users_asked_is_answered_whole(
    line: str, of: str, questions: tuple[str, ...], told: str
) -> None:
    for question in questions:
        said = answer(line, question, of)
        assert told in said
        assert "the rest" not in said
        assert "changes nothing about it" not in said


@pytest.mark.parametrize(
    ("line", "question", "told"),
    [
        (SMALLER, "what's the difference and when will it be shipped?", "delivery dates"),
        (CHAIR, "how much more is it, and is shipping free?", "shipping costs"),
        (LAMP, "how much do I get, and who pays the shipping?", "shipping costs"),
    ],
)
def test_who_asks_of_money_and_shipping_is_told_of_both(
    line: str, question: str, told: str
) -> None:
    said = answer(line, question)
    assert told in said
    assert "$" in said


def test_what_a_certificate_can_be_used_for_is_told() -> None:
    lines = (
        "Console note: A card is waiting: the customer is looking at this change.",
        f"The call: send_certificate({canonical({'user_id': 'x', 'amount': 100})})",
        "The card says: Give Linnea Sandberg a travel certificate worth $100.00.",
    )
    note: Message = {"role": "user", "content": "\n".join(lines)}

    def told(question: str) -> str:
        return answer_about_card([note, {"role": "user", "content": question}], AIRLINE)

    assert "Yes, it can be spent on any flight that you book" in told(
        "can I spend that on any flight?"
    )
    assert "No, bags, upgrades and changes" in told("can I use it for bags?")


def test_a_question_about_a_thing_on_the_card_is_not_about_another_wish() -> None:
    assert "comes next" not in answer(DESK, "will the chair go to the new address as well?")


@pytest.mark.heavy
@pytest.mark.parametrize("domain", DOMAINS)
def test_questions_that_nothing_was_learned_from_are_told_by_topic(domain: str) -> None:
    kept = kept_apart(questions_of(domain))
    assert len(kept) > 200
    assert count_right(kept) >= 0.85 * len(kept)


def test_an_unchanged_price_is_no_answer_to_what_it_costs() -> None:
    line = "Task Chair: as before; same: seat leather; $336.00 as before"
    card = WaitingCard(None, "will this cost me anything?", told={"after": [line]})
    assert amount(card) == "The card gives no amount."


def test_an_answer_is_quoted_on_the_card_without_a_code_point() -> None:
    line = "tobias keller, zip 53703. Ship my pending order to 12 O'Neil Street, Madison, WI 53703"
    for question in ("why?", "what will happen next?", "do you gift wrap", "where does it go?"):
        assert "U+" not in quotation(answer(line, question), 1_000)
