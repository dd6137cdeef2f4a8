"""Trees of forks as lines, for ``saber sessions tree`` and its screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.catalogue import session_line
from domains.text.quantity import quantity
from sessions.store.listing import SessionRow
from sessions.store.store import Store
from sessions.views.family import Tree, tree_containing, trees


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """One session of a tree of forks."""

    id: str
    text: str
    """The branches, the event at which it left its parent, and its entry in a list."""

    row: SessionRow


def family(db: Path, session: str | None = None) -> list[FamilyLine]:
    """Every tree of forks, or only the one that contains `session`; raises StoreError."""
    with Store.open(db, read_only=True) as store:
        rows = store.family()
        grown = trees(rows)
        if session is not None:
            rows = [*rows, store.session(session)]  # a session without forks is a tree of its own
            grown = [tree_containing(grown, session) or trees([rows[-1]])[0]]
    known = {row.id: row for row in rows}
    return [line for tree in grown for line in _lines(tree, known)]


def _lines(tree: Tree, rows: Mapping[str, SessionRow]) -> Iterator[FamilyLine]:
    for place, branch in enumerate(tree):
        row = rows[branch.id]
        mark = "■" if row.status == "ended" else "●"
        if branch.depth == 0:
            gone = f"fork of {row.parent}, which is gone · " if row.parent else ""
            yield FamilyLine(row.id, f"{mark} {gone}{session_line(row).line}", row)
            continue
        stem = "".join(
            "│  " if _goes_on(tree, place, depth) else "   " for depth in range(1, branch.depth)
        )
        corner = "├─" if _goes_on(tree, place, branch.depth) else "└─"
        yield FamilyLine(row.id, f"{stem}{corner} {mark} {_fork_line(row)}", row)


def _fork_line(row: SessionRow) -> str:
    """What distinguishes a fork from its parent; their first words are often the same."""
    turns, writes = quantity(row.turns, "turn"), quantity(row.writes, "write")
    reward = "" if row.reward is None else f"reward {row.reward:g}"
    when = row.updated_at[:16].replace("T", " ")
    parts = (f"from event {row.fork_seq}", when, row.model, turns, writes, reward)
    return " · ".join(part for part in parts if part)


def _goes_on(tree: Tree, place: int, depth: int) -> bool:
    """Whether another branch of that depth follows under the same stem."""
    for branch in tree[place + 1 :]:
        if branch.depth <= depth:
            return branch.depth == depth
    return False


def as_objects(lines: Iterable[FamilyLine]) -> list[dict[str, object]]:
    """The lines as JSON objects: each session with its parent and the event that it left at."""
    return [
        {
            "session": line.id, "parent": line.row.parent, "fork_seq": line.row.fork_seq,
            "status": line.row.status, "model": line.row.model, "title": line.row.title,
            "reward": line.row.reward, "events": line.row.head_seq,
        }
        for line in lines
    ]  # fmt: skip
