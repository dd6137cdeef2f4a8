"""The trees of sessions that are forks of one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


class Member(Protocol):
    """The facts about a session that a tree needs; a row of the session list provides them."""

    @property
    def id(self) -> str:
        """The session's id."""
        ...

    @property
    def parent(self) -> str | None:
        """The session that it is a fork of, if any."""
        ...

    @property
    def fork_seq(self) -> int | None:
        """The seq of the last event that it shares with its parent."""
        ...


@dataclass(frozen=True, slots=True)
class Branch:
    """One session in a tree."""

    depth: int
    """The number of forks between this session and the root of its tree."""

    id: str


Tree = tuple[Branch, ...]
"""A session, followed by each of its forks and their forks, in the order of forking."""


def trees(members: Iterable[Member]) -> list[Tree]:
    """All trees; a session whose parent is not among the members is a root."""
    known = {each.id: each for each in members}
    forks: dict[str, list[Member]] = {}
    for each in known.values():
        if each.parent in known:
            forks.setdefault(str(each.parent), []).append(each)
    seen: set[str] = set()
    # Leftovers come last: a file that was tampered with can name parents in a circle.
    first = sorted(known, key=lambda session: (known[session].parent in known, session))
    grown = (tuple(_branches(each, forks, seen)) for each in first)
    return [tree for tree in grown if tree]


def _branches(session: str, forks: dict[str, list[Member]], seen: set[str]) -> Iterator[Branch]:
    waiting = [Branch(0, session)]
    while waiting:
        branch = waiting.pop()
        if branch.id in seen:
            continue
        seen.add(branch.id)
        yield branch
        own = sorted(forks.get(branch.id, ()), key=_place, reverse=True)
        waiting += [Branch(branch.depth + 1, each.id) for each in own]


def tree_containing(grown: Sequence[Tree], session: str) -> Tree:
    """The tree that contains a session; empty if none does."""
    return next((tree for tree in grown if any(each.id == session for each in tree)), ())


def parents_first(sessions: Iterable[str], members: Iterable[Member]) -> list[str]:
    """These sessions, each once and after its ancestors, otherwise in the given order."""
    wanted = dict.fromkeys(sessions)
    parents = {each.id: each.parent for each in members}
    ordered: dict[str, None] = {}
    for session in wanted:
        line = [session]
        while (parent := parents.get(line[-1])) is not None and parent not in line:
            line.append(parent)
        ordered.update((each, None) for each in reversed(line) if each in wanted)
    return list(ordered)


def _place(member: Member) -> tuple[int, str]:
    return member.fork_seq or 0, member.id
