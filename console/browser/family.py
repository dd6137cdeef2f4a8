"""Forks as lines of a tree, for ``saber sessions tree`` and its screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from console.catalogue import session_line
from domains.text.quantity import quantity
from sessions.store.listing import SessionRow
from sessions.store.store import Store
from sessions.views.family import Tree, tree_with, trees


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """One session of a tree."""

    id: str
    text: str
    """Branches, where it left its parent, and what a list says of it."""

    row: SessionRow


def family(db: Path, session: str | None = None) -> list[FamilyLine]:
    """Every tree of forks, or the one that a session stands in; raises StoreError."""
    with Store.open(db, read_only=True) as store:
        rows = store.family()
        grown = trees(rows)
        if session is not None:
            rows = [*rows, store.session(session)]  # one without forks is a tree by itself
            grown = [tree_with(grown, session) or trees([rows[-1]])[0]]
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
    """What tells a fork from its parent: the first words are the same as often as not."""
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
    """The same as JSON: who is whose fork, from where."""
    return [
        {
            "session": line.id, "parent": line.row.parent, "fork_seq": line.row.fork_seq,
            "status": line.row.status, "model": line.row.model, "title": line.row.title,
            "reward": line.row.reward, "events": line.row.head_seq,
        }
        for line in lines
    ]  # fmt: skip
