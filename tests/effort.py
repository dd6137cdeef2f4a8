"""How hard tests try.

What costs much and hardly ever finds what the rest has not found is marked ``heavy``. ``pytest``
leaves it out, ``pytest -m ""`` runs it. Laws try a third of their examples: what breaks one is
mostly among the first. ``SABER_TESTS=ci``, as ``.ci/run`` has it, tries laws on all examples that
the suite has; ``SABER_TESTS=whole`` has the costliest try five times as many, and every law try
examples that no run before has tried.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
EFFORT = os.environ.get("SABER_TESTS", "")
WHOLE = EFFORT == "whole"


def tries(number: int) -> int:
    """How many examples a law tries: so many in CI's run, a third of them in a quick one."""
    return number if EFFORT in ("ci", "whole") else max(1, number // 3)


EXAMPLES = tries(100)
"""That a law tries which does not say how many."""


in_whole_runs = pytest.mark.skipif(not WHOLE, reason="in whole runs: SABER_TESTS=whole")
"""For what takes long and is held by a smaller test of the same, too."""


def examples(whole: int) -> int:
    """How many examples a costly law tries: so many in a whole run, a fifth of them in CI's."""
    return whole if WHOLE else whole // (5 if EFFORT == "ci" else 10)


def every(number: int, values: Sequence[T]) -> Sequence[T]:
    """One in so many of the values that a costly test goes through; all of them in a whole run."""
    return values if WHOLE else values[::number]


def first(few: int, values: Iterable[Any]) -> list[Any]:
    """What a test is parametrized by: the first few of these, and the rest marked heavy."""
    return [
        value if place < few else pytest.param(value, marks=pytest.mark.heavy)
        for place, value in enumerate(values)
    ]


def one_in(number: int, values: Iterable[Any]) -> list[Any]:
    """The same, but one in so many of these stays, from the first on."""
    return [value if place % number == 0 else _heavy(value) for place, value in enumerate(values)]


def _heavy(value: Any) -> Any:
    """One value, or those of several names."""
    return pytest.param(*(value if type(value) is tuple else (value,)), marks=pytest.mark.heavy)
