"""Run the regression in a separate process that is ready by the time the logs are read.

Importing its libraries takes a second, a third of what ``saber stats`` takes for 900 sessions; on a
second core it costs no extra time. Use this only in commands: `multiprocessing` cannot start
anything inside a running Textual app.
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
"""`regress`, in this process or another."""


@contextmanager
def regression_ahead() -> Iterator[Regress]:
    """Provide `regress` in a forked process if forking is possible, so that it costs no extra time.

    The process ends with the block, whatever it is doing.
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
    """The result of the other process, or of this one if the other has died.

    If there is nothing to fit, returns without waiting for the other process's libraries.
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
    """Answer requests until the other side closes.

    After an error the process ends, and the other side does the work itself. ``others`` is the
    other side's end of the pipe, of which a fork has a copy. It must be closed here: otherwise the
    pipe would stay open after the parent was killed.
    """
    others.close()
    with suppress(Exception, KeyboardInterrupt):
        import firthmodels  # noqa: F401  # loaded ahead of the first request

        while True:
            asked.send(regress(asked.recv()))
