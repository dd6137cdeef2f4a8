"""Sessions of the toy domain that were held and decided at random, for what reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from agent.session.conversation import Conversation
from sessions.events import Logged, Safeguards
from sessions.store.store import Store
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call, said
from tests.toy import toy_domain

QUIET = Safeguards(reflection=False, context=False)
Turn = tuple[str, str, int]
"""A jar, a decision, and a number of coins; a jar that there is not is looked for in vain."""

TURNS = st.lists(
    st.tuples(
        st.sampled_from(["red", "blue", "green"]),
        st.sampled_from(["approve", "reject: no", "change: fewer", "ask: why?"]),
        st.integers(1, 6),
    ),
    max_size=4,
)


def answers(turns: Sequence[Turn]) -> list[Answer]:
    """What the agent does in these turns: identify, then each time look, try to take, tell."""
    found: list[Answer] = [call("find_user_id_by_email", email="ann@example.com"), "Hello Ann."]
    for jar, decision, coins in turns:
        found += [call("look", jar=jar), call("take", jar=jar, coins=coins)]
        found += said(["Because.", "So be it."] if _asks(jar, decision) else ["So be it."])
    return found


def decisions(turns: Sequence[Turn]) -> list[str]:
    """What the customer says to the cards of these turns; a question is followed by a yes."""
    found: list[str] = []
    for jar, decision, _ in turns:
        if jar != "green":
            found += [decision, "approve"] if _asks(jar, decision) else [decision]
    return found


async def held(store: Store, turns: Sequence[Turn], *, end: bool = False) -> Conversation:
    """A session of these turns."""
    model, operator = ScriptedModel(*answers(turns)), ScriptedOperator(*decisions(turns))
    conversation = await Conversation.start(
        store, toy_domain(coins=10), model, operator,
        safeguards=QUIET, scenario=toy_domain().scenario("three-from-red"),
    )  # fmt: skip
    for words in ("I am Ann", *(f"{coins} from {jar}" for jar, _, coins in turns)):
        await conversation.say(words)
    if end:
        await conversation.end()
    return conversation


async def recorded(folder: Path, turns: Sequence[Turn], *, end: bool = False) -> list[Logged]:
    """The log of such a session, in a store that is closed again."""
    with Store.open(folder / "sessions.sqlite") as store:
        return list((await held(store, turns, end=end)).log.events)


def _asks(jar: str, decision: str) -> bool:
    return jar != "green" and decision.startswith("ask")
