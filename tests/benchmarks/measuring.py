"""What the measurements share: quiet blocks, medians with their spread, and plain tables."""

from __future__ import annotations

import gc
import platform
import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import ceil


@contextmanager
def quiet() -> Iterator[None]:
    """A block without garbage collection: what is alive before it is collected and set aside."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some measurements, and the smallest and largest of them."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one measurement."""
        return cls(statistics.median(values), min(values), max(values))

    def text(self, digits: int = 2) -> str:
        """``1.23 (1.20..1.31)``."""
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}..{self.high:.{digits}f})"


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` (0 to 1) of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text in columns; the first row is the heading, the first column is flush left."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            text.rjust(width) if column else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def verdict(claim: str, holds: bool, detail: str = "") -> str:
    """One line that says whether a claim holds, and by how much."""
    return f"{'yes' if holds else 'NO '}  {claim}" + (f": {detail}" if detail else "")


def machine(*packages: str) -> str:
    """The interpreter and the versions of packages that took part."""
    versions = [f"{name} {_version(name)}" for name in packages]
    return ", ".join([f"Python {platform.python_version()}", *versions])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
