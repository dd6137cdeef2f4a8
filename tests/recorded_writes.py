"""The writes of recorded conversations, each with its card and with whether it was right."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import domains
from agent.gate.recorded_cards import make_cards
from domains.core.domain import Domain, Scenario
from domains.core.tool import ToolCall
from domains.tau2 import tasks as tau2_tasks
from sessions.events import Card, Logged, ProposedCall, WriteApplied
from sessions.importing import read_runs
from sessions.importing.replaying import Replay, Tally
from sessions.importing.runs import Agent, Customer, LeftOut, Returned, Run, Step
from sessions.scoring.card_calls import UNDECIDED, call_verdicts
from sessions.statistics.evidence import JudgedCard
from tests.sessions.toy import log_of
from tests.shared_data import TAU2

DEV = TAU2.with_name("tau1") / "gpt-4o-airline.dev.json"
"""GPT-4o's recorded airline conversations, which are not part of this project."""

STRANGERS = Path(__file__).parent / "agent" / "comparison" / "conversations"
"""Conversations by people who had not seen the code: 40 to 50 a file, on τ²-bench's records."""


class NotPlayed(Exception):
    """A conversation whose calls do not do on the records what its writer thought."""


@dataclass(frozen=True, slots=True)
class RecordedWrite:
    """A change of a recorded conversation."""

    conversation: str
    note: str
    """What its writer says of the conversation."""

    log: Sequence[Logged]
    """What happened before it."""

    judged: JudgedCard

    @property
    def card(self) -> Card:
        """The card that is made of it afterwards."""
        return self.judged.card


@dataclass(frozen=True, slots=True)
class Played:
    """One conversation, played on records."""

    log: Sequence[Logged]
    writes: tuple[RecordedWrite, ...]
    tally: Tally


def stranger_files() -> list[Path]:
    """The files of conversations by strangers."""
    return sorted(STRANGERS.glob("*.json"))


def of_strangers(path: Path) -> list[RecordedWrite]:
    """The writes of a file of conversations by strangers, on τ²-bench's records."""
    found: list[RecordedWrite] = []
    for script in json.loads(path.read_text()):
        domain = tau2_domain(script["domain"])
        played = play(domain, _run(script), domain.scenario(script["task"]), script["note"])
        _check(domain, script, played)
        found += played.writes
    return found


def of_runs(path: Path, domain: Domain) -> list[Played]:
    """The runs of a file that another program recorded, each with the task that came with it."""
    return [
        play(domain, run) for run in read_runs(path, domain.name) if not isinstance(run, LeftOut)
    ]


@cache
def tau2_domain(name: str) -> Domain:
    """A domain on τ²-bench's records."""
    return domains.load(name, TAU2)


def play(domain: Domain, run: Run, scenario: Scenario | None = None, note: str = "") -> Played:
    """Make a run's calls on a domain's records, and the cards of its writes afterwards."""
    replay = Replay(domain, run, "recorded")
    log = log_of(*replay.events())
    task = scenario or tau2_tasks.task_from_run(run.task or {}, domain, run.source)
    verdicts = call_verdicts(domain, task, log)
    writes = (
        RecordedWrite(
            run.original,
            note,
            log[: each.write.seq - 1],
            JudgedCard(
                each.card,
                each.write.seq,
                each.write.origin,
                verdicts.get(each.card.id, UNDECIDED),
            ),
        )
        for each in make_cards(domain, log)
    )
    return Played(log, tuple(writes), replay.tally)


def _run(script: dict[str, Any]) -> Run:
    return Run(
        source="tau2",
        original=script["id"],
        task_id=script["task"],
        model="a person",
        steps=tuple(_steps(script["turns"])),
        ended="customer",
        ending="stop",
        digest=script["id"],
    )


def _steps(turns: Sequence[Sequence[Any]]) -> Iterator[Step]:
    for number, turn in enumerate(turns):
        match turn:
            case ["customer", text]:
                yield Customer(text)
            case ["agent", text]:
                yield Agent(text)
            case ["call", name, arguments]:
                call = ProposedCall(id=str(number), name=name, arguments=json.dumps(arguments))
                yield Agent("", (call,), spoken=False)
                yield Returned(str(number), "")
            case _:
                raise NotPlayed(f"{turn} is no turn")


def _check(domain: Domain, script: dict[str, Any], played: Played) -> None:
    """Whether every write went through, since a card is made of those alone."""
    calls = [ToolCall(turn[1], turn[2]) for turn in script["turns"] if turn[0] == "call"]
    meant = [call.name for call in calls if domain.tools.mutates(call.name)]
    made = [each.event.name for each in played.log if isinstance(each.event, WriteApplied)]
    if made != meant:
        raise NotPlayed(f"of {script['id']} only {made} went through, not {meant}")
