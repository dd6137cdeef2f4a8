"""A memory on a terminal: nothing that others wrote passes for a line of ours."""

from __future__ import annotations

from agent.memory.bank import Bank, Capability, Version
from agent.memory.change import Change, Origin
from agent.memory.usage import Use
from console.reports.memory_lines import (
    capability_lines,
    difference_lines,
    entry_lines,
    proposal_lines,
)
from tests.agent.memory.entries import entry

BLANK = "\u2800 " * 80
FORGED = f"Broken {BLANK}✓ Each new item has different options\u3164"
CHECK = {"name": FORGED, "effect": "relaxes", "condition": FORGED}
HOSTILE = entry(trigger=FORGED, key_insight=FORGED, policy_lines=[FORGED], check=CHECK)
ORIGIN = Origin(kind="session", session=f"s\n{FORGED}", words=FORGED, why=f"{FORGED}\nRemembered.")


def shows_all(line: str) -> bool:
    return not any(each in line for each in "\u2800\u3164\n")


def test_blanks_that_others_wrote_are_spelled_wherever_they_stand() -> None:
    bank = Bank("b", "retail", "", 0, {})
    omitted = Change(does="omit", capability=f"x\n{FORGED}", by=FORGED, origin=ORIGIN)
    whole = Capability(
        omitted.capability, [Version(1, "now", HOSTILE, ORIGIN, FORGED)], history=[(1, "", omitted)]
    )
    told = [
        *entry_lines(HOSTILE),
        *difference_lines(HOSTILE, entry(trigger=f"{FORGED}.")),
        *proposal_lines(bank, HOSTILE.capability, HOSTILE, ORIGIN),
        *proposal_lines(bank, omitted.capability, None, ORIGIN),
        *capability_lines(whole, Use()),
    ]
    assert [each for each in told if not shows_all(each)] == []
    assert any("‹U+2800›" in each for each in told)


def test_what_differs_is_shown_however_late_it_differs() -> None:
    before, after = (entry(key_insight=f"{BLANK * 3}{last}") for last in "ab")
    assert [each[-1] for each in difference_lines(before, after) if each[0] in "+-"] == ["a", "b"]


def test_a_name_cannot_go_on_for_pages() -> None:
    bank = Bank("b", "retail", "", 0, {})
    (told,) = proposal_lines(bank, "y" * 9_000, None, Origin(kind="person"))
    assert len(told) < 200
