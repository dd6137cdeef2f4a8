from __future__ import annotations

import pytest

from sessions.store.chain import COLUMNS, Values, seal

VALUES: Values = ("01J", 7, "customer_said", "key", 1, "2026-01-01T00:00:00", "{}", "ab")


@pytest.mark.parametrize("place", range(len(VALUES)), ids=COLUMNS[: len(VALUES)])
def test_a_hash_covers_every_column_and_the_hash_before(place: int) -> None:
    """Without the hash before, whoever rewrites one row could have the next one follow it."""
    other = VALUES[place] + VALUES[place]  # type: ignore[operator]
    changed = (*VALUES[:place], other, *VALUES[place + 1 :])
    assert seal(changed) != seal(VALUES)  # type: ignore[arg-type]
