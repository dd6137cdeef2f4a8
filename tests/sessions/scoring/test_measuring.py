from __future__ import annotations

import asyncio
from pathlib import Path

from agent.gate.operator import AutoApprover, Operator
from agent.session.conversation import Conversation
from domains.core.domain import Domain, DomainError
from sessions.events import Safeguards
from sessions.scoring.measuring import measure_sessions
from sessions.statistics.distance import Distance
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel, ScriptedOperator, call
from tests.toy import toy_domain

SCENARIO = "three-from-red"
FIND = call("find_user_id_by_email", email="ann@example.com")
PLAIN = Safeguards(reflection=False, context=False)


def load(name: str, data: Path | None, tasks: Path | None) -> Domain:
    """The toy domain by its name, on records that no folder holds."""
    if data is not None or name != "jars":
        raise DomainError("There is no such folder.")
    return toy_domain()


async def hold(
    store: Store,
    *coins: int,
    operator: Operator | None = None,
    safeguards: Safeguards = PLAIN,
    data: Path | None = None,
    domain: Domain | None = None,
) -> None:
    """A session in which the agent looks, takes coins, says what is left, and the customer goes."""
    domain = domain or toy_domain()
    takes = [call("take", jar="red", coins=each) for each in coins]
    model = ScriptedModel(FIND, call("look", jar="red"), *takes, "Seven are left.")
    held = await Conversation.start(
        store, domain, model, operator or ScriptedOperator(*["approve"] * 9),
        scenario=domain.scenario(SCENARIO), safeguards=safeguards, data=data,
    )  # fmt: skip
    await held.say("Three coins from the red jar, please")
    await held.end()


async def test_recorded_sessions_are_compared_with_the_ends_of_their_scenarios(
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        await hold(store, 3)
        await hold(store, 4)
        await hold(store)
        right, wrong, short = measure_sessions(store, load)
    told = [each.deviations for each in (right, wrong, short)]
    assert [each and each.distance for each in told] == [
        Distance(0, 2), Distance(0, 2), Distance(1, 2)
    ]  # fmt: skip
    assert [each and (each.decisive, each.at_an_end) for each in told] == [
        (None, True), ("take", False), (None, False)
    ]  # fmt: skip
    assert [each.success for each in (right, wrong, short)] == [True, False, False]
    assert (right.writes, right.writes_without_yes, right.cards.approved) == (1, 0, 1)
    assert right.cards.looks == (700,)


async def test_with_the_gate_off_every_write_is_without_the_customers_yes(tmp_path: Path) -> None:
    off = PLAIN.model_copy(update={"gate": False})
    with Store.open(tmp_path / "s.sqlite") as store:
        await hold(store, 3, operator=AutoApprover(), safeguards=off)
        (found,) = measure_sessions(store, load)
    assert (found.writes, found.writes_without_yes) == (1, 1)
    assert (found.cards.automatic, found.cards.approved) == (1, 0)
    assert found.safeguards == "none"


async def test_what_a_session_was_held_on_may_be_gone(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        await hold(store, 3, data=tmp_path / "gone")
        await hold(store, 3, domain=toy_domain(coins=20))
        elsewhere, other = measure_sessions(store, load, data=tmp_path / "neither")
        assert (elsewhere.deviations, other.deviations) == (None, None)
        found, still = measure_sessions(store, load)
    assert found.deviations is not None
    assert found.deviations.at_an_end
    assert still.deviations is None


async def test_only_what_was_asked_for_is_read(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        await hold(store, 3)
        await asyncio.sleep(0)
        assert len(list(measure_sessions(store, load, domain="jars", model="scripted"))) == 1
        assert list(measure_sessions(store, load, domain="retail")) == []
        assert list(measure_sessions(store, load, model="clerk")) == []
