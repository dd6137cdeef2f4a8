"""Export conversations with tool calls for fine-tuning, in OpenAI's format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from domains.core.domain import Domain
from sessions.events import Logged
from sessions.exporting.attention import leave_out
from sessions.exporting.confirmations import Row
from sessions.exporting.messages import as_text, messages
from sessions.exporting.steps import CallRun, Declined, Step, Words, conversation_steps

DECLINED = "changes that the customer declined: the words on the card are kept, the call is not"
SILENT = "sessions in which the agent said and did nothing"


def rows_of(log: Sequence[Logged], domain: Domain, left_out: Counter[str]) -> Iterator[Row]:
    """Yield the conversation of a session as one row, if it contains anything to learn from."""
    story = list(conversation_steps(log))
    leave_out(log, left_out)
    learnt = _up_to_the_agent(story)
    if not learnt:
        left_out[SILENT] += 1
        return
    declined = sum(isinstance(each, Declined) for each in story)
    left_out.update({DECLINED: declined} if declined else {})
    yield {
        "messages": messages(domain.policy, learnt, as_text),
        "tools": domain.tools.schemas,
        "parallel_tool_calls": False,
    }


def _by_agent(each: Step) -> bool:
    return isinstance(each, Words) and each.who == "agent"


def _up_to_the_agent(story: list[Step]) -> list[Step]:
    """The story up to the agent's last message or call, since nothing answers what follows it."""
    end = len(story)
    while end and not (isinstance(story[end - 1], CallRun) or _by_agent(story[end - 1])):
        end -= 1
    return story[:end]
