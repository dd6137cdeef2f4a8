"""``python -m tests.agent.kill_range``: headless sessions, each shot once, and resumed.

Every session empties a jar coin by coin, each coin with a card and a yes, in a process of its own
that writes to one file with several others and is killed with SIGKILL at a random moment. Another
process takes the session up and holds it to its end. Then every log is read, and what may never
happen is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from agent.session.conversation import Conversation
from sessions.events import (
    CardShown,
    ConsentUsed,
    DecisionMade,
    Logged,
    Safeguards,
    SessionResumed,
    WriteApplied,
)
from sessions.scoring import records_of
from sessions.store.store import Store
from tests.agent.kill_child import COINS, Emptier
from tests.agent.scripted import ScriptedOperator
from tests.toy import toy_domain

SESSIONS = 500
AT_ONCE = 4


@dataclass(slots=True)
class Shot:
    """A session that was shot at."""

    session: str
    acknowledged: int
    """The last event that the process was told to be recorded, before it died."""

    killed: bool
    """False where it had ended before the shot."""


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """A session that nobody shoots at."""

    events: int
    apart: float
    """Seconds from one event to the next."""


async def hold(path: Path, session: str | None, tell: Callable[[str], None]) -> None:
    """Hold a session to its end, or take it up; every event is told once it is acknowledged."""
    domain, model = toy_domain(COINS), Emptier()
    operator = ScriptedOperator(*["approve"] * (COINS * 9))
    with Store.open(path) as store:
        if session is None:
            safeguards = Safeguards(reflection=False)
            held = await Conversation.start(store, domain, model, operator, safeguards=safeguards)
        else:
            held = await Conversation.resume(store, session, domain, model, operator)
        tell(f"{held.log.session} {len(held.log.events)}\n")
        held.subscribe(lambda logged: tell(f"{logged.session} {logged.seq}\n"))
        await (held.go_on() if held.status.turn else held.say("empty the red jar"))


def forked(path: Path, session: str | None) -> tuple[int, int]:
    """A child that holds a session: its process and where it tells of it."""
    heard, told = os.pipe()
    child = os.fork()
    if child:
        os.close(told)
        return child, heard
    try:
        asyncio.run(hold(path, session, lambda line: _tell(told, line)))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _tell(pipe: int, line: str) -> None:
    os.write(pipe, line.encode())


def _last_told(heard: int) -> tuple[str, int]:
    with os.fdopen(heard) as lines:
        return _told(lines.read().split("\n")[-2])


def volley(path: Path, chance: random.Random, usual: Undisturbed, size: int) -> list[Shot]:
    """So many sessions at once, each shot at a random moment between two of its events."""
    victims = [
        (child, heard, chance.randrange(1, usual.events), chance.uniform(0, usual.apart))
        for child, heard in (forked(path, None) for _ in range(size))
    ]
    with ThreadPoolExecutor(size) as hunters:
        return list(hunters.map(lambda victim: _shot(*victim), victims))


def _shot(child: int, heard: int, aim: int, wait: float) -> Shot:
    """Let a session tell of so many events, wait that many seconds, and kill its process."""
    with os.fdopen(heard) as lines:
        session, told = _told(lines.readline())
        for _ in range(aim):
            told = max(told, _told(lines.readline() or f"{session} 0")[1])
        time.sleep(wait)
        os.kill(child, signal.SIGKILL)
        told = max([told, *(_told(line)[1] for line in lines)])
    _, status = os.waitpid(child, 0)
    return Shot(session, told, os.WIFSIGNALED(status))


def _told(line: str) -> tuple[str, int]:
    session, seq = line.split()
    return session, int(seq)


def finish(path: Path, sessions: Sequence[str]) -> None:
    """Take sessions up, all at once, and hold them to their end."""
    children = [forked(path, session) for session in sessions]
    for child, heard in children:
        _last_told(heard)
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError("a session could not be taken up")


def wrongs(log: Sequence[Logged], shot: Shot) -> Counter[str]:
    """What may never happen, counted in one log."""
    events = [logged.event for logged in log]
    written = Counter(event.card_id for event in events if isinstance(event, WriteApplied))
    used = Counter(event.card_id for event in events if isinstance(event, ConsentUsed))
    cards = {event.card.id for event in events if isinstance(event, CardShown)}
    yes = {e.card_id for e in events if isinstance(e, DecisionMade) and e.decision == "approve"}
    records = records_of(toy_domain(COINS), list(log))
    return Counter(
        {
            "acknowledged events lost": max(0, shot.acknowledged - len(log)),
            "writes run twice": sum(count - 1 for count in written.values()),
            "consents used twice": sum(count - 1 for count in used.values()),
            "consents without a card and a yes": len(used.keys() - (cards & yes)),
            "writes without a consent": len(written.keys() - used.keys()),
            "sessions with other records than its writes": records.get("jars", "red")
            != {"coins": 0},
        }
    )


def shoot(path: Path, sessions: int, at_once: int, seed: int) -> tuple[list[Shot], Counter[str]]:
    """All shots, and all that went wrong."""
    chance = random.Random(seed)
    shots: list[Shot] = []
    usual = _undisturbed(path.with_name("undisturbed.sqlite"), at_once)
    while len(shots) < sessions:
        size = min(at_once, sessions - len(shots))
        fired = volley(path, chance, usual, size)
        finish(path, [shot.session for shot in fired])
        shots += fired
    with Store.open(path, read_only=True) as store:
        found: Counter[str] = Counter({"logs that were changed": len(store.verify())})
        found["findings in the file"] = len(store.check())
        for shot in shots:
            log = store.read(shot.session)
            found.update(wrongs(log, shot))
            found["resumed"] += any(isinstance(each.event, SessionResumed) for each in log)
    return shots, found


def _undisturbed(path: Path, at_once: int) -> Undisturbed:
    """How sessions go when nobody shoots; the first of them, which make the file, do not count."""
    for _ in range(2):
        children = [forked(path, None) for _ in range(at_once)]
        began = time.monotonic()
        counts = [_last_told(heard)[1] for _, heard in children]
        seconds = time.monotonic() - began
        for child, _ in children:
            os.waitpid(child, 0)
    return Undisturbed(min(counts), seconds / min(counts))


def main() -> None:
    """Shoot and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--sessions", type=int, default=SESSIONS)
    options.add_argument("--at-once", type=int, default=AT_ONCE)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sessions.sqlite"
        shots, found = shoot(path, given.sessions, given.at_once, given.seed)
    killed, resumed = sum(shot.killed for shot in shots), found.pop("resumed")
    acknowledged = sum(shot.acknowledged for shot in shots)
    print(f"{len(shots)} sessions, {killed} killed before their end, {resumed} resumed")
    print(f"{acknowledged} events acknowledged before the kill, {found.total()} things wrong:")
    for name, count in found.items():
        print(f"{count:6}  {name}")
    sys.exit(found.total() > 0)


if __name__ == "__main__":
    main()
