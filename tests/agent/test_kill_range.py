from __future__ import annotations

import re
import subprocess
import sys

import pytest


@pytest.mark.heavy
def test_sessions_that_write_to_one_file_are_killed_and_resumed_with_nothing_lost() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tests.agent.kill_range", "--sessions", "24"],
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    counts = re.match(r"24 sessions, (\d+) killed before their end, (\d+) resumed", told.stdout)
    assert counts is not None
    assert int(counts[1]) >= 18
    assert int(counts[2]) == 24
    assert "0 things wrong" in told.stdout
