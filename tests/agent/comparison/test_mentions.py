from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.mentions import mention, speaks_of
from agent.comparison.refusals import Things
from agent.comparison.sentences import sentences, words
from tests.agent.comparison.talking import ways

CARDS = ways(visa="visa|credit card|1234", other="mastercard|credit card|9876", gift="gift card")
THINGS = ways(lamp="lamp|reading lamp", mat="mat", mug="mug")


def named(text: str) -> tuple[set[str], set[str], set[str]]:
    """What is wanted, refused, and only possible."""
    found = mention(sentences(text), CARDS)
    return set(found.wanted), set(found.refused), set(found.possible)


@pytest.mark.parametrize(
    ("text", "wanted", "refused", "possible"),
    [
        ("Use the Visa.", {"visa"}, set(), set()),
        ("The credit card ending in 9876, please", {"other"}, set(), set()),
        ("My credit card.", {"visa", "other"}, set(), set()),
        ("Don't use the Visa.", set(), {"visa"}, set()),
        ("Not the Visa, the Mastercard.", {"other"}, {"visa"}, set()),
        ("The Mastercard rather than the Visa.", {"other"}, {"visa"}, set()),
        ("Use the Visa. No, use the gift card instead of the Visa.", {"gift"}, {"visa"}, set()),
        ("Is the Visa on file?", set(), set(), {"visa"}),
        ("If the Visa works.", set(), set(), {"visa"}),
        ("If the gift card covers it, use the Visa.", {"visa"}, set(), {"gift", "visa"}),
        ("Use the gift card. If it does not cover it, the Visa.", {"gift"}, set(), {"visa"}),
        ("I'm not sure whether the Visa is the one.", set(), set(), set()),
        ("The Mastercard… or was it the Visa? I don't remember.", {"other"}, set(), {"visa"}),
        ("Hello.", set(), set(), set()),
    ],
)
def test_what_is_wanted_refused_or_only_spoken_of(
    text: str, wanted: set[str], refused: set[str], possible: set[str]
) -> None:
    found = named(text)
    assert found[:2] == (wanted, refused)
    assert possible <= found[2]


@pytest.mark.parametrize(
    ("text", "things", "wanted", "refused"),
    [
        ("Keep the lamp.", "taken away", set(), {"lamp"}),
        ("The lamp stays with me.", "taken away", set(), {"lamp"}),
        ("I don't need the lamp any more.", "taken away", {"lamp"}, set()),
        ("I don't need the lamp any more.", "", set(), {"lamp"}),
        ("Keep the lamp as it is.", "replaced", set(), {"lamp"}),
        ("Keep the lamp in black.", "replaced", {"lamp"}, set()),
        ("The mat goes back, the lamp stays.", "taken away", {"mat"}, {"lamp"}),
        ("Everything but the mug; keep that.", "taken away", set(), {"mug"}),
        ("Return the mug. I mean the lamp.", "taken away", {"lamp"}, {"mug"}),
        ("Return the mug, no wait, the lamp.", "taken away", {"lamp"}, {"mug"}),
        ("Return the mug. Actually no. It's the lamp.", "taken away", {"lamp"}, {"mug"}),
        ("Return the mug. I mean the lamp too.", "taken away", {"lamp", "mug"}, set()),
        ("Return the mug. I mean the mug and the mat.", "taken away", {"mat", "mug"}, set()),
        ("The mug, from the order that had the lamp.", "taken away", {"mug"}, set()),
        ("Return the order with the lamp.", "taken away", {"lamp"}, set()),
        ("Silver instead of mug and a lamp.", "", {"lamp"}, {"mug"}),
        ("The mat is too mug, I need the lamp.", "", {"mat", "lamp"}, set()),
    ],
)
def test_what_is_kept_is_not_given_up(
    text: str, things: Things, wanted: set[str], refused: set[str]
) -> None:
    found = mention(sentences(text), THINGS, things=things)
    assert (set(found.wanted), set(found.refused)) == (wanted, refused)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("No laptop sleeve, please.", {"no"}),
        ("I don't need it any more.", {"not needed"}),
        ("With a laptop sleeve.", {"yes"}),
    ],
)
def test_what_is_called_by_a_denial_is_wanted_by_it(text: str, wanted: set[str]) -> None:
    known = ways(yes="laptop sleeve", no="no laptop sleeve", **{"not needed": "don't need"})
    assert mention(sentences(text), known).wanted == wanted


@pytest.mark.parametrize("text", ["Only the lamp.", "just my lamp please", "I want just the lamp"])
def test_only_and_just_set_what_follows_apart(text: str) -> None:
    assert mention(sentences(text), THINGS).alone == {"lamp"}
    assert mention(sentences("I just said that the lamp is old."), THINGS).alone == set()


def test_the_quote_is_the_sentence_that_settles_it() -> None:
    found = mention(sentences("Hi. Use the Visa. Not the gift card. Thanks."), CARDS)
    assert (found.quote, found.refusal) == ("Use the Visa.", "Not the gift card.")


def test_the_longest_name_that_fits_is_meant() -> None:
    known = ways(basic="basic economy|basic", economy="economy")
    assert speaks_of(words("in basic economy"), known) == {"basic"}
    assert speaks_of(words("in basic"), known) == {"basic"}
    assert speaks_of(words("from economy, not basic"), known) == {"basic", "economy"}


def test_a_look_up_knows_what_is_too_many_to_list() -> None:
    def flight(word: str) -> str | None:
        return word.upper() if word.startswith("hat1") else None

    assert speaks_of(words("on HAT136 and HAT999"), {}, flight) == {"HAT136"}
    assert mention(sentences("Not HAT136 but HAT170."), {}, flight).wanted == {"HAT170"}


@given(st.text(max_size=200), st.sampled_from(["", "taken away", "replaced"]), st.booleans())
def test_nothing_is_both_wanted_and_refused(text: str, things: Things, stated: bool) -> None:
    for known in (CARDS, THINGS):
        found = mention(sentences(text), known, things=things, stated=stated)
        assert not found.wanted & found.refused


SAID = st.lists(
    st.sampled_from(["Visa", "Mastercard", "gift card", "not", "keep", "if", ",", ".", "?", "only"])
).map(" ".join)


@given(SAID, st.sampled_from(["", "taken away", "replaced"]), st.booleans())
def test_only_what_was_named_is_wanted_refused_or_possible(
    text: str, things: Things, stated: bool
) -> None:
    found = mention(sentences(text), CARDS, things=things, stated=stated)
    assert found.wanted | found.refused | found.possible <= speaks_of(words(text), CARDS)
    assert not found.wanted & found.refused
    assert found.quote in text
    assert found.refusal in text
