from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.gate.operator import AutoApprover
from agent.session.resuming import WORDED_OTHERWISE, what_changed
from agent.session.wording import equip, wording_of
from domains.core.domain import DomainError
from domains.core.tool import ToolCall
from domains.core.wording import own_wording
from domains.tau2.wording import installed_wording
from sessions.events import RequestSettings
from tests.agent.held import conversation
from tests.agent.scripted import ScriptedModel
from tests.toy import toy_domain

THINKS = RequestSettings(think_tool=True)


def test_a_thought_changes_nothing_and_passes_no_gate() -> None:
    domain = equip(toy_domain(), THINKS)
    assert not domain.tools.mutates("think")
    result = domain.records().look_up(ToolCall("think", {"thought": "hm"}))
    assert (result.text, result.error) == ("", False)
    names = [tool.name for tool in domain.tools]
    assert names == [*(tool.name for tool in toy_domain().tools), "think"]
    assert equip(domain, THINKS) is domain
    assert "think" in [each["function"]["name"] for each in wording_of(domain, THINKS).tools]


def test_a_domain_that_tau2_does_not_know_cannot_be_asked_in_its_words() -> None:
    with pytest.raises(DomainError, match="not for toy"):
        installed_wording("toy", "")


async def test_what_is_worded_otherwise_since_is_told(tmp_path: Path) -> None:
    async with conversation(tmp_path, ScriptedModel(), AutoApprover()) as held:
        now = own_wording(held.domain)
        assert [*what_changed(held.status, None, now)] == []
        before = replace(held.status, wording_digest="another")
        assert [note.text for note in what_changed(before, None, now)] == [WORDED_OTHERWISE]
        same = replace(held.status, wording_digest=now.digest)
        assert [*what_changed(same, None, now)] == []
