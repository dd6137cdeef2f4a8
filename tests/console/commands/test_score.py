from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import domains
from agent.auxiliary.judging import ModelJudge
from agent.session.conversation import Conversation
from console import cli
from console.reports.scoring import lines
from domains.core.domain import Domain, Scenario
from sessions.events import (
    AssertionCheck,
    Labelled,
    Logged,
    Record,
    Reviewed,
    Safeguards,
    Scored,
)
from sessions.scoring import sources
from sessions.scoring.judging import Entry
from sessions.scoring.rescoring import Scorer
from sessions.store.store import Store
from sessions.views import RoleExpenses, expenses
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator

RETAIL = domains.load("retail")
SCENARIO = next(each for each in RETAIL.scenarios if len(each.ends[0]) == 1 and not each.transfer)
(WANTED,) = SCENARIO.ends[0]
DOES_IT: list[Answer] = [[(WANTED.name, dict(WANTED.arguments))], *SCENARIO.communicate, "Done."]
CLAIM = "The agent was polite."
JUDGED = replace(SCENARIO, assertions=(CLAIM,), basis=("DB", "NL_ASSERTION"))


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.saber, arguments)


async def held(
    db: Path,
    *answers: Answer,
    scenario: Scenario | None = SCENARIO,
    end: bool = True,
    auxiliary: ScriptedModel | None = None,
) -> str:
    """A recorded session in which the customer approves one change; its id."""
    with Store.open(db) as store:
        conversation = await Conversation.start(
            store,
            RETAIL,
            ScriptedModel(*answers),
            ScriptedOperator("approve"),
            scenario=scenario,
            safeguards=Safeguards(reflection=False, context=False),
        )
        for _ in answers:
            await conversation.say("go on")
        conversation.auxiliary = auxiliary
        if end:
            await conversation.end()
        return conversation.log.session


def log(db: Path, session: str) -> list[Logged]:
    with Store.open(db, read_only=True) as store:
        return store.read(session)


def scores(db: Path, session: str) -> list[Scored]:
    return [each.event for each in log(db, session) if isinstance(each.event, Scored)]


def says(met: bool) -> ScriptedModel:
    verdict = {"number": 1, "met": met, "reason": "see there"}
    return ScriptedModel(json.dumps({"verdicts": [verdict]}), name="a reader")


@dataclass(frozen=True)
class Interrupted:
    store: Store
    session: str

    async def judge(
        self, conversation: Sequence[Entry], assertions: Sequence[str], record: Record
    ) -> Sequence[AssertionCheck]:
        self.store.append(self.session, [Labelled(verdict="right", by="ann")])
        found = await ModelJudge(says(met=True)).judge(conversation, assertions, record)
        review = Reviewed(card_id="x", decision="approve", by="bob")
        self.store.append(self.session, [review])
        return found


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


@pytest.fixture
def judged_domain(monkeypatch: pytest.MonkeyPatch) -> Domain:
    """The demo store, its scenario with a statement that only a reader can judge."""
    domain = replace(RETAIL, read_scenarios=lambda _: (JUDGED,))
    monkeypatch.setattr(sources, "load_domain_of_session", lambda *_: domain)
    return domain


def test_a_score_is_added_only_where_it_says_something_new(db: Path) -> None:
    session = asyncio.run(held(db, *DOES_IT))
    before = len(log(db, session))
    told = invoke("score", session, "--db", str(db))
    assert told.exit_code == 0, told.output
    assert f"{session}  {SCENARIO.id}  reward 1  (as before)" in told.output
    assert "✓ The records are as they should be." in told.output
    assert "changes carried out without the customer's yes: 0 of 1" in told.output
    assert len(log(db, session)) == before
    with Store.open(db) as store:
        stale = scores(db, session)[0].model_copy(update={"reward": 0.0})
        store.append(session, [stale])
    again = json.loads(invoke("score", "--all", "--db", str(db), "--json").output)
    assert [(each["session"], each["appended"]) for each in again] == [(session, True)]
    assert again[0]["scored"]["classic"] == 1.0
    assert [each.reward for each in scores(db, session)] == [1.0, 0.0, 1.0]
    assert len(log(db, session)) == before + 2


