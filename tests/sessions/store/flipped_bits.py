"""``python -m tests.sessions.store.flipped_bits``: what a session file with one wrong bit comes to.

    python -m tests.sessions.store.flipped_bits [--bits 1000] [--seed 0]

A file of four sessions and two memories is copied, one bit of the copy flipped, and everything that
one is told of a file asked for. It is refused in a sentence, or answers as before; or it answers
otherwise, and then ``saber doctor``'s checks must tell of the damage. What none of them tells of is
a defect, and the command ends with 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Literal

from sessions.events import AgentSaid, CustomerSaid, Logged
from sessions.store import memory
from sessions.store.errors import StoreError
from sessions.store.finding import SessionFilter, find
from sessions.store.store import Store
from tests.sessions.toy import decided, shown, started

WORDS = CustomerSaid(text="hello", turn=1)

Outcome = Literal["refused in a sentence", "answers as before", "told by the check", "untold"]


def spoken(store: Store, count: int) -> list[Logged]:
    """A session of so many events, each acknowledged on its own."""
    log = store.start(started())
    for number in range(count - 1):
        event = AgentSaid(text=f"word{number} " + "and more " * (number % 40))
        log += store.append(log[0].session, [event if number % 5 else shown(f"k{number}")])
    return log


def make_sound(path: Path) -> Path:
    """A session file with nothing wrong in it."""
    with Store.open(path) as store:
        for _ in range(3):
            spoken(store, 20)
        store.append(store.start(started())[0].session, [WORDS, shown("a"), decided("a", "reject")])
        for name, stream in (("mine", None), ("a stream's", "night s")):
            made = [(None, {"number": number, "words": "and more " * 20}) for number in range(9)]
            memory.make_bank(store, name, "toy", "p", "/data", made, stream=stream)
    return path


def told(path: Path) -> object:
    """Everything that one is told of a file: lists, logs, and what is found in it."""
    with Store.open(path, read_only=True) as store:
        rows = store.sessions()
        found = [
            [(each.row.id, each.excerpt) for each in find(store, SessionFilter(words=words)).found]
            for words in ("word1", "more", "cancel", "hello", '"and more and"')
        ]
        banks = [(row, memory.changes(store, row)) for row in memory.banks(store)]
        logs = [store.read(row.id) for row in rows]
        return rows, logs, banks, found, find(store, SessionFilter()).found


def flip(sound: Path, path: Path, chance: random.Random) -> None:
    """A copy of the file with one bit of it the other way round."""
    content = bytearray(sound.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    path.chmod(0o600)


def outcome(path: Path, right: object) -> Outcome:
    """What becomes of whoever reads such a file; any error but a StoreError is raised."""
    try:
        answer = told(path)
    except StoreError:
        return "refused in a sentence"
    if answer == right:
        return "answers as before"
    with Store.open(path, read_only=True) as store:
        return "told by the check" if store.check() + store.verify() else "untold"


def main() -> None:
    """Flip bits, one at a time, and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.sessions.store.flipped_bits")
    parser.add_argument("--bits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance, counted = random.Random(given.seed), Counter[Outcome]()
    with tempfile.TemporaryDirectory() as folder:
        sound = make_sound(Path(folder) / "sound.sqlite")
        right = told(sound)
        for number in range(given.bits):
            path = Path(folder) / f"{number}.sqlite"
            flip(sound, path, chance)
            counted[outcome(path, right)] += 1
            path.unlink()
    print(f"{given.bits:,} files with one bit flipped, seed {given.seed}:")
    for what, number in counted.most_common():
        print(f"{number:6,}  {what}")
    sys.exit(1 if counted["untold"] else 0)


if __name__ == "__main__":
    main()
