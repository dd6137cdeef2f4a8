from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import domains
from agent.clerk.retail.task import reader
from agent.clerk.understanding.embed_examples import embedded
from agent.clerk.understanding.intents import trained
from tests.agent.clerk.driver import Driver
from tests.benchmarks.clerk import measured

HERE = Path(__file__).parent
FORBIDDEN: list[str] = json.loads((HERE / "retail_forbidden.json").read_text("utf-8"))


def test_the_vectors_that_are_shipped_are_what_the_encoder_gives() -> None:
    examples = reader().examples
    vectors = embedded(examples)
    with np.load(examples.folder / "examples.npz") as kept:
        assert np.allclose(kept["vectors"].astype(float), vectors.astype(float), atol=2e-3)
        weights = trained(kept["vectors"].astype(np.float32), list(examples.labels))
        assert np.allclose(kept["weights"], weights, atol=1e-3)


def test_no_example_is_a_sentence_that_the_clerk_is_judged_by() -> None:
    told = {each.lower() for group in reader().examples.sentences.values() for each in group}
    strangers = json.loads((HERE / "strangers_retail.json").read_text("utf-8"))
    long = {each["text"].lower() for each in strangers if len(each["text"].split()) > 5}
    assert not long & told


@pytest.mark.parametrize(
    ("file", "at_once", "reached", "wrong"),
    [("strangers_retail", 0.75, 0.90, 0), ("utterances_retail", 0.85, 0.90, 1)],
)
def test_as_many_sentences_as_before_are_understood(
    file: str, at_once: float, reached: float, wrong: int
) -> None:
    total, _ = measured(HERE / f"{file}.json")
    assert total.at_once / total.all >= at_once
    assert total.reached / total.all >= reached
    assert total.wrong <= wrong


@pytest.mark.parametrize("line", FORBIDDEN)
def test_what_is_denied_or_only_asked_about_never_comes_to_a_card(line: str) -> None:
    driver = Driver(domains.load("retail"), decisions=["reject"] * 9)
    driver.say("yusuf rossi, 19122")
    driver.say(line)
    assert driver.proposed == []
