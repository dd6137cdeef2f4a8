from __future__ import annotations

from typing import get_args

from sessions.events import ModelAnswered, ModelRequested, OtherPurpose, Purpose
from sessions.statistics.waits import ROLES, waits
from tests.agent.happenings import logged


def test_everything_that_a_model_may_be_asked_for_is_somebodys_role() -> None:
    assert {*ROLES} == {*get_args(Purpose), *get_args(OtherPurpose)}


def test_an_answer_counts_for_whom_was_asked_whatever_it_became() -> None:
    asked = ModelRequested(model="m", turn=1, attempt=1, purpose="verify", messages=1)
    answered = ModelAnswered(model="m", purpose="act", text="", milliseconds=700)
    found = waits(logged([asked, answered]))
    assert {role: each.milliseconds for role, each in found.items()} == {"verifier": (700,)}
