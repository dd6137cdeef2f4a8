from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from agent.memory.bank import Bank
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import make_bank
from agent.memory.recalling import CLOSEST, COMPARED
from agent.memory.retrieval import as_read
from agent.models.asking import messages_so_far
from agent.session.conversation import Conversation
from sessions.events import ContextAssembled, Safeguards
from sessions.events.memory import RETRIEVE, ReadBy, Recalled
from sessions.store.store import Store
from tests.agent.held import events
from tests.agent.memory.entries import change, entry
from tests.agent.scripted import ScriptedModel, ScriptedOperator
from tests.toy import toy_domain

ENTRIES = [entry(f"take_{n}", tool="take", key_insight=f"lesson {n}") for n in range(8)]


class ByNumber:
    """Ranks a text by the number at its end, if any."""

    ready = True
    trouble = ""

    async def rank(self, query: str, texts: Sequence[str], deadline: float) -> list[float] | None:
        return [int(text[-1]) / 10 if text[-1].isdigit() else 0.0 for text in texts]


def bank(store: Store) -> Bank:
    return keep(store, make_bank(store, "b", toy_domain()), [change("edit", e) for e in ENTRIES])


def with_example(store: Store, session: str) -> Bank:
    """A bank whose only entry is a past conversation."""
    made = make_bank(store, "examples", toy_domain())
    learned = change("edit", ENTRIES[0])
    origin = learned.origin.model_copy(update={"kind": "session", "session": session})
    return keep(store, made, [learned.model_copy(update={"origin": origin})])


async def asked(
    store: Store, memory: Bank | None, ranker: ByNumber | None = None, first: str = "may I?"
) -> tuple[Conversation, ScriptedModel]:
    """A session in which the customer spoke twice."""
    model = ScriptedModel("Hello.", "Again.")
    held = await Conversation.start(
        store, toy_domain(), model, ScriptedOperator(), memory=memory, ranker=ranker,
        safeguards=Safeguards(reflection=False),
    )  # fmt: skip
    await held.say(first)
    await held.say("and now?")
    return held, model


def handed(held: Conversation) -> list[tuple[Recalled, ...]]:
    return [each.recalled for each in events(held) if isinstance(each, ContextAssembled)]


async def test_the_closest_are_handed_at_each_turn_before_the_customers_words(
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        held, model = await asked(store, replace(bank(store), read_by="embedding"), ByNumber())
        first, second = handed(held)
        assert first == second
        assert [each.capability for each in first] == [f"take_{n}" for n in range(7, 2, -1)]
        assert first[0] == Recalled(capability="take_7", text=as_read(ENTRIES[7]), similarity=0.7)
        note, words = model.requests[-1].messages[-2:]
        assert words["content"] == "and now?"
        assert all(each.text in str(note["content"]) for each in second)
        assert len([m for m in model.requests[-1].messages if "lesson" in str(m)]) == 1
        assert RETRIEVE not in held.domain.tools


async def test_unranked_the_newest_are_handed(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        held, _ = await asked(store, replace(bank(store), read_by="embedding"))
        assert [each.capability for each in handed(held)[0]] == [
            f"take_{n}" for n in range(8 - CLOSEST, 8)
        ]


async def test_what_is_not_handed_leaves_the_messages_as_they_are_without_a_memory(
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        made = bank(store)
        bare, told_bare = await asked(store, None)
        for way in ("none", "tool"):
            held, told = await asked(store, replace(made, read_by=way))
            assert handed(held) == handed(bare) == [(), ()]
            assert [r.messages for r in told.requests] == [r.messages for r in told_bare.requests]
            assert (RETRIEVE in held.domain.tools) is (way == "tool")
        _, told = await asked(store, replace(made, read_by="whole"))
        assert str(told.requests[0].messages).count("lesson") == len(ENTRIES)


@pytest.mark.parametrize("way", get_args(ReadBy))
async def test_however_a_memory_is_read_a_session_is_taken_up_and_forked_with_the_same_messages(
    tmp_path: Path, way: ReadBy
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        source, _ = await asked(store, None)
        made = bank(store)
        if way == "examples":
            made = with_example(store, source.log.session)
        held, model = await asked(store, replace(made, read_by=way), ByNumber())
        undone = change("undo", capability=next(iter(made.entries)))
        keep(store, made, [undone])
        operator = ScriptedOperator()
        again = await Conversation.resume(
            store, held.log.session, toy_domain(), model, operator, ranker=ByNumber()
        )
        forked = await Conversation.fork(
            store, held.log.session, None, toy_domain(), model, operator, ranker=ByNumber()
        )
        assert again.memory == forked.memory == held.memory
        assert messages_so_far(again) == messages_so_far(forked) == messages_so_far(held)


async def test_what_became_a_key_is_in_no_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-Canary0123456789"
    with Store.open(tmp_path / "s.db") as store:
        source, _ = await asked(store, None, first=f"it is {key}, may I?")
        made = with_example(store, source.log.session)
        monkeypatch.setenv("OPENAI_API_KEY", key)
        held, model = await asked(store, replace(made, read_by="examples"), ByNumber())
    assert "it is [redacted], may I?" in str(model.requests[-1].messages)
    assert all("[redacted]" in each.text for turn in handed(held) for each in turn)
    assert key not in f"{handed(held)} {model.requests}"


class Counting(ByNumber):
    """Keeps what it was asked to compare."""

    def __init__(self) -> None:
        self.texts: list[Sequence[str]] = []

    async def rank(self, query: str, texts: Sequence[str], deadline: float) -> list[float] | None:
        self.texts.append(texts)
        return await super().rank(query, texts, deadline)


async def test_of_a_large_memory_few_are_compared_those_that_share_words_among_them(
    tmp_path: Path,
) -> None:
    told = ["a hat", "hats on trains", *(f"{n} coats" for n in range(3 * COMPARED))]
    made = [entry(f"e{n}", tool="take", key_insight=text) for n, text in enumerate(told)]
    with Store.open(tmp_path / "s.db") as store:
        large = keep(store, make_bank(store, "b", toy_domain()), [change("edit", e) for e in made])
        ranker = Counting()
        await asked(store, replace(large, read_by="embedding"), ranker, "on a train")
        of_memory = [texts for texts in ranker.texts if len(texts) > len(ranker.texts)]
        assert [len(texts) for texts in of_memory] == [COMPARED, COMPARED]
        assert any("hats on trains" in text for text in of_memory[0])
        assert not any("hats on trains" in text for text in of_memory[1])
