"""What holds for every test."""

from __future__ import annotations

import gc
import os

from tests import compiled, temporary

# Each worker computes in one thread, as numpy and torch read when they are imported: with several,
# the workers on two processors spend most of their time waiting for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

compiled.keep()  # before anything that it is for
temporary.keep_in_memory()

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from tests.effort import EXAMPLES, WHOLE  # noqa: E402

settings.register_profile(
    "suite",
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not WHOLE,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("suite")
"""No deadline: how fast something is belongs to the benchmarks; a busy machine fails no law. The
same examples at every run, so that a run tells of the change alone; a whole run tries new ones."""


WIRE = frozenset({"wire_server", "WireServer"})
"""Of these names one is in every file of tests that has litellm call a server."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests run in one worker, so that what they share is made once.

    All that speak with a server over the wire run in one: to import litellm takes four seconds.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            over_the_wire = not WIRE.isdisjoint(vars(item.module))  # type: ignore[attr-defined]
            group = "litellm" if over_the_wire else item.location[0]
            item.add_marker(pytest.mark.xdist_group(group))


def pytest_collection_finish() -> None:
    """What was imported stays: no collection of garbage looks through it again.

    Nor does one come after every 700 objects, which took a quarter of the time of an app's tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 100)
