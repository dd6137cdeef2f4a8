from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import domains
from agent.session.conversation import Conversation
from domains.core.canonical import canonical
from domains.core.domain import Action, Domain, Role, Scenario
from domains.core.tool import ToolCall
from sessions.events import AssertionCheck, Safeguards, Scored
from sessions.exporting.tau2_tasks import task_of
from sessions.scoring import TRANSFER, score
from sessions.scoring.trajectory import ENDINGS
from sessions.store.store import Store
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator
from tests.domains.call_sequences import NOT_IN_THE_PEER
from tests.effort import WHOLE
from tests.sessions.scoring.trajectories import (
    Agent,
    Customer,
    Declined,
    Step,
    log_of_steps,
    messages_of,
)
from tests.shared_data import ANY_TAU2, EDITIONS
from tests.tau2_process import Tau2Process, with_tau2

pytestmark = with_tau2

PEER = Path(__file__).parent / "tau2_evaluator.py"
CHANGES_OF_EACH = 3 if WHOLE else 1
"""How many of the changed conversations are tried of every task, beside the expected one."""

TAKES_ANYWAY = re.compile(r"Error: ('certificate_\d+'$|1 validation error for Payment\namount)")
"""Refusals that come when the peer has taken money already; see ``domains/airline/quirks.py``."""


@dataclass(frozen=True)
class Case:
    """A task, a conversation about it, how it ended, and what a judge says of its assertions."""

    task: dict[str, Any]
    steps: tuple[Step, ...]
    ended: str = "customer"
    assertions: tuple[bool, ...] = ()

    @property
    def criteria(self) -> dict[str, Any]:
        return dict(self.task["evaluation_criteria"])

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(_call(action) for action in self.criteria["actions"])


