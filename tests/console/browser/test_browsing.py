from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from console.browser.browsing import PageRequest, Reader, SessionFile
from sessions.store.errors import StoreError
from sessions.store.finding import Page, SessionFilter

FIRST, SECOND, THIRD = (PageRequest(SessionFilter(words)) for words in ("first", "second", "third"))


class HeldFile(SessionFile):
    """Gives no page before it may, and says when it is asked for one."""

    def __init__(self) -> None:
        super().__init__(Path("none"))
        self.asked: list[str] = []
        self.is_asked = threading.Event()
        self.may_answer = threading.Event()

    def page(self, asked: PageRequest) -> Page:
        self.asked.append(asked.wanted.words)
        self.is_asked.set()
        self.may_answer.wait(30)
        return Page((), None)


async def test_what_is_asked_for_while_a_page_is_read_is_read_next_and_only_the_last_shown() -> (
    None
):
    file, shown = HeldFile(), list[PageRequest]()
    reader = Reader(file)
    assert reader.ask(FIRST)
    reading = asyncio.create_task(reader.read(lambda asked, page, fault: shown.append(asked)))
    await asyncio.to_thread(file.is_asked.wait, 30)
    assert not reader.ask(SECOND)
    assert not reader.ask(THIRD)
    file.may_answer.set()
    await reading
    assert shown == [THIRD]
    assert file.asked == ["first", "third"]
    assert reader.ask(FIRST)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(StoreError("It is damaged."), "It is damaged."), (KeyError("x"), "KeyError")],
    ids=["foreseen", "unforeseen"],
)
async def test_what_cannot_be_read_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception, sentence: str
) -> None:
    def fails(*_: object) -> Page:
        raise error

    monkeypatch.setenv("SABER_DB", str(tmp_path / "sessions.sqlite"))
    monkeypatch.setattr(SessionFile, "page", fails)
    told: list[str] = []
    reader = Reader(SessionFile(tmp_path / "none"))
    reader.ask(FIRST)
    await reader.read(lambda asked, page, fault: told.append(fault))
    assert len(told) == 1
    assert sentence in told[0]
    assert not reader.busy
