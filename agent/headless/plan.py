"""What a headless run plays: which scenarios, how often, by whom, under which safeguards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.memory.bank import Bank
from agent.models.choosing import CLERK
from domains.core.canonical import digest
from domains.core.domain import Domain, DomainError, Scenario
from sessions.events import Limits, RequestSettings, RunPlace, Safeguards
from sessions.store.errors import StoreError

ALL_MISTAKES = f"{CLERK}+all"
"""The clerk, making each of its named mistakes in turn."""

EVERY_TASK = "all"
LONGEST_NAME = 80
"""Characters of a run's name."""

_NAME = re.compile(r"[\w.:+-]+")


class RunError(StoreError):
    """A run cannot be started or continued as requested; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One setting of the safeguards, under which all tasks of a run are played."""

    safeguards: Safeguards
    name: str = ""
    """Empty in a run that compares nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A run: what all its sessions share, and what is played in them."""

    domain: Domain
    scenarios: tuple[Scenario, ...]
    model: str
    customer: str
    arms: tuple[Arm, ...]
    auxiliary: str | None = None
    """The second model, if there is one."""

    trials: int = 1
    data: Path | None = None
    tasks: Path | None = None
    max_turns: int = 30
    limits: Limits = field(default_factory=Limits)
    requests: RequestSettings = field(default_factory=RequestSettings)
    seed: int = 0
    given_name: str | None = None
    memory: Bank | None = None
    """The memory of earlier conversations that the agent can read."""

    def __post_init__(self) -> None:
        name = self.given_name
        if name is not None and not (_NAME.fullmatch(name) and len(name) <= LONGEST_NAME):
            raise RunError(
                "A run's name may contain only letters, digits and . _ : + - and have at most "
                f"{LONGEST_NAME} characters."
            )

    @property
    def name(self) -> str:
        """The given name, or a name derived from the settings."""
        if self.given_name is not None:
            return self.given_name
        told = digest([self.settings(arm) for arm in self.arms])[:8]
        return f"{self.domain.name}-{told}"

    def settings(self, arm: Arm) -> str:
        """A digest of everything that an arm's sessions have in common.

        The choice of tasks and the number of trials are not part of it, so a run can be extended
        later.
        """
        return digest(
            [
                self.domain.name,
                self.domain.records().digest,
                self.domain.policy_digest,
                self.domain.tools_digest,
                self.model,
                self.auxiliary,
                self.customer,
                self.max_turns,
                self.limits.model_dump(mode="json"),
                self.requests.model_dump(mode="json"),
                arm.safeguards.model_dump(mode="json"),
                self.seed,
                *([] if self.memory is None else self.memory.as_used.told()),
            ]
        )

    def places(self) -> Iterator[Place]:
        """Yield the sessions to hold, every task once before any is repeated.

        The seed determines the order of the tasks and which mistake is made in which.
        """
        settings = {arm.name: self.settings(arm) for arm in self.arms}
        order = {scenario.id: place for place, scenario in enumerate(self.domain.all_scenarios)}
        models = _models(self.model, self.domain)
        for trial in range(1, self.trials + 1):
            for scenario in self._shuffle(trial):
                for arm in self.arms:
                    run = RunPlace(
                        name=self.name,
                        settings=settings[arm.name],
                        arm=arm.name,
                        trial=trial,
                        seed=seed_of(self.seed, scenario.id, trial),
                        customer=self.customer,
                        run_seed=self.seed,
                        agent=self.model,
                    )
                    model = models[(order[scenario.id] + trial - 1 + self.seed) % len(models)]
                    yield Place(scenario, arm, model, run)

    def _shuffle(self, trial: int) -> list[Scenario]:
        """The tasks in random order; adding a task does not reorder the others."""
        return sorted(self.scenarios, key=lambda each: digest([self.seed, trial, each.id]))


@dataclass(frozen=True, slots=True)
class Place:
    """One session of a run."""

    scenario: Scenario
    arm: Arm
    model: str
    run: RunPlace

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What identifies it within the run; a changed scenario counts as a different session."""
        return self.arm.name, self.scenario.id, self.scenario.digest, self.run.trial


def choose_scenarios(
    domain: Domain, tasks: str = EVERY_TASK, split: str | None = None
) -> Sequence[Scenario]:
    """The scenarios with these comma-separated ids, or all; limited to a split if one is named.

    Raises DomainError for an unknown id, and if nothing is left.
    """
    ids = [each.strip() for each in tasks.split(",") if each.strip()]
    every = ids in ([], [EVERY_TASK])
    there = domain.scenarios if split is None else domain.all_scenarios
    found = there if every else tuple(map(domain.scenario, dict.fromkeys(ids)))
    in_split = [each for each in found if split is None or split in each.splits]
    if not in_split:
        splits = sorted({split for each in found for split in each.splits})
        others = f" There are: {', '.join(splits)}." if splits else ""
        raise DomainError(
            f"No scenario of {domain.name} is in the split {split!r}.{others}"
            if split is not None
            else f"{domain.name} has no scenarios for these records."
        )
    return in_split


def seed_of(seed: int, scenario: str, trial: int) -> int:
    """A 32-bit seed that differs, except by chance, between all tasks and trials of the run."""
    return int(digest([seed, scenario, trial])[:8], 16)


def _models(name: str, domain: Domain) -> list[str]:
    """The model's name; for ALL_MISTAKES, the clerk with each mistake possible in this domain."""
    if name != ALL_MISTAKES:
        return [name]
    from agent.clerk.clerk import SKILLED_DOMAINS
    from agent.clerk.mistakes import MISTAKES

    tools = {tool.name for tool in domain.tools}
    elsewhere = {
        each for trade in SKILLED_DOMAINS if not trade.tools & tools for each in trade.mistakes
    }
    here = {each for trade in SKILLED_DOMAINS if trade.tools & tools for each in trade.mistakes}
    return [f"{CLERK}+{each}" for each in MISTAKES if each in here or each not in elsewhere]