def test_what_is_wrong_is_told_line_by_line(db: Path) -> None:
    session = asyncio.run(held(db, "No."))
    told = invoke("score", session, "--db", str(db)).output
    assert "✗ The records are not as they should be." in told
    assert "should be" in told.split("How the records differ from what they should be:")[1]
    assert "τ²-bench, by the task's basis (records × communicated information): 0" in told
    assert "no change was carried out" in told


def test_sessions_that_have_no_outcome_yet_are_a_sentence(db: Path) -> None:
    free = asyncio.run(held(db, "Hello.", scenario=None))
    running = asyncio.run(held(db, "Hello.", end=False))
    for session, why in ((free, "was free play"), (running, "has not ended")):
        told = invoke("score", session, "--db", str(db))
        assert (told.exit_code, told.output.count("\n")) == (2, 1)
        assert why in told.output
    assert invoke("score", "--all", "--db", str(db)).output == ""
    assert "no session nope" in invoke("score", "nope", "--db", str(db)).output
    assert invoke("score", free, "--all", "--db", str(db)).exit_code == 2


def test_a_session_that_cannot_be_scored_does_not_keep_the_others_from_it(db: Path) -> None:
    other = asyncio.run(held(db, "No.", scenario=replace(SCENARIO, id="gone")))
    session = asyncio.run(held(db, *DOES_IT))
    told = invoke("score", "--all", "--db", str(db)).output
    assert f"{other}  not scored: There is no scenario 'gone'" in told
    assert f"{session}  {SCENARIO.id}  reward 1" in told


def test_the_clerk_is_no_judge(db: Path) -> None:
    session = asyncio.run(held(db, "No."))
    told = invoke("score", session, "--db", str(db), "--judge", "clerk")
    assert told.exit_code == 2
    assert "not a language model" in told.output


async def test_a_judge_is_asked_once_and_its_verdict_stands(
    db: Path, judged_domain: Domain
) -> None:
    session = await held(db, *DOES_IT, scenario=JUDGED)
    assert scores(db, session)[-1].main is None
    with Store.open(db) as store:
        unjudged = await Scorer(store).one(session)
        assert not unjudged.appended
        told = [*lines(unjudged)]
        assert "  ? The records are as they should be; the rest was not judged." in told
        assert f"    ? {CLAIM}" in told
        found = await Scorer(store, judge=ModelJudge(says(met=False))).one(session)
        assert found.appended
        assert found.scored is not None
        assert (found.scored.main, found.scored.reward) == (0.0, 1.0)
        assert found.scored.assertions[0].judge == "a reader"
        text = "\n".join(lines(found))
        assert "✗ The records are right, but a statement about the conversation is not" in text
        assert f"• {CLAIM} (see there)" in text
        for judge in (None, ModelJudge(says(met=True))):
            assert not (await Scorer(store, judge=judge).one(session)).appended
        log = store.read(session)
        assert expenses(log).judge == RoleExpenses(1, 15, None, 15)
        assert [each.event.type for each in log[-2:]] == ["other_model_asked", "scored"]


async def test_a_judges_answer_is_kept_where_somebody_else_judges_while_it_thinks(
    db: Path, judged_domain: Domain
) -> None:
    session = await held(db, *DOES_IT, scenario=JUDGED)
    with Store.open(db) as store:
        found = await Scorer(store, judge=Interrupted(store, session)).one(session)
        assert found.scored is not None
        assert (found.appended, found.scored.main) == (True, 1.0)
        assert [each.event.type for each in store.read(session)[-4:]] == [
            "labelled", "other_model_asked", "reviewed", "scored",
        ]  # fmt: skip
        assert expenses(store.read(session)).judge.answers == 1


async def test_an_auxiliary_model_judges_when_the_session_ends(db: Path) -> None:
    session = await held(db, *DOES_IT, scenario=JUDGED, auxiliary=says(met=True))
    assert [each.main for each in scores(db, session)] == [None, 1.0]
    assert expenses(log(db, session)).judge.answers == 1
    session = await held(db, *DOES_IT, scenario=JUDGED, auxiliary=ScriptedModel("Hm.", "Hm."))
    assert expenses(log(db, session)).judge.answers == 2
    assert [each.main for each in scores(db, session)] == [None, None]
    assert scores(db, session)[-1].assertions[0].verdict == "not judged"
