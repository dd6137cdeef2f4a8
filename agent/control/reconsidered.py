"""What a model made of its own change when it was asked to think again.

(Difficulty-routed control, section 3.2, verifier outcomes.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.models.assembly import BadArguments, parse_arguments
from agent.session.turn_context import TurnContext
from domains.core.canonical import canonical
from domains.core.tool import Toolset
from sessions.events import AgentSaid, CustomerSaid, Logged, ModelAnswered, ProposedCall
from sessions.events import Verification as Outcome
from sessions.statistics.consenting import asks_for_a_yes, says_yes

_CONFLICT = re.compile(
    r"\b(?:but|however|unfortunately|although|sorry|cannot|can['’]?t|isn['’]?t|doesn['’]?t|not"
    r"|unable|unavailable|no longer|only|rather|which|either|or|instead"
    r"|another|other|different|otherwise)\b",
    re.IGNORECASE,
)
"""Words by which something is told or asked beside the bare request for a yes."""


@dataclass(frozen=True, slots=True)
class Reconsidered:
    """What came of it: which calls it is about, and which take their place."""

    outcome: Outcome
    candidates: tuple[ProposedCall, ...]
    instead: tuple[ProposedCall, ...] = ()


def read_verdict(
    ctx: TurnContext, candidates: tuple[ProposedCall, ...], answered: ModelAnswered
) -> Reconsidered:
    """Read the verifier's answer; one that is none leaves the candidates unverified."""
    if not answered.calls:
        return Reconsidered(_outcome_of_words(ctx, answered.text), candidates)
    if not all(_is_usable(each, ctx.domain.tools) for each in answered.calls):
        return Reconsidered("unverified", candidates)
    confirmed = candidates[: len(answered.calls)]
    if [_content(each) for each in confirmed] == [_content(each) for each in answered.calls]:
        return Reconsidered("kept", confirmed)
    return Reconsidered("revised", candidates, answered.calls)


def _outcome_of_words(ctx: TurnContext, text: str) -> Outcome:
    """Of words to the customer: a question, a refusal, or one more request for the same yes."""
    if not text.strip():
        return "unverified"
    if asks_only_for_a_yes(text) and (ctx.safeguards.gate or has_agreed(ctx.log.events)):
        return "kept"  # a write that is right is not put off for one more confirmation
    return "asked" if "?" in text else "blocked"


def asks_only_for_a_yes(text: str) -> bool:
    """Whether words ask for a yes to a change, and neither tell nor ask anything else."""
    return asks_for_a_yes(text) and not _CONFLICT.search(text)


def has_agreed(log: Sequence[Logged]) -> bool:
    """Whether the customer's last words say yes to what the agent had asked for in words."""
    words: str | None = None
    for logged in reversed(log):
        match logged.event:
            case CustomerSaid(text=text) if words is None:
                words = text
            case AgentSaid(about_card=None, text=text) if words is not None:
                return says_yes(words) and asks_for_a_yes(text)
            case _:
                pass
    return False


def _is_usable(call: ProposedCall, tools: Toolset) -> bool:
    try:
        parse_arguments(call.arguments)
    except BadArguments:
        return False
    return tools.get(call.name) is not None


def _content(call: ProposedCall) -> tuple[str, str]:
    try:
        return call.name, canonical(parse_arguments(call.arguments))
    except BadArguments:
        return call.name, call.arguments
