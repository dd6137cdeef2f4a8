"""τ²-bench's data: where its files are in a folder, and the hash with which it compares records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from domains.core.changes import Record
from domains.core.domain import DomainError
from domains.core.records import Base, Records

PLACES = ("", "{}", "tau2/domains/{}", "domains/{}", "data/tau2/domains/{}")
"""Where in a folder a domain's files may be: in itself, in its data root, or in its checkout."""


def folder(data: Path, name: str) -> Path:
    """Where in ``data`` a domain's files are, among the places where τ²-bench keeps them.

    Raises DomainError if none of them has a ``db.json``.
    """
    found = place_of("db.json", data, name)
    if found is None:
        raise DomainError(
            f"There is no db.json of {name} in {data}, nor in its {name} or tau2/domains/{name}; "
            "give --data a folder that holds τ²-bench's db.json and policy.md."
        )
    return found


def place_of(file: str, data: Path, name: str) -> Path | None:
    """The first of a domain's places in ``data`` that has the file, or None.

    Anything of that name counts: the code that reads it reports if it is not a file. Raises
    DomainError if a folder cannot be read.
    """
    places = (data / place.format(name) for place in PLACES)
    return next((place for place in places if _look(place / file, Path.exists)), None)


def is_file(path: Path) -> bool:
    """Whether there is a file at the path; raises DomainError if that cannot be determined."""
    return _look(path, Path.is_file)


def _look(path: Path, look: Callable[[Path], bool]) -> bool:
    try:
        return look(path)
    except OSError as error:
        raise DomainError(
            f"The folder {path.parent} cannot be read ({error.strerror}); choose another."
        ) from error


def installed_folder() -> Path:
    """The data folder of the τ²-bench installed beside this program, which is not imported.

    The data is in its package, or in the checkout that it was installed from. Raises DomainError if
    there is none.
    """
    spec = find_spec("tau2")
    package = Path(spec.origin).parent if spec is not None and spec.origin else None
    if package is None:
        raise DomainError(
            "τ²-bench is not installed beside saber-console. Install its extra tau2, or give "
            "--data a folder that holds τ²-bench's records."
        )
    for data in (package / "data", package.parents[1] / "data"):
        if (data / "tau2" / "domains").is_dir():
            return data
    raise DomainError(
        f"The τ²-bench in {package} came without its data; give --data the folder that holds it."
    )


def tau2_hash(records: Base | Records) -> str:
    """The hash by which τ²-bench compares states of a domain, as 64 hexadecimal digits."""
    if isinstance(records, Base):
        state: Mapping[str, Mapping[str, Record]] = records.collections
    else:
        state = {name: dict(records.items(name)) for name in records.base.collections}
    text = json.dumps(state, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
