from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open

from agent.clerk.understanding.mention_roles import ROLES, WEIGHTS, Role, places_in, roles_of
from tests.benchmarks.mentions import told
from tests.effort import tries
from tests.generators.clerk_mentions.messages import (
    Message,
    parse_message,
    read_messages,
    sentences_of,
)
from tests.generators.clerk_mentions.train import digest


def test_what_is_shipped_was_trained_on_the_messages_as_they_are() -> None:
    with safe_open(str(WEIGHTS), "np") as file:
        assert file.metadata()["examples"] == digest()


def test_no_message_that_is_learned_from_is_one_that_is_kept_out() -> None:
    learned, kept_out = ({e.text for e in read_messages(n)} for n in ("messages", "kept_out"))
    assert len(kept_out) > 200
    assert not learned & kept_out


def test_roles_in_messages_that_were_kept_out_are_told_as_their_writers_marked_them() -> None:
    counts = told()
    assert sum(counts[each, each] for each in ROLES) >= 0.84 * counts.total()
    for role in ROLES:
        right = sum(n for (one, other), n in counts.items() if (one == role) == (other == role))
        assert right >= 0.91 * counts.total(), role
    acts: tuple[Role, ...] = ("wanted", "acted_on")
    dangerous = sum(counts["kept_out", each] for each in acts)
    assert dangerous <= 0.14 * sum(n for (one, _), n in counts.items() if one == "kept_out")


PLAIN = (
    "All on [+the mastercard+], I want to hang on to [-my certificate-] for later",
    "not [-the visa-]",
    "please don't charge it to [-my visa-]",
    "[+visa+] please",
    "what's on [~my gift card~]?",
    "return [=the mug=], but [-the lamp-] stays with me",
)


@pytest.mark.parametrize("line", PLAIN)
def test_what_is_plain_is_told_right(line: str) -> None:
    message = parse_message(line)
    assert roles_of(message.text, message.spans) == message.roles


@pytest.mark.heavy
@pytest.mark.parametrize("times", [3, 12])
def test_roles_at_the_end_of_a_long_story_are_told_nearly_as_well(times: int) -> None:
    story = "It was a long week with the move, the painters and two dogs in a very small flat. "
    right = total = 0
    for each in read_messages("kept_out"):
        spans = tuple(
            (start + len(story) * times, end + len(story) * times) for start, end in each.spans
        )
        found = roles_of(story * times + each.text, spans)
        right += sum(one == other for one, other in zip(found, each.roles, strict=True))
        total += len(spans)
    assert right >= 0.8 * total


@given(st.text(max_size=900), st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900))))
@settings(max_examples=tries(40), deadline=None)
def test_any_place_in_any_text_has_a_role(text: str, spans: list[tuple[int, int]]) -> None:
    found = roles_of(text, tuple(spans))
    assert len(found) == len(spans)
    assert {*found} <= {*ROLES}
    assert all(own for own in places_in(text, spans)[1])


@given(st.sampled_from(read_messages("messages")))
@settings(max_examples=tries(60), deadline=None)
def test_a_sentence_of_a_message_has_the_mentions_that_stand_in_it(message: Message) -> None:
    named = [message.text[a:b] for a, b in message.spans]
    alone = sentences_of(message)
    assert [each.text[a:b] for each in alone for a, b in each.spans] == named


def test_the_roles_are_those_of_the_network_that_was_trained() -> None:
    """In torch, whose layers are transformers' own, with the weights as they are stored."""
    import torch

    from tests.generators.clerk_mentions.network import Encoded, load_network

    network = load_network()
    for message in read_messages("kept_out")[:12]:
        tokens, places = places_in(message.text, message.spans)
        with torch.no_grad():
            scores = network([Encoded(tokens, places, [])]).numpy()
        ours = [ROLES.index(each) for each in roles_of(message.text, message.spans)]
        best = np.take_along_axis(scores, np.array(ours)[:, None], axis=1)[:, 0]
        assert np.allclose(best, scores.max(axis=1), atol=5e-3)
