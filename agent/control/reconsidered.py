"""Interprets a model's answer when it is asked to reconsider its own change.

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
"""Words that show that a text says or asks more than the bare request for a yes."""


@dataclass(frozen=True, slots=True)
class Reconsideration:
    """The outcome: the calls that it applies to, and the calls that replace them."""

    outcome: Outcome
    candidates: tuple[ProposedCall, ...]
    instead: tuple[ProposedCall, ...] = ()


def read_verdict(
    ctx: TurnContext, candidates: tuple[ProposedCall, ...], answered: ModelAnswered
) -> Reconsideration:
    """Read the verifier's answer; an unusable one leaves the candidates unverified."""
    if not answered.calls:
        return Reconsideration(_outcome_of_words(ctx, answered.text), candidates)
    if not all(_is_usable(each, ctx.domain.tools) for each in answered.calls):
        return Reconsideration("unverified", candidates)
    confirmed = candidates[: len(answered.calls)]
    if [_content(each) for each in confirmed] == [_content(each) for each in answered.calls]:
        return Reconsideration("kept", confirmed)
    return Reconsideration("revised", candidates, answered.calls)


def _outcome_of_words(ctx: TurnContext, text: str) -> Outcome:
    """The outcome of an answer in words: a question, a refusal, or asking for the yes again."""
    if not text.strip():
        return "unverified"
    if asks_only_for_a_yes(text) and (ctx.safeguards.gate or has_agreed(ctx.log.events)):
        return "kept"  # a correct write is not delayed for one more confirmation
    return "asked" if "?" in text else "blocked"


def asks_only_for_a_yes(text: str) -> bool:
    """Whether the words ask for a yes to a change, and neither say nor ask anything else."""
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
