"""The regression beside this process: the same figures, whatever becomes of that process."""

from __future__ import annotations

import multiprocessing
import os
import random
import select
import signal
import subprocess
import sys

import pytest

from sessions.statistics.regression import NoRegression, Observation, regress
from sessions.statistics.regression_ahead import regression_ahead

pytestmark = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="nothing is forked here"
)


def observations() -> list[Observation]:
    chance = random.Random(7)
    return [
        Observation(chance.random() < 0.8 / (1 + mutating), mutating, chance.randrange(4), f"t{n}")
        for n in range(60)
        for mutating in [chance.randrange(3)]
    ]


def test_it_finds_what_is_found_here_as_often_as_it_is_asked() -> None:
    rows = observations()
    with regression_ahead() as fit:
        assert fit(rows) == regress(rows)
        assert isinstance(fit(rows[:3]), NoRegression)
        assert fit(rows) == regress(rows)
    assert not multiprocessing.active_children()


def test_where_there_is_nothing_to_fit_nobody_waits_for_it() -> None:
    with regression_ahead() as fit:
        (worker,) = multiprocessing.active_children()
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        for rows in (observations()[:3], [each for each in observations() if each.success]):
            assert isinstance(fit(rows), NoRegression)


def test_a_process_that_dies_changes_no_figure() -> None:
    rows = observations()
    with regression_ahead() as fit:
        (worker,) = multiprocessing.active_children()
        worker.kill()
        worker.join()
        assert fit(rows) == regress(rows)


def test_it_ends_with_a_program_that_is_killed() -> None:
    begin = (
        "import sys, time, multiprocessing\n"
        "from sessions.statistics.regression_ahead import regression_ahead\n"
        "with regression_ahead():\n"
        "    print(multiprocessing.active_children()[0].pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", begin], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    assert program.stdout.readline().strip().isdigit()
    program.kill()
    program.wait()
    # the worker holds the other end of what is read here, too: the end comes when it has gone
    assert select.select([program.stdout], [], [], 30)[0]
    assert program.stdout.read() == ""


def test_nobody_waits_for_it_who_has_nothing_to_ask() -> None:
    with regression_ahead():
        (worker,) = multiprocessing.active_children()
        assert worker.is_alive()
    assert not worker.is_alive()
