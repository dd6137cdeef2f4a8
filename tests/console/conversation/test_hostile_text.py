from __future__ import annotations

import os
import pty
import re
import select
import time
from dataclasses import replace
from pathlib import Path

import pytest

from agent.models.protocol import ModelFault
from console.catalogue import Roles, ScenarioLine, role_sections
from console.screens.outcome import OutcomeScreen
from console.screens.start import StartScreen
from console.widgets.picker import ScenarioPicker
from domains.core.domain import Action, Role, Scenario
from domains.core.tool import ToolCall
from sessions.events import Safeguards
from tests.agent.scripted import call
from tests.console.conversation import one_answer
from tests.console.stage import FIND, SMALL, stage
from tests.forked import Forked
from tests.toy import toy_domain

CONSOLE = Path(__file__).resolve().parents[3] / "console"
HOSTILE = {
    "control": "abc\u202egpj.exe\u2066x\u2069 a\x00b\x07c\x08d\x7f \x1b[31mred\x1b[0m\x9b2J "
    "\x1b]52;c;aGk=\x07 \x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "markup": "[bold red]x[/] [/nope] [@click=app.quit]go[/] "
    "[a](javascript:alert(1)) ![i](file:///etc/passwd) <b>x</b> `[/]`",
}
"""What a terminal would obey (directions, bells, colours, the clipboard, a link), and what Textual
or a reader of Markdown would; the shortest first, so that a narrow place shows some of each."""

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_words_are_harmless_wherever_they_appear(tmp_path: Path, text: str) -> None:
    answers = (
        *FIND,
        (text, call("look", jar=text)),
        call(text, thing=text),
        call("take", jar="red", coins=7),
        call("take", jar="red", coins=7),
        text,
    )
    guards = Safeguards(reflection=True)
    async with stage(tmp_path, *answers, safeguards=guards) as held:
        await held.say(text)
        card = await held.ready_card()
        await held.press("x", "r")
        card.query_one("#card-words").value = text  # type: ignore[attr-defined]
        await held.long_enough()
        await held.press("enter")
        await held.idle()
        for key in ("f2", "f3", "f4", "f5", "f6", "f7"):
            await held.press(key)
            await held.rest(0.05)
            assert not FORBIDDEN.search(held.text().replace("\n", ""))
        for row in held.screen.query("FoldedRow"):
            row.action_turn()  # type: ignore[attr-defined]
        await held.rest()
        assert not FORBIDDEN.search(held.text().replace("\n", ""))
        assert held.app.is_running


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_hostile_task_is_harmless_from_the_list_to_the_outcome(
    tmp_path: Path, text: str
) -> None:
    task = hostile_task(text)
    domain = replace(toy_domain(), read_scenarios=lambda _: (task,))
    async with stage(tmp_path, "Well.", domain=domain, scenario=text, start=True) as held:

        def clean() -> bool:
            return not FORBIDDEN.search(held.text().replace("\n", ""))

        await held.press("f7", "down", "space")
        await held.rest()
        assert clean()
        await held.press("escape")
        await held.say("hello")
        await held.idle()
        await held.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")
        assert clean()
        await held.press("escape", "f7")
        await held.rest()
        assert clean()
        await held.press("ctrl+n")
        await held.until(lambda: isinstance(held.app.screen, StartScreen), "the start screen")
        line = ScenarioLine(text, text, role_sections(task.role), text)
        picker = held.app.screen.query_one(ScenarioPicker)
        picker.wait()
        picker.offer(Roles(text, (line,), lambda words: [text]))
        assert picker.highlighted_role == line
        assert clean()


def hostile_task(text: str) -> Scenario:
    """A task of somebody else's file, hostile wherever it holds text."""
    wrong = ToolCall(text, {text: text})
    return Scenario(
        text, text, Role(text, (text,), (text,), (text,), text), ends=((wrong,), ()),
        communicate=(text,), actions=(Action(wrong),), assertions=(text,), ends_from=text,
    )  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_faults_are_harmless(tmp_path: Path, text: str) -> None:
    async with stage(tmp_path, ModelFault("server", text), size=SMALL) as held:
        await held.say("hello")
        await held.idle()
        assert not FORBIDDEN.search(held.text().replace("\n", ""))


async def test_markup_in_words_is_shown_as_it_was_written(tmp_path: Path) -> None:
    async with stage(tmp_path, "so [bold red]x[/] it is") as held:
        await held.say("[/nope] [@click=app.quit]go")
        await held.shows("so [bold red]x[/] it is")
        assert "[/nope] [@click=app.quit]go" in held.text()


async def test_a_megabyte_on_one_line_does_not_stop_the_screen(tmp_path: Path) -> None:
    line = "x" * 1_000_000
    async with stage(tmp_path, line, call("look", jar=line), "Done.") as held:
        await held.say("hello")
        await held.idle()
        begun = time.monotonic()
        await held.say("again")
        await held.idle()
        await held.press("ctrl+o", *"quick")
        assert time.monotonic() - begun < 5
        assert held.composer.text == "quick"


async def test_a_pasted_megabyte_is_refused_with_a_sentence(tmp_path: Path) -> None:
    from textual import events

    async with stage(tmp_path, "Yes.") as held:
        held.composer.post_message(events.Paste("y" * 1_000_000))
        await held.shows("so it was left out")
        assert held.composer.text == ""
        held.composer.post_message(events.Paste("clean\x1b[31m this"))
        await held.until(lambda: held.composer.text == "clean[31m this", "the cleaned text")


def test_nothing_in_the_console_shows_text_as_markup() -> None:
    bare = re.compile(
        r"(?<![\w.])(Static|Label)\(|\.notify\((?![^)]*markup=False)"
        r"|from_markup|markup import|markup\.escape"
    )
    found = [
        f"{path.name}: {line.strip()}"
        for path in CONSOLE.rglob("*.py")
        for line in path.read_text().splitlines()
        if bare.search(line) and "class PlainText(Static)" not in line
    ]
    assert found == []


def test_no_foreign_escape_sequence_reaches_a_real_terminal(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"}
    at, given = os.ttyname(slave), (str(tmp_path / "s.sqlite"), " ".join(HOSTILE.values()))
    process = Forked(one_answer.run, given, environment, (at, at, at))
    os.close(slave)
    try:
        _read_until(master, b"Write as the customer")
        os.write(master, b"hello\r")
        seen = _read_until(master, b"evil.example")
        os.write(master, b"\x11")
        process.wait(timeout=20)
    finally:
        process.kill()
        os.close(master)
    assert b"\x1b]52" not in seen
    assert b"\x1b]8;;http://evil" not in seen
    assert "\u202e".encode() not in seen
    assert b"\x9b2J" not in seen


def _read_until(master: int, words: bytes, seconds: float = 30) -> bytes:
    """What the program wrote until some words appear in it."""
    seen = b""
    deadline = time.monotonic() + seconds
    while words not in re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", seen):
        left = deadline - time.monotonic()
        assert left > 0, f"{words!r} did not appear"
        if select.select([master], [], [], min(left, 0.5))[0]:
            seen += os.read(master, 65_536)
    return seen
