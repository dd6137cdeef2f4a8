"""What tests over the wire share."""

from __future__ import annotations

from functools import partial

import pytest

from agent.models import asking
from agent.models.retries import answer_with_retries


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that may pass is asked for again without a wait."""
    monkeypatch.setattr(asking, "answer_with_retries", partial(answer_with_retries, first_wait=0))
