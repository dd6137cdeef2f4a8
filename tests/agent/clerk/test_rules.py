"""Answers about rules: what was written is found again, and holds only where the rule stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import domains
from agent.clerk.airline.vocabulary import RULES as AIRLINE
from agent.clerk.retail.intent_data import RULES as RETAIL
from agent.clerk.rules import NOT_KNOWN, line_digest
from tests.effort import every
from tests.generators.clerk_rules.train import rows_of, shipped
from tests.shared_data import TAU2

RULES = {"retail": RETAIL, "airline": AIRLINE}


@pytest.mark.parametrize("domain", RULES)
def test_what_ships_is_what_was_written(domain: str) -> None:
    kept = json.loads((RULES[domain].folder / "rules.json").read_text("utf-8"))
    assert kept == shipped(rows_of(domain))


@pytest.mark.heavy
@pytest.mark.parametrize("domain", RULES)
def test_questions_find_the_answer_that_was_written_for_them(domain: str) -> None:
    policy = domains.load(domain).policy
    asked = [(row, text) for row in rows_of(domain) for text in every(4, row["asked"][::4])]
    stated = {line_digest(line) for line in policy.splitlines()}
    holding = [(r, text) for r, text in asked if not r["lines"] or stated & {*r["lines"]}]
    right = [row["answer"] in RULES[domain].find(text, policy) for row, text in holding]
    assert len(right) > 150
    assert sum(right) >= 0.93 * len(right)


@pytest.mark.parametrize("domain", RULES)
def test_every_rule_follows_from_a_line_of_a_policy(domain: str) -> None:
    texts = [domains.load(domain).policy]
    if TAU2.is_dir():
        texts.append((Path(TAU2) / domain / "policy.md").read_text("utf-8"))
    stated = {line_digest(line) for text in texts for line in text.splitlines()}
    loose = [r["answer"] for r in rows_of(domain) if r["lines"] and not stated & {*r["lines"]}]
    assert not TAU2.is_dir() or loose == []


def test_an_answer_whose_rule_is_not_in_the_policy_is_not_given() -> None:
    question, policy = (
        "how often can i change how i pay for an order",
        domains.load("retail").policy,
    )
    told = RETAIL.find(question, policy)
    assert "once" in told
    lines = [each for each in policy.splitlines() if "once" not in each]
    assert told != RETAIL.find(question, "\n".join(lines))


def test_what_no_answer_and_no_line_is_about_is_not_known() -> None:
    assert RETAIL.answer("blub blub", "") == NOT_KNOWN
    assert RETAIL.find("do you have a guarantee on that", "")
