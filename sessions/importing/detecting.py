"""Detect from a file's content which program wrote its runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sessions.importing.runs import LeftOut, Run
from sessions.store.errors import ImportRefused


def read_runs(path: Path, domain: str, model: str | None = None) -> Iterator[Run | LeftOut]:
    """Return the runs of a τ-bench or τ²-bench file, in file order.

    ``model`` names the agent's model and takes precedence over the one in the file. Raises
    ImportRefused for a file of any other program.
    """
    from sessions.importing import reading, tau1, tau2

    content = reading.read_json(path)
    if tau1.detect(content):
        return tau1.runs(content, model)
    if tau2.detect(content):
        return tau2.runs(content, path, domain, model)
    raise ImportRefused(
        f"{path} holds neither τ-bench trajectories, nor τ²-bench results, nor sessions of this "
        "program."
    )
