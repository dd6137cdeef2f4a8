"""Describe a session's settings in words, which separate groups of sessions."""

from __future__ import annotations

from sessions.events import RequestSettings, Safeguards, SessionStarted

PERSON = "person"
ELSEWHERE = "another program's"
"""The customer of an imported run."""

CODE_CUSTOMERS = frozenset({"scripted", "careful"})
"""The customers that are not models; they would do the same in every trial."""

ROUTED = "control routed"
"""The words for safeguards with routed control."""

_SAFEGUARDS = ("gate", "reflection", "context")
"""The safeguards named when they are on; of other settings only non-default values are named."""


def safeguards_in_words(safeguards: Safeguards) -> str:
    """The safeguards that are on, and every other setting that is not the default."""
    settings, usual = safeguards.model_dump(), Safeguards().model_dump()
    on = " + ".join(name for name in _SAFEGUARDS if settings[name]) or "none"
    others = [
        f"{name.replace('_', ' ')} {_word(value)}"
        for name, value in settings.items()
        if name not in _SAFEGUARDS and value != usual[name]
    ]
    return ", ".join((on, *others))


def way_in_words(safeguards: str) -> str:
    """The way of control in given safeguards, with the card setting: ``routed+saber, no card``.

    Safeguards that were switched during a session are returned unchanged.
    """
    on, *others = safeguards.split(", ")
    if " → " in safeguards:
        return safeguards
    named = on.split(" + ")
    reminded = [each for each in ("reflection", "context") if each in named]
    saber = ["saber"] if len(reminded) > 1 else reminded
    name = "+".join((*(["routed"] if ROUTED in others else []), *saber)) or "none"
    card = "card" if "gate" in named else "no card"
    return ", ".join((name, card, *(each for each in others if each != ROUTED)))


def requests_in_words(requests: RequestSettings) -> str:
    """The request settings that are not the default; empty if there are none."""
    usual = RequestSettings()
    return ", ".join(
        f"{name.replace('_', ' ')} {_word(value)}"
        for name, value in requests
        if value != getattr(usual, name)
    )


def is_code(model: str) -> bool:
    """Whether this agent is the clerk, with or without a mistake: rules, not a model."""
    return model.split("+")[0] == "clerk"


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def memory_in_words(started: SessionStarted) -> str:
    """The memory that the agent could read, in words; empty if it had none.

    Sessions of one stream belong together, although its memory grows from session to session.
    """
    stream = None if started.run is None else started.run.stream
    if stream is not None and started.memory is not None:
        kinds = (stream.memory, stream.feedback, stream.policy_agent)
        return f"memory {', '.join(filter(None, kinds))}, read by {started.memory.by}"
    if started.memory is None:
        return ""
    used = started.memory
    return f"memory {used.bank} as of revision {used.revision}, read by {used.by}"
