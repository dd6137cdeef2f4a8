"""The app with an agent that always says the same, whatever that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.app import SaberApp
from console.conversation import engine
from console.setup import Setup
from tests.agent.scripted import ScriptedModel


def run(file: str, answer: str) -> None:
    """Play in the terminal that one is in, until it is left; `file` is the session's."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(engine, "make_model", lambda name: ScriptedModel(answer))
        patched.setattr(engine.Engine, "ranker", lambda self: None)  # nothing is ranked here
        SaberApp(Setup(db=Path(file)), begin=True).run()
