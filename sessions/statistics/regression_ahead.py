"""The regression in a process of its own, which is ready by the time that the logs are read.

Importing its libraries takes a second, a third of what ``saber stats`` does with 900 sessions; on
a second core it costs nobody's time. For commands alone: inside a running Textual app
`multiprocessing` can start nothing.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

from sessions.statistics.regression import (
    NoRegression,
    Observation,
    Regression,
    find_predictors,
    regress,
)

Regress = Callable[[Sequence[Observation]], Regression | NoRegression]
"""`regress`, wherever it is worked out."""


@contextmanager
def regression_ahead() -> Iterator[Regress]:
    """`regress`, worked out beside this process where that can be forked, which takes no time.

    The process ends with the block, whatever it is in the middle of.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        yield regress
        return
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, here), daemon=True)
    process.start()
    there.close()
    try:
        yield lambda rows: _ask(here, rows)
    finally:
        process.kill()
        process.join()
        here.close()


def _ask(worker: Connection, rows: Sequence[Observation]) -> Regression | NoRegression:
    """What the other process found; worked out here where that one has died.

    Where there is nothing to fit, nobody waits for its libraries.
    """
    found = find_predictors(rows)
    if isinstance(found, NoRegression):
        return found
    with suppress(OSError, EOFError):
        worker.send(list(rows))
        fitted: Regression | NoRegression = worker.recv()
        return fitted
    return regress(rows)


def _serve(asked: Connection, others: Connection) -> None:
    """Answer until the other side closes; what goes wrong here is done there again, and told.

    ``others`` is the other side's end, which a fork has as well: while anybody holds it, a parent
    that was killed never closes it.
    """
    others.close()
    with suppress(Exception, KeyboardInterrupt):
        import firthmodels  # noqa: F401  # before anybody asks: that is what this process is for

        while True:
            asked.send(regress(asked.recv()))