class Peer:
    """τ²-bench's evaluator."""

    def __init__(self) -> None:
        self._process = Tau2Process(PEER, str(ANY_TAU2))
        self._asked: Counter[str] = Counter()

    def ask(self, name: str, case: Case, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """The verdicts; some cases also check the hash against τ²-bench's own."""
        self._asked[name] += 1
        asked = {
            "domain": name,
            "task": case.task,
            "assertions": case.assertions,
            "check": self._asked[name] in (1, 4),
            "simulation": {
                "id": "1", "task_id": case.task["id"], "messages": messages, "duration": 0,
                "start_time": "", "end_time": "", "termination_reason": ENDINGS[case.ended],
            },
        }  # fmt: skip
        verdicts: dict[str, Any] = json.loads(self._process.ask(json.dumps(asked), begins="{"))
        return verdicts

    def close(self) -> None:
        """End the process."""
        self._process.finish()


@pytest.fixture(scope="module", params=["retail", "airline"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def domain(name: str) -> Domain:
    return domains.load(name, ANY_TAU2)


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    process = Peer()
    yield process
    process.close()


def tasks(name: str) -> list[dict[str, Any]]:
    """Every task that is published, once where two editions expect the same of it, and ours."""
    ours = domains.load(name, ANY_TAU2).gap_scenarios
    found = {each.id: task_of((), each) for each in ours}
    for folder in EDITIONS:
        for task in json.loads((folder / name / "tasks.json").read_text(encoding="utf-8")):
            criteria = task["evaluation_criteria"]
            criteria["actions"] = [
                each for each in criteria["actions"] if each["name"] not in NOT_IN_THE_PEER
            ]
            found.setdefault(canonical(_asked(criteria)), task)
    return list(found.values())


def _asked(criteria: dict[str, Any]) -> list[Any]:
    """What of a task's criteria bears on its reward."""
    basis = criteria.get("reward_basis") or ["DB", "COMMUNICATE"]
    calls = [[each["name"], each["arguments"], each.get("compare_args")]
             for each in criteria["actions"]]  # fmt: skip
    judged = criteria["nl_assertions"] if "NL_ASSERTION" in basis else None
    return [calls, criteria["communicate_info"], basis, judged]


def _call(action: dict[str, Any]) -> ToolCall:
    return ToolCall(action["name"], action["arguments"])


def scenario(case: Case) -> Scenario:
    criteria = case.criteria
    return Scenario(
        id=case.task["id"],
        title="",
        role=Role(""),
        ends=(case.calls,),
        communicate=tuple(criteria["communicate_info"] or ()),
        actions=tuple(
            Action(_call(each), None if (names := each.get("compare_args")) is None else (*names,))
            for each in criteria["actions"]
        ),
        assertions=tuple(criteria["nl_assertions"] or ()),
        basis=tuple(criteria.get("reward_basis") or ("DB", "COMMUNICATE")),
        source="tau2",
    )


def expected(task: dict[str, Any]) -> Case:
    """The conversation in which everything is done and said as the task wants it."""
    criteria = task["evaluation_criteria"]
    said = [Agent(f"It is {text.upper()}, as you see.") for text in criteria["communicate_info"]]
    calls = [_call(action) for action in criteria["actions"]]
    steps: tuple[Step, ...] = (Customer("Hello"), *calls, Agent("Done."), *said, Customer("Bye"))
    return Case(task, steps, assertions=(True,) * len(criteria["nl_assertions"] or ()))


def changed(case: Case, domain: Domain, dice: random.Random) -> list[Case]:
    """The same conversation with something wrong, or something that only looks wrong."""
    places = [place for place, step in enumerate(case.steps) if isinstance(step, ToolCall)]
    writes = [place for place in places if _mutates(domain, case.steps[place])]
    said = [place for place, step in enumerate(case.steps) if isinstance(step, Agent)]
    nonsense = ToolCall("confirm_action", {"what": "all of it"})
    found = [
        _with(case, dice.randint(1, len(case.steps)), nonsense),
        _without(case, dice.choice(said)),
        replace(case, ended=dice.choice(["turn_limit", "fault", "transfer"])),
        replace(case, steps=tuple(map(_spoken_by_the_customer, case.steps))),
        replace(case, steps=tuple(map(_with_commas, case.steps))),
        replace(case, assertions=tuple(dice.random() < 0.5 for _ in case.assertions)),
    ]
    for place in (dice.choice(places),) if places else ():
        call = case.steps[place]
        found += [
            _without(case, place),
            _with(case, place, _altered(call, dice), instead=True),
            _with(case, place, _altered(call, dice)),
            _with(case, place, _shortened(call, dice), instead=True),
            _swapped(case, dice.choice(places), place),
        ]
    for place in (dice.choice(writes),) if writes else ():
        call = case.steps[place]
        assert isinstance(call, ToolCall)
        found += [
            _without(case, place),
            _with(case, place, call),
            _with(case, place, Declined(call), instead=True),
            _with(case, place, Declined(_altered(call, dice))),
            _with(case, place, _altered(call, dice), instead=True),
            _with(case, place, _respelled(call), instead=True),
        ]
    return found


def _mutates(domain: Domain, step: Step) -> bool:
    return isinstance(step, ToolCall) and domain.tools.mutates(step.name)


def _with(case: Case, place: int, step: Step, *, instead: bool = False) -> Case:
    rest = case.steps[place + 1 :] if instead else case.steps[place:]
    return replace(case, steps=(*case.steps[:place], step, *rest))


def _without(case: Case, place: int) -> Case:
    return replace(case, steps=(*case.steps[:place], *case.steps[place + 1 :]))


def _swapped(case: Case, one: int, other: int) -> Case:
    steps = list(case.steps)
    steps[one], steps[other] = steps[other], steps[one]
    return replace(case, steps=tuple(steps))


def _altered(call: Any, dice: random.Random) -> ToolCall:
    """The call with another value in one of its arguments."""
    arguments = json.loads(json.dumps(call.arguments))
    name = dice.choice([*arguments]) if arguments else "more"
    match arguments.get(name):
        case [_, _, *_] as several:
            several.reverse()
        case [*others]:
            others.clear()
        case int() as number:
            arguments[name] = number + 1
        case value:
            arguments[name] = f"{value}x"
    return ToolCall(call.name, arguments)


def _shortened(call: Any, dice: random.Random) -> ToolCall:
    """The call without one of its arguments, so that it fails."""
    left_out = dice.choice([*call.arguments, ""])
    return ToolCall(
        call.name, {name: each for name, each in call.arguments.items() if name != left_out}
    )


def _respelled(call: ToolCall) -> ToolCall:
    """Whole numbers written as fractions: equal to Python, and another text in JSON."""
    return ToolCall(
        call.name,
        {name: float(each) if type(each) is int else each for name, each in call.arguments.items()},
    )


def _spoken_by_the_customer(step: Step) -> Step:
    return Customer(step.text) if isinstance(step, Agent) else step


def _with_commas(step: Step) -> Step:
    return Agent(re.sub(r"(\w)(\w)", r"\1,\2", step.text)) if isinstance(step, Agent) else step


def judged(case: Case) -> list[AssertionCheck]:
    return [
        AssertionCheck(text=text, verdict="met" if met else "unmet")
        for text, met in zip(case.criteria["nl_assertions"] or (), case.assertions, strict=True)
    ]


def ours(domain: Domain, case: Case) -> tuple[Scored, list[dict[str, Any]]]:
    events = log_of_steps(domain, case.steps, case.ended)
    scored = score(domain, scenario(case), events, assertions=judged(case))
    return scored, messages_of(events)


def compare(domain: Domain, peer: Peer, case: Case) -> tuple[float | None, bool]:
    scored, messages = ours(domain, case)
    if any(TAKES_ANYWAY.match(each.get("content") or "") for each in messages):
        return None, True
    theirs = peer.ask(domain.name, case, messages)
    told = f"task {case.task['id']}: {case.steps}"
    assert scored.main == theirs["reward"], told
    if theirs["db"] is not None:
        assert scored.task_end == theirs["db"], told
        assert [each.said for each in scored.said] == theirs["said"], told
        assert [each.made for each in scored.actions] == theirs["actions"], told
        classic = float(theirs["db"] and all(theirs["said"]))
        assert scored.classic == classic, told
    return theirs["reward"], scored.records_match


def test_every_expected_conversation_is_worth_what_tau2_gives_for_it(
    name: str, domain: Domain, peer: Peer
) -> None:
    for task in tasks(name):
        assert compare(domain, peer, expected(task)) == (1.0, True)


def test_every_changed_conversation_is_worth_what_tau2_gives_for_it(
    name: str, domain: Domain, peer: Peer
) -> None:
    rewards = []
    for task in tasks(name):
        dice = random.Random(f"{name} {task['id']}")
        cases = changed(expected(task), domain, dice)
        for case in dice.sample(cases, min(CHANGES_OF_EACH, len(cases))):
            rewards.append(compare(domain, peer, case)[0])
    assert rewards.count(0.0) > len(rewards) / 4
    assert rewards.count(1.0) > len(rewards) / 8


def test_every_kind_of_check_decides_where_the_basis_names_it(
    name: str, domain: Domain, peer: Peer
) -> None:
    for basis in (["ACTION"], ["COMMUNICATE"], ["NL_ASSERTION"], ["DB", "ACTION"]):
        for task in tasks(name)[:12]:
            criteria = {**task["evaluation_criteria"], "reward_basis": basis}
            dice = random.Random(f"{name} {basis} {task['id']}")
            case = expected({**task, "evaluation_criteria": criteria})
            for each in dice.sample(changed(case, domain, dice), 2):
                compare(domain, peer, each)


async def test_a_session_as_the_loop_holds_it_is_worth_what_tau2_gives_for_it(
    name: str, domain: Domain, peer: Peer, tmp_path: Path
) -> None:
    # A change is declined with another behind it, a tool is none, a call lacks its arguments, and
    # words stand beside calls.
    with_changes = [each for each in tasks(name) if _first_change(domain, each)]
    with Store.open(tmp_path / "sessions.sqlite") as store:
        for task in with_changes[::12]:
            case = expected(task)
            change = _first_change(domain, task)
            amiss: list[Answer] = [change * 2, [("confirm_action", {})], [(change[0][0], {"a": 1})]]
            said = [f"It is {text}." for text in case.criteria["communicate_info"]]
            calls = [("One moment.", [_plainly(each)]) for each in case.calls]
            model = ScriptedModel(*amiss, *calls, *said, "Done")
            held = await Conversation.start(
                store, domain, model, ScriptedOperator("reject: no", *["approve"] * len(calls)),
                scenario=scenario(case), safeguards=Safeguards(reflection=False, context=False),
            )  # fmt: skip
            for _ in (*said, "Bye"):
                await held.say("Go on.")
            scored = await held.end()
            theirs = peer.ask(name, case, messages_of(held.log.events))
            assert scored is not None
            assert [each.made for each in scored.actions] == theirs["actions"]
            assert (scored.task_end, scored.main) == (theirs["db"], theirs["reward"])
            assert (scored.classic, scored.unconsented_writes) == (1.0, 0)


def _plainly(call: ToolCall) -> tuple[str, dict[str, Any]]:
    return call.name, dict(call.arguments)


def _first_change(domain: Domain, task: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The first change that a task expects, as an answer of a model.

    Nothing where it fails, where something is to be judged, or where a hand-over ends the session.
    """
    calls = [_call(action) for action in task["evaluation_criteria"]["actions"]]
    if any(call.name == TRANSFER for call in calls):
        return []
    for call in calls:
        if domain.tools.mutates(call.name):
            failed = domain.records().preview(call).result.error
            judged = task["evaluation_criteria"]["nl_assertions"]
            return [] if failed or judged else [_plainly(call)]
    return []
