"""Under what a session was held, in the words by which groups of sessions are told apart."""

from __future__ import annotations

from sessions.events import RequestSettings, Safeguards, SessionStarted

PERSON = "person"
ELSEWHERE = "another program's"
"""Who played the customer of an imported run."""

CODE_CUSTOMERS = frozenset({"scripted", "careful"})
"""Who plays the customer without a model; whatever they do, they would do again."""

ROUTED = "control routed"
"""What safeguards are said to have whose control is routed."""

_SAFEGUARDS = ("gate", "reflection", "context")
"""Those that are named where they are on; of other settings, the ones that are not the default."""


def safeguards_in_words(safeguards: Safeguards) -> str:
    """Which safeguards are on, and every other setting that is not the default."""
    settings, usual = safeguards.model_dump(), Safeguards().model_dump()
    on = " + ".join(name for name in _SAFEGUARDS if settings[name]) or "none"
    others = [
        f"{name.replace('_', ' ')} {_word(value)}"
        for name, value in settings.items()
        if name not in _SAFEGUARDS and value != usual[name]
    ]
    return ", ".join((on, *others))


def way_in_words(safeguards: str) -> str:
    """Safeguards in words as a way of control beside the card: ``routed+saber, no card``.

    Those that were switched during a session stay as they are.
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
    """How the models were asked, where it was not as usual; empty where it was."""
    usual = RequestSettings()
    return ", ".join(
        f"{name.replace('_', ' ')} {_word(value)}"
        for name, value in requests
        if value != getattr(usual, name)
    )


def is_code(model: str) -> bool:
    """Whether an agent of that name is the clerk, with or without a mistake: rules, no model."""
    return model.split("+")[0] == "clerk"


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def memory_in_words(started: SessionStarted) -> str:
    """What the agent could read of what was learned before; empty where it had no memory.

    Sessions of one stream go together, though its memory grows from each to the next.
    """
    stream = None if started.run is None else started.run.stream
    if stream is not None and started.memory is not None:
        kinds = (stream.memory, stream.feedback, stream.policy_agent)
        return f"memory {', '.join(filter(None, kinds))}, read by {started.memory.by}"
    if started.memory is None:
        return ""
    used = started.memory
    return f"memory {used.bank} as of revision {used.revision}, read by {used.by}"
