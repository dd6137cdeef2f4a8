"""How soon `saber` shows something useful, against a Textual app of four widgets.

    python -m tests.benchmarks.startup [--runs 9]        (needs tmux)

Both are started in a real terminal: a tmux server of our own, 120x36, with an empty home folder
made anew for every run and an environment without keys or proxies. The clock runs from the moment
the command is handed to the shell until `capture-pane`, asked every 5 ms, shows every word that
makes the first screen useful. The two take turns, so that whatever else the machine does meets
both. One run of each beforehand is thrown away: it fills the disk cache and the bytecode.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import four_widgets
from tests.benchmarks.measuring import Spread, machine, table, verdict

COLUMNS, LINES = 120, 36
EVERY = 0.005
"""Seconds between looks at the terminal."""

PATIENCE = 30.0
MOST = 1.5
"""How many times the four-widget app's time our first frame may take."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is started, and the words that must be on the screen."""

    name: str
    command: tuple[str, ...]
    words: tuple[str, ...]


FLOOR = Program(
    "four widgets", (sys.executable, four_widgets.__file__), (four_widgets.WORDS, "Quit")
)
OURS = Program(
    "saber",
    (str(Path(sys.executable).with_name("saber")),),
    ("saber-console", "You are the customer", "Free play", "Start", "f1 Help"),
)


@dataclass(frozen=True, slots=True)
class Frame:
    """What the first useful frame took."""

    seconds: float
    cpu: float
    """CPU seconds of the program until just after it."""


class Terminal:
    """A tmux server of our own with one window after the other in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self._homes = 0
        # A first session that only waits: the server is up before any clock runs.
        self._run("new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), "-s", "idle", "cat")

    def first_frame(self, program: Program) -> Frame:
        """Launch, and wait for the last of the words; TimeoutError where they do not come."""
        home = self._home()
        command = "exec " + shlex.join(["env", "-i", *_environment(home), *program.command])
        size = ("-x", str(COLUMNS), "-y", str(LINES))
        started = time.perf_counter()
        self._run("new-session", "-d", *size, "-c", str(home), "-s", home.name, command)
        try:
            while time.perf_counter() - started < PATIENCE:
                screen = self._run("capture-pane", "-p", "-t", home.name)
                elapsed = time.perf_counter() - started
                if all(word in screen for word in program.words):
                    return Frame(elapsed, self._cpu(home.name))
                time.sleep(EVERY)
        finally:
            with suppress(subprocess.CalledProcessError):
                self._run("kill-session", "-t", home.name)
        raise TimeoutError(f"{program.name} did not show {program.words}; it showed:\n{screen}")

    def close(self) -> None:
        """End the server and all that runs in it."""
        self._run("kill-server")

    def _cpu(self, session: str) -> float:
        """Seconds of CPU that the program has used so far."""
        pid = self._run("display-message", "-p", "-t", session, "#{pane_pid}").strip()
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _home(self) -> Path:
        self._homes += 1
        home = self._folder / f"home{self._homes}"
        home.mkdir()
        return home

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._tmux, *arguments], check=True, capture_output=True, text=True, timeout=10
        )
        return done.stdout


def _environment(home: Path) -> list[str]:
    """All that the programs find in their environment."""
    folders = {"DATA": "data", "CONFIG": "config", "CACHE": "cache", "STATE": "state"}
    found = {
        "PATH": os.environ["PATH"],
        "TERM": "tmux-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        **{f"XDG_{name}_HOME": str(home / folder) for name, folder in folders.items()},
    }
    return [f"{name}={value}" for name, value in found.items()]


def measured(programs: Sequence[Program], runs: int) -> dict[str, list[Frame]]:
    """The frames of each program, taken in turns."""
    found: dict[str, list[Frame]] = {program.name: [] for program in programs}
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(Path(folder))
        try:
            for program in programs:
                terminal.first_frame(program)
            for _ in range(runs):
                for program in programs:
                    found[program.name].append(terminal.first_frame(program))
        finally:
            terminal.close()
    return found


def main() -> None:
    """Measure, and print the table and the verdict."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.startup")
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    if shutil.which("tmux") is None:
        sys.exit("This measurement needs tmux; install it with the system's package manager.")
    frames = measured((FLOOR, OURS), runs)
    spreads = {name: Spread.of([each.seconds for each in found]) for name, found in frames.items()}
    floor = spreads[FLOOR.name].median
    rows = [["program", "first useful frame, s", "times the floor", "CPU s until then"]]
    for name, spread in spreads.items():
        cpu = Spread.of([each.cpu for each in frames[name]])
        rows.append([name, spread.text(3), f"{spread.median / floor:.2f}x", cpu.text()])
    ratio = spreads[OURS.name].median / floor
    print(machine("textual", "saber-console"))
    print(f"{COLUMNS}x{LINES} in tmux, median (lowest..highest) of {runs}:")
    print(table(rows))
    claim = f"at most {MOST} times the four-widget app"
    print("\n" + verdict(claim, ratio <= MOST, f"{ratio:.2f}x"))


if __name__ == "__main__":
    main()
