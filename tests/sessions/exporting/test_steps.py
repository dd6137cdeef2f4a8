from __future__ import annotations

from sessions.events import AgentSaid, CardAnswered
from sessions.exporting.steps import Words, conversation_steps
from tests.sessions.toy import decided, log_of, shown, started

ASKED = (started(), shown("a"), decided("a", "ask", "Is it free?"))


def test_a_question_to_the_agent_is_told_though_the_session_broke_off_before_the_answer() -> None:
    for events in (ASKED, (*ASKED, AgentSaid(text="Yes.", about_card="a"))):
        words = [each for each in conversation_steps(log_of(*events)) if isinstance(each, Words)]
        assert (words[0].who, words[0].text) == ("customer", "Is it free?")


def test_a_question_that_the_card_answered_is_not_told() -> None:
    answered = log_of(*ASKED, CardAnswered(card_id="a", text="From the records: yes."))
    assert list(conversation_steps(answered)) == []
