"""What a label teaches that is about no card: by the end that was wrong, or by what was read."""

from __future__ import annotations

from agent.memory.evidence import Evidence, evidence
from agent.memory.rule_policy_agent import learn
from sessions.events import AnyEvent, Labelled, Scored, ToolCalled
from sessions.events.memory import RETRIEVE
from tests.agent.memory.test_rule_policy_agent import EXCHANGE, RETAIL, bank
from tests.sessions.toy import CANCEL, log_of, scenario, started, toy

WHY = "It should be allowed."


def read(*capabilities: str) -> ToolCalled:
    asked = {"capabilities": [*capabilities]} if capabilities else {}
    return ToolCalled(call_id="c", name=RETRIEVE, arguments=asked)


def wrong(seq: int | None = None) -> Labelled:
    about = "session" if seq is None else "event"
    return Labelled.model_validate(
        {"about": about, "seq": seq, "verdict": "wrong", "note": WHY, "by": "ann"}
    )


def found(*events: AnyEvent, ends: bool = False) -> list[Evidence]:
    return list(evidence(log_of(started(), *events), toy(), scenario((CANCEL,)) if ends else None))


def test_words_about_an_answer_are_about_what_was_read_last_before_it() -> None:
    events = (read(), read("one"), read("two", "three"), read())
    for seq, capability in ((None, "three"), (3, ""), (4, "one"), (9, "three")):
        (each,) = found(*events, wrong(seq))
        assert (each.words, each.read, each.tool) == (WHY, capability, ""), seq


def test_a_wrong_end_that_was_explained_is_learned_from_once_and_with_its_change() -> None:
    scored = Scored(scenario="one", reward=0, records_match=False, communicated=True)
    assert [each.kind for each in found(scored, ends=True)] == ["outcome"]
    (each,) = found(scored, wrong(), ends=True)
    assert (each.kind, each.words, each.tool) == ("label", WHY, CANCEL.name)
    right = scored.model_copy(update={"reward": 1})
    (each,) = found(right, wrong(), ends=True)
    assert each.tool == ""


def test_what_was_read_tells_the_change_where_the_words_do_not() -> None:
    for capability in (EXCHANGE, "cancel_pending_order"):
        made = learn(Evidence("label", "s", 7, WHY, read=capability), bank(), RETAIL)
        assert made.entry is not None
        assert made.entry.tool == capability
