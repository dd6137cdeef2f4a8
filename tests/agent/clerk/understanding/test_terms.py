from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open

from agent.clerk.understanding.clauses import limit
from agent.clerk.understanding.mention_roles import place_spans, tokens_of
from agent.clerk.understanding.terms import (
    KINDS,
    RATHER,
    WEIGHTS,
    Kind,
    are_fallbacks,
    read_passage,
    terms_in,
    trained,
)
from agent.clerk.understanding.transformer import apply_linear
from tests.effort import tries
from tests.generators.clerk_terms.messages import (
    TermMessage,
    hung_on,
    parse_mentions,
    parse_terms,
    read_mentions,
    read_terms,
    sentences_of,
)
from tests.generators.clerk_terms.train import digest

LEAST_FOUND: dict[Kind, float] = {"condition": 0.82, "fallback": 0.75, "taken_back": 0.75}
MOST_ELSEWHERE = 0.06


def kinds_in(text: str) -> set[Kind]:
    return {each.kind for each in terms_in(text)}


def test_what_is_shipped_was_trained_on_the_messages_as_they_are() -> None:
    with safe_open(str(WEIGHTS), "np") as file:
        assert file.metadata()["examples"] == digest()


def test_no_message_that_is_learned_from_is_one_that_is_kept_out() -> None:
    learned, kept_out = ({e.text for e in read_terms(n)} for n in ("terms", "terms_kept_out"))
    assert len(kept_out) > 300
    assert not learned & kept_out
    learned, kept_out = (
        {e.text for e in read_mentions(n)} for n in ("mentions", "mentions_kept_out")
    )
    assert len(kept_out) > 100
    assert not learned & kept_out


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_terms_of_messages_that_were_kept_out_are_found_as_their_writers_marked_them(
    kind: Kind,
) -> None:
    messages = read_terms("terms_kept_out")
    pairs = [(kind in {t.kind for t in e.terms}, kind in kinds_in(e.text)) for e in messages]
    there = [found for marked, found in pairs if marked]
    elsewhere = [found for marked, found in pairs if not marked]
    assert sum(there) >= LEAST_FOUND[kind] * len(there)
    assert sum(elsewhere) <= MOST_ELSEWHERE * len(elsewhere)


@pytest.mark.heavy
def test_fallbacks_in_messages_that_were_kept_out_are_told_as_their_writers_marked_them() -> None:
    messages = [each for each in read_mentions("mentions_kept_out") if len(each.spans) > 1]
    told = [each for e in messages for each in are_fallbacks(e.text, e.spans)]
    marked = [each for e in messages for each in e.fallbacks]
    right = sum(one == other for one, other in zip(told, marked, strict=True))
    assert right >= 0.88 * len(marked)


@pytest.mark.parametrize(
    "line",
    [
        "cancel it, <c>but only if I get everything back</c>",
        "Swap the desk for the oak one. <c>It must not cost me more than $20.</c>",
        "yes do it, <c>but only if the postage is free</c>",
        "return the lamp to my mastercard <c>if she's ok with it</c>",
        "send me the grey one, <f>or the black one if that's sold out</f>",
        "add a bag. <t>No wait, forget the bag</t>, what would business cost?",
        "If I remember right it is the big one, please return it if that's ok",
        "if I sent it back, how much would I get?",
        "the full size one without backlight, in black, for both of us",
    ],
)
def test_what_is_plain_is_found(line: str) -> None:
    message = parse_terms(line)
    assert kinds_in(message.text) == {each.kind for each in message.terms}


@pytest.mark.parametrize(
    "line",
    [
        "[?the gift card?] only if [+paypal+] does not work",
        "[+visa+], or [?amex?] if that is declined",
        "[+the certificate+] first and the rest on [+my visa+]",
        "not [-the visa-], [+the mastercard+]",
    ],
)
def test_a_method_that_is_plainly_second_is_told_so(line: str) -> None:
    message = parse_mentions(line)
    assert tuple(are_fallbacks(message.text, message.spans)) == message.fallbacks


@pytest.mark.parametrize("text", ["if I get at least $100", "unless I get less than $35 back"])
def test_the_least_that_should_come_back_is_no_limit_of_what_a_change_may_cost(text: str) -> None:
    assert limit(text) is None


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("Change it as long as I get it for under $50.", 50.0),
        ("if I get charged more than $40, leave it", 40.0),
        ("I need at least two bags, at most $100", 100.0),
    ],
)
def test_the_most_that_a_change_may_cost_is_a_limit_whatever_else_is_said(
    text: str, most: float
) -> None:
    assert limit(text) == most


@given(st.text(max_size=900))
@settings(max_examples=tries(40), deadline=None)
def test_terms_of_any_text_stand_in_it_in_order(text: str) -> None:
    found = terms_in(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(st.sampled_from(read_terms("terms")))
@settings(max_examples=tries(60), deadline=None)
def test_the_sentences_of_a_message_have_its_terms(message: TermMessage) -> None:
    told = "".join(message.text[each.start : each.end] for each in message.terms)
    alone = sentences_of(message)
    assert "".join(each.text for each in alone) == message.text
    assert "".join(e.text[t.start : t.end] for e in alone for t in e.terms) == told


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("comma", [True, False])
def test_a_message_that_is_hung_on_a_condition_has_it_marked(first: bool, comma: bool) -> None:
    hung = hung_on(TermMessage("cancel it!", ()), "if it rains.", first=first, comma=comma)
    (term,) = hung.terms
    assert hung.text[term.start : term.end].lower() == "if it rains"


def test_what_is_found_is_what_the_network_finds_that_was_trained() -> None:
    """In torch, whose layers are transformers' own, with the weights as they are stored."""
    import torch

    from tests.generators.clerk_terms.network import Encoded, load_network

    network = load_network()
    for message in read_mentions("mentions_kept_out")[:12]:
        tokens, offsets = tokens_of(message.text)
        places = place_spans(offsets, message.spans)
        with torch.no_grad():
            terms, mentions = network([Encoded(tokens, [], places, [])])
        assert np.allclose(
            apply_linear(read_passage(message.text)[1], trained().terms), terms.numpy(), atol=2e-2
        )
        told = are_fallbacks(message.text, message.spans)
        if any(told):
            likely = torch.softmax(mentions, 1)[:, 1].tolist()
            pairs = zip(told, likely, strict=True)
            assert all((n > RATHER) == one for one, n in pairs if abs(n - RATHER) > 0.02)
