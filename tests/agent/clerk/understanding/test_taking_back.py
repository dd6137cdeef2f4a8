from __future__ import annotations

from pathlib import Path

import pytest

from agent.clerk.understanding.intent_catalogs import reader_of

CLERK = Path(__file__).parents[4] / "agent" / "clerk"


def modalities(domain: str, text: str) -> list[tuple[str, str]]:
    told = reader_of(CLERK / domain).read(text)
    return [(each.intent, each.modality) for each in told.requests]


@pytest.mark.parametrize(
    ("domain", "intent", "text"),
    [
        ("airline", "add_bags", "Please add one more bag. Hmm, forget the bag, what is business?"),
        ("airline", "add_bags", "add a bag to my flight. never mind the bag, how many are free?"),
        ("airline", "change_cabin", "Business on my trip. Skip the business thing, is it on time?"),
        (
            "airline",
            "cancel_reservation",
            "Cancel A6TV3R. Actually forget cancelling, move it to the 24th if it's under $5",
        ),
        (
            "retail",
            "cancel_order",
            "Cancel the blender. Forget the cancelling, what's a white one?",
        ),
    ],
)
def test_a_change_that_is_taken_back_by_its_name_is_denied_whatever_comes_beside(
    domain: str, intent: str, text: str
) -> None:
    assert (intent, "meant") not in modalities(domain, text)


@pytest.mark.parametrize(
    ("domain", "intent", "text"),
    [
        ("airline", "change_cabin", "put us in economy, not business"),
        ("airline", "add_bags", "add a bag to the way out, no bag on the way back"),
        ("airline", "cancel_reservation", "Cancel my trip, don't ask me why I cancel it"),
        ("retail", "cancel_order", "please cancel the desk, but don't cancel the lamp"),
        ("retail", "return_items", "return the shoes, no need to return the socks"),
    ],
)
def test_what_is_only_left_out_or_compared_with_takes_no_change_back(
    domain: str, intent: str, text: str
) -> None:
    assert (intent, "meant") in modalities(domain, text)


def test_what_is_taken_back_keeps_its_place_among_the_requests() -> None:
    text = "Put my trip into business. Add a bag. Forget the bag, what time does it leave?"
    told = modalities("airline", text)
    assert told[:2] == [("change_cabin", "meant"), ("add_bags", "denied")]
