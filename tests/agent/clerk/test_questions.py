"""Questions are answered with facts that fit, and the facts agree with the card."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from safetensors import safe_open

import domains
from agent.clerk.questions.at_card import answer_about_card
from agent.clerk.questions.fitting import WEIGHTS
from agent.clerk.state.messages import ABOUT_CARD
from agent.models.protocol import Message
from tests.agent.clerk.cards import SKILLS, ask, card_after, card_and_facts
from tests.agent.clerk.driver import Driver
from tests.benchmarks.questions import kept_out, outcome
from tests.effort import every
from tests.generators.clerk_questions.train import digest

HERE = Path(__file__).parent
ASKED = json.loads((HERE / "card_questions.json").read_text(encoding="utf-8"))
IN_ALL = re.compile(
    r"You (?:get|pay) (\$[\d,.]*\d) (?:(?:back|more) )?in all|[Aa]ll of the (\$[\d,.]*\d)"
)
SUM = re.compile(r"\$[\d,.]*\d")


def test_what_is_shipped_was_trained_on_the_questions_as_they_are() -> None:
    with safe_open(str(WEIGHTS), "np") as file:
        assert file.metadata()["examples"] == digest()


@pytest.mark.heavy
def test_questions_that_were_kept_out_are_answered_right_or_not_at_all() -> None:
    asked = [each for each in every(5, kept_out()) if each.best | each.acceptable]
    counts = Counter(map(outcome, asked))
    assert counts["right"] >= 0.79 * len(asked)
    assert counts["beside"] <= 0.19 * len(asked)


@pytest.mark.parametrize("row", ASKED, ids=lambda row: f"{row['domain']}: {row['ask']}")
def test_a_question_at_a_card_is_answered_by_what_it_is_about(row: dict[str, Any]) -> None:
    said = ask(row["domain"], row["ask"], *row["lines"])
    assert [each for each in row["told"] if each not in said] == []
    assert [each for each in row.get("never", ()) if each in said] == []


def plain_sum(text: str) -> str:
    """A sum as it is compared: without commas and zero cents."""
    return text.replace(",", "").removesuffix(".00")


@cache
def first_cards() -> list[tuple[str, tuple[str, ...]]]:
    """The lines of kept dialogues that lead to a card, of every kind of change."""
    found: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for domain, name in (("retail", "dialogues.json"), ("airline", "airline_dialogues.json")):
        for row in json.loads((HERE / name).read_text(encoding="utf-8"))[::3]:
            driver = Driver(domains.load(domain), decisions=["reject"] * 9)
            for n, line in enumerate(row["lines"], 1):
                driver.say(line)
                if driver.proposed:
                    kind = domain, driver.proposed[0].name
                    if len(found.setdefault(kind, [])) < 3:
                        found[kind].append(tuple(row["lines"][:n]))
                    break
    return [(domain, lines) for (domain, _), some in found.items() for lines in some]


@pytest.mark.heavy
def test_the_facts_at_a_card_agree_with_its_sums_and_are_sentences() -> None:
    kinds, told = set(), list[str]()
    for domain, lines in first_cards():
        card, facts = card_and_facts(domain, *lines)
        kinds.add(card.tool)
        shown = {*map(plain_sum, SUM.findall(f"{card.sentence} {' '.join(card.after)}"))}
        for fact in facts:
            assert fact.strip() == fact
            assert fact[-1] in ".…"
            assert not re.search(r"\bNone\b(?! of)|\{|\}|  |\.\.", fact), fact
            for hit in IN_ALL.finditer(fact):
                told.append(plain_sum(hit[1] or hit[2]))
                assert told[-1] in shown, f"{fact} is not on the card: {shown}"
    assert len(kinds) >= 10
    assert len(told) >= 15


UPGRADE_AND_CANCEL = (
    "delphine_aubert_3151. please cancel my flight to Chicago, my plans changed",
    "What if you upgraded me to business first? put it on my Visa",
    "Yes please, do the upgrade and then cancel it",
)


def test_what_was_changed_before_counts_in_the_facts_of_a_change() -> None:
    said = ask("airline", "how much do i get back?", *UPGRADE_AND_CANCEL, approved=1)
    assert "all of the $611" in said


def test_a_membership_that_makes_bags_free_is_not_said_to_make_no_difference() -> None:
    line = "matteo_rinaldi_2329. please add two more bags to my Orlando trip, on my visa"
    _, facts = card_and_facts("airline", line)
    assert not [each for each in facts if "as anybody else" in each]


def test_only_facts_about_what_is_named_answer_a_question() -> None:
    lines = ("grace.okafor@example.com. return the reading lamp to my mastercard",)
    said = ask("retail", "and what about the bedding set?", *lines)
    assert "Bedding Set" in said
    assert "Reading Lamp" not in said


def test_a_short_question_is_read_after_the_one_before_it() -> None:
    messages = [*card_after("retail", "grace.okafor@example.com. return the lamp to mastercard")]
    *before, note = messages
    asked: list[Message] = [
        {"role": "user", "content": "can the bedding set still be returned after this?"},
        {"role": "assistant", "content": f"{ABOUT_CARD}No."},
    ]
    again: Message = {"role": "user", "content": "and next month?"}
    said = answer_about_card([*before, *asked, note, again], SKILLS["retail"])
    assert "Bedding Set" in said


def test_with_no_card_waiting_nothing_is_said_of_one() -> None:
    said = answer_about_card([{"role": "user", "content": "is it done?"}], SKILLS["retail"])
    assert "can't change anything right now" in said
