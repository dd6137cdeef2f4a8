"""``python -m tests.benchmarks.comparison``: what cards say against wrong and right writes.

The writes are those of conversations by people who had not seen the code, and of GPT-4o's recorded
airline conversations where they are here. Each card is made afterwards, by the code that makes live
cards; whether its write is right is told by what it does to the records.

``--show missed`` lists the wrong writes against which no card spoke, ``--show false`` the right
ones against which one did, each with what was said last.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

from sessions.events import AgentSaid, CustomerSaid
from sessions.statistics.evidence import (
    Caught,
    card_report,
    speaks_against,
)
from sessions.statistics.intervals import Share
from tests.benchmarks.measuring import table
from tests.recorded_writes import (
    DEV,
    RecordedWrite,
    of_runs,
    of_strangers,
    stranger_files,
    tau2_domain,
)
from tests.shared_data import TAU2

SAID_LAST = 4
"""Messages of both sides that are shown with a write."""

_HEADING = ("", "on wrong", "share", "95 % interval", "on right", "share", "95 % interval")


def gathered() -> Iterator[tuple[str, list[RecordedWrite]]]:
    """The writes of every file that is here, by its name."""
    for path in stranger_files():
        yield path.stem, of_strangers(path)
    if DEV.is_file():
        played = of_runs(DEV, tau2_domain("airline"))
        yield DEV.stem, [write for each in played for write in each.writes]


def report(name: str, found: Sequence[RecordedWrite]) -> str:
    """What fired how often, one file."""
    told = card_report(name, (), [each.judged for each in found])
    kinds = {"check": "✗ ", "disagreement": "≠ "}
    lines = [each for each in told.lines if each.kind in kinds and _ever(each.caught)]
    rows = [
        _HEADING,
        _row("any ✗ or line", told.any_speaks_against),
        _row("any ✗", told.any_check),
        _row("any line", told.any_disagreement),
        *(_row(kinds[each.kind] + each.name[:52], each.caught) for each in lines),
    ]
    left_out = (
        f"in no share: {told.against_the_policy} expected against the policy, "
        f"{told.not_decidable} not decidable"
    )
    return f"{name}: {told.wrong} wrong, {told.right} right; {left_out}\n\n{table(rows)}\n"


def _ever(caught: Caught) -> bool:
    return caught.wrong.count + caught.right.count > 0


def _row(name: str, caught: Caught) -> tuple[str, ...]:
    return (name, *_cells(caught.wrong), *_cells(caught.right))


def _cells(found: Share) -> tuple[str, str, str]:
    if found.value is None or found.interval is None:
        return "0/0", "–", "–"
    interval = f"{100 * found.interval.low:.1f} to {100 * found.interval.high:.1f}"
    return f"{found.count}/{found.n}", f"{100 * found.value:.1f} %", interval


def missed(found: Iterable[RecordedWrite]) -> list[RecordedWrite]:
    """The wrong writes against which their card says nothing."""
    return [each for each in found if _is(each, "wrong") and not speaks_against(each.judged)]


def false(found: Iterable[RecordedWrite]) -> list[RecordedWrite]:
    """The right writes against which their card speaks."""
    return [each for each in found if _is(each, "right") and speaks_against(each.judged)]


def _is(write: RecordedWrite, verdict: str) -> bool:
    return write.judged.verdict.verdict == verdict


def words(write: RecordedWrite) -> str:
    """A write in words: what was said last, and what its card says."""
    card = write.card
    said = [
        f"  {'customer' if isinstance(event, CustomerSaid) else 'agent'}: {event.text}"
        for event in (each.event for each in write.log)
        if isinstance(event, CustomerSaid | AgentSaid)
    ]
    against = [f"  ✗ {each.name}: {each.value}" for each in card.failing]
    against += [
        f"  ≠ {each.kind}: {each.does}" + (f" | {each.by}: “{each.said}”" if each.said else "")
        for each in card.disagreements
    ]
    heading = f"{write.conversation} {card.tool}" + (f" ({write.note})" if write.note else "")
    return "\n".join([heading, *said[-SAID_LAST:], f"  → {card.sentence}", *against, ""])


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--show", choices=["missed", "false"], help="list these writes in words")
    given = options.parse_args()
    if not TAU2.is_dir():
        raise SystemExit("τ²-bench's records are not here; say where with TAU2_DATA_DIR.")
    for name, found in gathered():
        print(report(name, found))
        if given.show:
            for each in missed(found) if given.show == "missed" else false(found):
                print(words(each))


if __name__ == "__main__":
    main()
