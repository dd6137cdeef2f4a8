from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import domains
from agent.auxiliary.other_models import Recorder, ask_other
from agent.headless.plan import Arm, Plan, choose_scenarios
from agent.headless.run import Run
from agent.headless.summary import read_ended_sessions, summary
from agent.models.protocol import ChatModel, Finish, ModelFault, ModelRequest, Piece, TextPiece
from agent.simulated.modelled import GOODBYE
from domains.core.domain import Domain
from sessions.events import Limits, Logged, OtherModelAsked, Safeguards, SessionEnded, Usage
from sessions.store.store import Store
from sessions.views import RoleExpenses, expenses, status
from tests.agent.asked import Asked
from tests.agent.scripted import Answer, ScriptedModel

RETAIL = domains.load("retail")
REQUEST = ModelRequest([{"role": "user", "content": "hello"}], [])
OPENING = "Hi, I'm Nora Lindqvist, zip 55408. Please cancel the order with my trail shoes."
SAYS: tuple[Answer, ...] = (
    OPENING, "I no longer need them.", '{"decision": "approve", "words": "yes"}', GOODBYE,
)  # fmt: skip
PER_ANSWER = 15
"""Tokens of one answer of a scripted model."""


async def _played(
    folder: Path, customer: ScriptedModel, limits: Limits | None = None, domain: Domain = RETAIL
) -> tuple[list[Logged], Plan, list[RoleExpenses]]:
    from agent.models.choosing import make_model

    def model_of(name: str) -> ChatModel:
        return customer if name == customer.name else make_model(name)

    tasks = tuple(choose_scenarios(domain, "shoes-not-needed"))
    plan = Plan(
        domain, tasks, "clerk", customer.name, (Arm(Safeguards()),), limits=limits or Limits()
    )
    with Store.open(folder / "sessions.sqlite") as store:
        progress = await Run(store, plan, model_of=model_of).play()
        assert progress.lost == []
        found = read_ended_sessions(store, plan)
        log = store.read(found[0].facts.session)
    told = summary("", found).expenses
    return log, plan, [told.agent, told.auxiliary, told.customer, told.judge]


def _asked(log: list[Logged]) -> list[OtherModelAsked]:
    return [each.event for each in log if isinstance(each.event, OtherModelAsked)]


async def test_what_a_customers_model_used_up_is_in_the_log_and_apart(tmp_path: Path) -> None:
    customer = ScriptedModel(*SAYS, name="a customer")
    log, _, (agent, auxiliary, spent, judge) = await _played(tmp_path, customer)
    purposes = [each.purpose for each in _asked(log)]
    assert purposes == ["play_customer", "play_customer", "decide_on_card", "play_customer"]
    assert spent == RoleExpenses(4, 4 * PER_ANSWER, None, 4 * PER_ANSWER)
    assert (agent.tokens, auxiliary, judge) == (0, RoleExpenses(), RoleExpenses())
    assert status(log).tokens == 4 * PER_ANSWER
    assert status(log).ended == "customer"
    assert status(log).scored is not None
    assert expenses(log).total.answers == agent.answers + 4


async def test_what_was_asked_is_told_before_what_was_answered(tmp_path: Path) -> None:
    log, _, _ = await _played(tmp_path, ScriptedModel(*SAYS, name="a customer"))
    types = [each.event.type for each in log]
    for place, kind in enumerate(types):
        if kind in ("customer_said", "decision_made"):
            assert types[place - 1] == "other_model_asked"


async def test_a_token_budget_counts_the_customers_model(tmp_path: Path) -> None:
    customer = ScriptedModel(*SAYS, name="a customer")
    log, _, _ = await _played(tmp_path, customer, Limits(tokens=2 * PER_ANSWER))
    assert [each.event.reason for each in log if isinstance(each.event, SessionEnded)] == [
        "token_limit"
    ]
    assert len(_asked(log)) == 2


async def test_a_fault_is_counted_by_its_attempts_and_named(tmp_path: Path) -> None:
    asked = Asked()
    down = ModelFault("server", "It is down.", retryable=True)
    answer = await ask_other(ScriptedModel(down, "yes"), REQUEST, "judge", asked, first_wait=0.0)
    assert answer.text == "yes"
    with pytest.raises(ModelFault):
        await ask_other(
            ScriptedModel(down, down), REQUEST, "judge", asked, attempts=2, first_wait=0.0
        )
    told = [(each.attempts, each.fault, each.usage.prompt) for each in asked]
    assert told == [(2, "", 10), (2, "server", 0)]


class _Waiting(ScriptedModel):
    """Answers when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.asked.set()
        await asyncio.Event().wait()
        yield TextPiece("never")


async def test_an_answer_that_nobody_waited_for_is_told_too() -> None:
    asked, model = Asked(), _Waiting()
    asking = asyncio.create_task(ask_other(model, REQUEST, "play_customer", asked))
    await model.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert [each.fault for each in asked] == ["cancelled"]


class _Hostile(ScriptedModel):
    """Writes what would move a terminal's cursor, in its name as well."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        yield TextPiece("\x1b[2Jhello")
        yield Finish("stop", Usage(prompt=1, completion=1))


async def test_nothing_that_others_wrote_moves_the_terminal() -> None:
    asked = Asked()
    model = _Hostile(name="mo\x1b[31mdel\u202e")
    answer = await ask_other(model, REQUEST, "play_customer", asked)
    assert "\x1b" not in answer.text
    assert "\x1b" not in asked[0].model
    assert "\u202e" not in asked[0].model


async def test_nobody_is_asked_before_there_is_a_log() -> None:
    with pytest.raises(RuntimeError):
        await ask_other(ScriptedModel("hello"), REQUEST, "play_customer", Recorder())
