from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open

from agent.clerk.understanding.labelling import (
    ANYTHING,
    PASSAGE,
    STANCES,
    WEIGHTS,
    Labels,
    Piece,
    intent_names,
    label,
    trained,
)
from tests.effort import every, tries
from tests.generators.clerk_reader.augmenting import as_written, vary
from tests.generators.clerk_reader.examples import (
    DOMAINS,
    Example,
    all_examples,
    intents_of,
    read_messages,
    tails,
)
from tests.generators.clerk_reader.train import digest

SENTENCES = Path(__file__).parents[1] / "sentences"


@cache
def examples() -> tuple[list[Example], list[Example]]:
    """All examples, read where a test needs them: they are many."""
    return all_examples()


PIECES = st.lists(st.builds(Piece, st.text(max_size=60), st.booleans()), max_size=6)


def labels_of(example: Example) -> tuple[Labels, ...]:
    """The labels of each part of an example."""
    passage = as_written(example)
    pieces, end = [], 0
    for span in passage.spans:
        pieces.append(Piece(passage.text[end : span.start], is_clause=False))
        pieces.append(Piece(passage.text[span.start : span.end]))
        end = span.end
    return label(example.domain or "retail", passage.asked, tuple(pieces))


def read(example: Example) -> list[tuple[str, str]]:
    """The likeliest intent and stance of each part of an example."""
    names = intent_names(example.domain or "retail")
    return [
        (names[int(np.argmax(each.intents))], STANCES[int(np.argmax(each.stances))])
        for each in labels_of(example)
    ]


def test_what_is_shipped_was_trained_on_the_examples_as_they_are() -> None:
    with safe_open(str(WEIGHTS), "np") as file:
        assert file.metadata()["examples"] == digest()
    assert trained().names == intents_of(*examples())


@pytest.mark.heavy
def test_what_was_learned_is_known() -> None:
    some = every(4, examples()[1][::25])
    told = [pair for each in some for pair in zip(read(each), each.parts, strict=True)]
    assert len(told) > 250
    assert sum(each[0] == part.intent for each, part in told) >= 0.93 * len(told)
    assert sum(each[1] == part.stance for each, part in told) >= 0.95 * len(told)


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_example_is_a_sentence_that_the_clerk_is_judged_by(domain: str) -> None:
    known = [each for some in examples() for each in some]
    told = {" ".join(part.text for part in each.parts).lower() for each in known}
    told |= {part.text.lower() for each in known for part in each.parts}
    for path in SENTENCES.glob(f"strangers_{domain}_*.json"):
        rows = json.loads(path.read_text("utf-8"))
        assert not {row["text"].lower() for row in rows if len(row["text"].split()) > 5} & told


def test_a_question_changes_what_a_reply_means() -> None:
    reply = (Piece("no bags"),)
    names = intent_names("airline")
    detail = names.index("detail")
    asked, begun = (
        label("airline", each, reply)[0].intents[detail]
        for each in ("How many checked bags in all?", "")
    )
    assert asked > 0.8
    assert asked > begun


def test_what_is_taken_back_later_is_denied_where_it_was_said() -> None:
    want = STANCES.index("want")
    for end, least, most in ((".", 0.6, 1.0), (". oh no wait, don't, I'll keep it", 0.0, 0.4)):
        pieces = (Piece("cancel the order"), Piece(end, is_clause=False))
        assert least <= label("retail", "", pieces)[0].stances[want] <= most


@settings(max_examples=tries(40), deadline=None)
@given(PIECES, st.text(max_size=200), st.sampled_from(DOMAINS))
def test_every_clause_of_any_text_has_labels(pieces: list[Piece], asked: str, domain: str) -> None:
    found = label.__wrapped__(domain, asked, tuple(pieces))
    assert len(found) == sum(each.is_clause for each in pieces)
    for each in found:
        assert sum(each.intents) == pytest.approx(1, abs=1e-4)
        assert sum(each.stances) == pytest.approx(1, abs=1e-4)


def test_a_long_message_is_read_to_its_end() -> None:
    long = tuple(Piece(text) for text in ["it was a rainy day. "] * (PASSAGE // 10))
    last = label("retail", "", (*long, Piece("please cancel my order")))[-1]
    assert intent_names("retail")[int(np.argmax(last.intents))] == "cancel_order"


@pytest.mark.heavy
def test_the_labels_are_those_of_the_network_that_was_trained() -> None:
    """In torch, whose layers are transformers' own, with the weights as they are stored."""
    import torch

    from tests.generators.clerk_reader.network import Encoder, collate, load_network

    network, encoder = load_network(), Encoder(trained().names)
    for example in every(2, examples()[1][::250]):
        passage = as_written(example)
        both = [encoder.encode(each) for each in (passage, replace(passage, asked=ANYTHING))]
        with torch.no_grad():
            read = [network(collate([each])) for each in both]
        ours = labels_of(example)
        for theirs, own in (
            ([stances for _, stances in read], [each.stances for each in ours]),
            ([own[str(passage.domain)] for own, _ in read], [each.intents for each in ours]),
        ):
            mean = sum(each[0].softmax(-1).numpy() for each in theirs) / 2
            assert np.allclose(own, mean, atol=3e-3)


@given(st.integers(0, 10_000))
@settings(max_examples=tries(60), deadline=None)
def test_a_variation_keeps_the_labels_of_what_it_varies(seed: int) -> None:
    drawn = Random(seed)
    example = drawn.choice(examples()[1])
    varied = vary(example, {}, drawn)
    behind = {"nothing_changes", None}  # words behind it, which may take it back
    assert {each.part.intent for each in varied.spans} <= {e.intent for e in example.parts} | behind
    stances = {each.part.stance for each in varied.spans} - {None}
    assert stances <= {each.stance for each in example.parts} | {"deny"}
    if any(each.part.text in tails()["back"] for each in varied.spans):
        assert "want" not in stances
    assert all(0 <= e.start < e.end <= len(varied.text) for e in varied.spans if e.part.text)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("domain", "intents", "stances"), [("retail", 0.62, 0.79), ("airline", 0.65, 0.82)]
)
def test_messages_from_the_middle_of_talks_are_read_as_their_writers_meant(
    domain: str, intents: float, stances: float
) -> None:
    """No part of the training: every eighth message of each writer was kept apart."""
    right = [
        (told == part.intent, stance == part.stance)
        for each in every(2, read_messages(domain, SENTENCES / f"middle_{domain}.jsonl"))
        for (told, stance), part in zip(read(each), each.parts, strict=True)
    ]
    assert sum(intent for intent, _ in right) >= intents * len(right)
    assert sum(stance for _, stance in right) >= stances * len(right)
