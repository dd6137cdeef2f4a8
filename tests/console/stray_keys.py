"""What stray keys do to a waiting card: raw bytes, sent to the real app in a real terminal.

    python -m tests.console.stray_keys [--tries 3] [--seed 1]

Every try starts the app in a pseudo-terminal of its own, waits until a card stands there, sends
bytes to the terminal driver, and reads from the session's log what was decided. Everything but the
lone key must decide nothing. A paste is cut at any places, with up to 0.15 seconds between the
pieces; longer pauses are people's, and are among the typed sentences.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.measuring import table
from tests.benchmarks.pseudo_terminal import Process, PseudoTerminal, Start, start_program
from tests.console import waiting_card as app_with_card
from tests.forked import Forked

PATIENCE = 30.0
SENTENCES = (
    "are you sure",
    "have a nice day",
    "say a word",
    "anyway, thanks\r",
    "ok\r",
    "no a a\r",
)
PASTED = "are you sure?\na\nhave a nice day\na"


@dataclass(frozen=True)
class Terminal:
    """The app in its terminal, and the files by which it tells where it is."""

    app: PseudoTerminal
    file: Path
    dice: random.Random

    def wait_for(self, sign: str) -> None:
        until = time.perf_counter() + PATIENCE
        while not self.file.with_suffix(f".{sign}").exists():
            if time.perf_counter() > until:
                raise TimeoutError(f"no {sign} card in {PATIENCE} s")
            self.app.idle(0.01)

    def type(self, text: str, pace: float) -> None:
        for key in text.encode():
            self.app.send(bytes([key]))
            self.app.idle(pace)

    def send_in_pieces(self, text: bytes) -> None:
        places = sorted(self.dice.randrange(len(text)) for _ in range(self.dice.randrange(1, 6)))
        for begin, end in zip([0, *places], [*places, len(text)], strict=True):
            self.app.send(text[begin:end])
            self.app.idle(self.dice.uniform(0, 0.15))

    def stop(self, seconds: float, keys: bytes) -> None:
        """Stop the whole program, press keys meanwhile, and let it go on."""
        os.kill(self.app.process.pid, signal.SIGSTOP)
        self.app.idle(seconds / 2)
        self.app.send(keys)
        self.app.idle(seconds / 2)
        os.kill(self.app.process.pid, signal.SIGCONT)

    def decided(self) -> list[str]:
        with closing(sqlite3.connect(self.file)) as log:
            rows = log.execute("select payload from events where type = 'decision_made'").fetchall()
        return [json.loads(payload)["decision"] for (payload,) in rows]


Try = Callable[[Terminal], None]


def burst(at: Terminal) -> None:
    at.wait_for("ready")
    at.app.send(at.dice.choice(SENTENCES).encode())


def in_the_grace(at: Terminal) -> None:
    at.wait_for("mounted")
    at.app.send(b"a")


def stopped_in_the_grace(at: Terminal) -> None:
    at.wait_for("mounted")
    at.app.idle(at.dice.uniform(0, 0.3))
    at.stop(at.dice.uniform(0.2, 1.6), b"a")


def stopped_while_typing(at: Terminal) -> None:
    at.wait_for("ready")
    at.app.send(b"h")
    at.stop(at.dice.uniform(0.2, 1.6), b"a")
    at.app.send(b"ve a nice day")


def slowly(pace: float) -> Try:
    def typed(at: Terminal) -> None:
        at.wait_for("ready")
        at.type("have a nice day", pace)

    return typed


def begun_in_the_composer(at: Terminal) -> None:
    at.wait_for("mounted")
    at.type("and have a nice day", at.dice.uniform(0.1, 0.7))


def bracketed_paste(at: Terminal) -> None:
    at.wait_for("ready")
    at.send_in_pieces(b"\x1b[200~" + PASTED.encode() + b"\x1b[201~")


def unbracketed_paste(at: Terminal) -> None:
    at.wait_for("ready")
    at.send_in_pieces(PASTED.replace("\n", "\r").encode())


def held_down(at: Terminal) -> None:
    at.wait_for("mounted")
    at.type("a", 0.4)
    at.type("a" * 40, 0.03)


def double_enter(at: Terminal) -> None:
    at.wait_for("ready")
    at.type("\r\r", at.dice.uniform(0, 0.2))


def lone_key(at: Terminal) -> None:
    at.wait_for("ready")
    at.app.idle(0.2)
    at.app.send(b"a")


STRAY: dict[str, Try] = {
    "a sentence in one burst": burst,
    "a within the grace": in_the_grace,
    "a, the program stopped in the grace": stopped_in_the_grace,
    "a sentence, the program stopped in it": stopped_while_typing,
    "a sentence, 0.05 s a key": slowly(0.05),
    "a sentence, 0.2 s a key": slowly(0.2),
    "a sentence, 0.7 s a key": slowly(0.7),
    "a sentence, 1.5 s a key": slowly(1.5),
    "a sentence begun in the composer": begun_in_the_composer,
    "a bracketed paste in pieces": bracketed_paste,
    "an unbracketed paste in pieces": unbracketed_paste,
    "a held down from within the grace": held_down,
    "Enter twice": double_enter,
}


def fork(command: Sequence[str], environment: Mapping[str, str], terminal: int) -> Process:
    """Start the app in a fork of what has imported it: as in the terminal, but at once."""
    name = os.ttyname(terminal)
    return Forked(app_with_card.run, command[-1:], environment, (name, name, name))


def decisions(what: Try, dice: random.Random, start: Start = start_program) -> list[str]:
    """What was decided on the card while something was sent, and for a second after it."""
    with waiting_card(dice, start) as at:
        what(at)
        at.app.idle(1.2)
        return at.decided()


@contextmanager
def waiting_card(dice: random.Random, start: Start = start_program) -> Iterator[Terminal]:
    """The app in a terminal of its own, on its way to a card."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "s.sqlite"
        command = (sys.executable, "-m", "tests.console.waiting_card", str(file))
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder}
        with PseudoTerminal(command, environment, start) as app:
            yield Terminal(app, file, dice)


def _row(name: str, found: Sequence[list[str]]) -> list[str]:
    counted = Counter(each for decided in found for each in decided)
    told = ", ".join(f"{count} {choice}" for choice, count in sorted(counted.items()))
    approved = sum("approve" in decided for decided in found)
    return [name, f"{approved} of {len(found)}", told or "nothing"]


def main() -> None:
    """Try everything, and print what was decided."""
    parser = argparse.ArgumentParser(prog="python -m tests.console.stray_keys")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    dice = random.Random(wanted.seed)
    rows = [["sent while a card waits", "approved", "decided"]]
    for name, what in {**STRAY, "a alone, after the grace": lone_key}.items():
        rows.append(_row(name, [decisions(what, dice) for _ in range(wanted.tries)]))
        print(" · ".join(rows[-1]), file=sys.stderr, flush=True)
    print(table(rows))


if __name__ == "__main__":
    main()
