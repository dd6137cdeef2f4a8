"""How soon a key shows while a model streams into a long conversation.

    python -m tests.benchmarks.keystroke [--keys 240] [--messages 500] [--presses 10]

`saber play --resume` runs in a pseudo-terminal of ours, 120x36, on a session of 500 messages that
was recorded beforehand. A local server answers each message for 15 seconds with 100 pieces a
second; litellm reads them as it would any provider's. From the first words of an answer to its end
letters are typed, 80 to 220 ms apart, each one only after the one before it was seen. A key's
latency runs from the write of its byte to the read of the output in which the typed letters, that
one included, stand together. Nothing is skipped: a key that never shows ends the measurement with
an error. Before that, as many keys are typed while the conversation is at rest.

Then Esc is pressed, ten times each, under answers that are floods: hundreds of thousands of pieces
with nothing in them, or with a letter of reasoning, and a gzip bomb of events. Its latency runs
from the write of its byte to the read of the words that tell that the agent was stopped.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.measuring import machine, percentile, table, verdict
from tests.benchmarks.pseudo_terminal import PseudoTerminal
from tests.benchmarks.streaming import (
    FIRST_WORDS,
    FLOODED,
    LAST_WORDS,
    RATE,
    SECONDS,
    flood_model,
    long_session,
    serving,
)

MOST = 0.050
"""Seconds, at the 99th percentile."""

MOST_ESC = 0.100
"""Seconds, at every press."""

INTO = (0.5, 1.5)
"""Seconds into a flood between which Esc is pressed."""

STOPPED = "You stopped the agent"

LINE = 40
"""Keys that are timed before the line is cleared: it never wraps."""

TAIL = 4
"""How many of the letters typed last must stand together in the output. Each line begins with as
many that are not timed."""

LETTERS = "qxzjvkw"
"""Of which every line is a new mixture: no answer contains four of them together."""

PATIENCE = 60.0
"""Seconds to wait for what must come."""

SETTLE = 15.0
"""Seconds after the conversation is shown, in which the embedding process gets ready."""

CLEAR = b"\x15"
ESCAPES = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP.*?\x1b\\|\x1b[@-Z\\-_]",
    re.DOTALL,
)


def plain(output: bytes) -> str:
    """What a terminal would show of some output, without where it would show it."""
    return ESCAPES.sub(b"", output).decode("utf-8", "replace")


def mixture(dice: random.Random) -> str:
    """A line in which no run of letters that is waited for comes twice."""
    while True:
        line = "".join(dice.choice(LETTERS) for _ in range(TAIL + LINE))
        runs = [line[start : start + TAIL] for start in range(LINE + 1)]
        if len(set(runs)) == len(runs):
            return line


def type_keys(
    terminal: PseudoTerminal, count: int, dice: random.Random, until: float = float("inf")
) -> list[float]:
    """Seconds until each key showed; fewer than `count` where the clock says `until` before."""
    waits: list[float] = []
    while len(waits) < count and time.perf_counter() < until:
        line = mixture(dice)
        terminal.send(CLEAR)
        terminal.idle(0.3)
        terminal.send(line[:TAIL].encode())
        terminal.idle(0.5)
        for end in range(TAIL + 1, TAIL + 1 + min(LINE, count - len(waits))):
            terminal.idle(dice.uniform(0.08, 0.22))
            if time.perf_counter() > until:
                break
            waits.append(_shown(terminal, line[:end]))
    terminal.send(CLEAR)
    return waits


def _shown(terminal: PseudoTerminal, typed: str) -> float:
    """Type the last of the letters; seconds until it is shown with those before it."""
    output = b""
    started = time.perf_counter()
    terminal.send(typed[-1].encode())
    while time.perf_counter() - started < PATIENCE:
        output += terminal.read(PATIENCE)
        if typed[-TAIL:] in plain(output):
            return time.perf_counter() - started
    raise TimeoutError(f"{typed!r} did not show; the output was {plain(output)!r}")


def measured(keys: int, messages: int) -> dict[str, list[float]]:
    """Seconds for each key, at rest and while the model streams."""
    dice = random.Random(7)
    with tempfile.TemporaryDirectory() as folder, serving() as address:
        file = Path(folder) / "sessions.sqlite"
        session = long_session(file, messages)
        command = (str(Path(sys.executable).with_name("saber")), "play", "--db", str(file))
        with PseudoTerminal((*command, "--resume", session), _environment(folder, address)) as app:
            app.wait_for(LAST_WORDS, PATIENCE)
            app.idle(SETTLE)
            at_rest = type_keys(app, keys, dice)
            streaming: list[float] = []
            while len(streaming) < keys:
                app.send(b"Tell me all about it.\r")
                app.wait_for(FIRST_WORDS, PATIENCE)
                until = time.perf_counter() + SECONDS - 1
                streaming += type_keys(app, keys - len(streaming), dice, until)
                app.idle(until + 3 - time.perf_counter())
    return {"at rest": at_rest, f"{RATE} pieces a second": streaming}


def under_floods(presses: int) -> dict[str, list[float]]:
    """Seconds until Esc took effect, for each flood, as often as it was pressed."""
    dice, found = random.Random(7), {}
    with tempfile.TemporaryDirectory() as folder, serving() as address:
        for name in FLOODED:
            file = Path(folder) / f"{name}.sqlite"
            session = long_session(file, 8, flood_model(name))
            saber = str(Path(sys.executable).with_name("saber"))
            command = (saber, "play", "--db", str(file), "--resume", session)
            with PseudoTerminal(command, _environment(folder, address)) as app:
                app.wait_for(LAST_WORDS, PATIENCE)
                app.idle(SETTLE)
                found[name] = [_esc(app, dice.uniform(*INTO)) for _ in range(presses)]
    return found


def _esc(app: PseudoTerminal, into: float) -> float:
    """Ask, let the flood run, press Esc; seconds until it is told that the agent was stopped."""
    app.send(b"Tell me all about it.\r")
    app.idle(into)
    started = time.perf_counter()
    app.send(b"\x1b")
    output = b""
    while STOPPED not in plain(output):
        if time.perf_counter() - started > PATIENCE:
            raise TimeoutError(f"Esc had no effect; the output was {plain(output)[-500:]!r}")
        output += app.read(PATIENCE)
    took = time.perf_counter() - started
    app.idle(0.5)
    return took


def _environment(home: str, address: str) -> dict[str, str]:
    """All that the app finds in its environment."""
    return {
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "HOME": home,
        "OPENAI_API_BASE": address,
        **({"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}),
        "OPENAI_API_KEY": "none",
    }


def main() -> None:
    """Measure, and print the table and the verdict."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.keystroke")
    parser.add_argument("--keys", type=int, default=240)
    parser.add_argument("--messages", type=int, default=500)
    parser.add_argument("--presses", type=int, default=10)
    wanted = parser.parse_args()
    esc = under_floods(wanted.presses) if wanted.presses else {}
    found = measured(wanted.keys, wanted.messages) if wanted.keys else {}
    print(machine("textual", "litellm", "saber-console"))
    if found:
        print(f"{wanted.messages} messages, {wanted.keys} keys; milliseconds until a key shows:")
        print(_rows(found))
        p99 = percentile(found[f"{RATE} pieces a second"], 0.99)
        claim = f"under {1000 * MOST:.0f} ms at the 99th percentile while the model streams"
        print("\n" + verdict(claim, p99 < MOST, f"{1000 * p99:.1f} ms"))
    if esc:
        print(f"\n{wanted.presses} presses of Esc; milliseconds until the agent is told stopped:")
        print(_rows(esc))
        longest = max(max(waits) for waits in esc.values())
        claim = f"Esc takes effect in under {1000 * MOST_ESC:.0f} ms under every flood"
        print("\n" + verdict(claim, longest < MOST_ESC, f"{1000 * longest:.1f} ms"))


def _rows(found: dict[str, list[float]]) -> str:
    rows = [["while", "p50", "p90", "p99", "longest"]]
    for name, waits in found.items():
        marks = [percentile(waits, share) for share in (0.5, 0.9, 0.99, 1.0)]
        rows.append([name, *(f"{1000 * mark:.1f}" for mark in marks)])
    return table(rows)


if __name__ == "__main__":
    main()
