"""Which program wrote a file of runs, found by what is in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sessions.importing.runs import LeftOut, Run
from sessions.store.errors import ImportRefused


def runs_of(path: Path, domain: str, model: str | None = None) -> Iterator[Run | LeftOut]:
    """The runs of a file of either kind, in its order; ImportRefused where it is of neither.

    ``model`` is who the agent was, where the file does not say.
    """
    from sessions.importing import reading, tau1, tau2

    content = reading.document(path)
    if tau1.detect(content):
        return tau1.runs(content, model)
    if tau2.detect(content):
        return tau2.runs(content, path, domain, model)
    raise ImportRefused(
        f"{path} holds neither τ-bench trajectories, nor τ²-bench results, nor sessions of this "
        "program."
    )
