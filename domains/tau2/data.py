"""τ²-bench's data: where its files lie in a folder, and the hash it compares records by."""

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
"""Where in a folder a domain's files may be: in itself, in its data root, in its checkout."""


def folder(data: Path, name: str) -> Path:
    """Where in the folder given a domain's files are, of the places where τ²-bench keeps them.

    Raises DomainError where there is no ``db.json`` in any.
    """
    found = place_of("db.json", data, name)
    if found is None:
        raise DomainError(
            f"There is no db.json of {name} in {data}, nor in its {name} or tau2/domains/{name}; "
            "give --data a folder that holds τ²-bench's db.json and policy.md."
        )
    return found


def place_of(file: str, data: Path, name: str) -> Path | None:
    """The first of a domain's places in a folder that has that file, or None; raises DomainError.

    Something else of that name counts as well: whoever reads it tells that it is no file.
    """
    places = (data / place.format(name) for place in PLACES)
    return next((place for place in places if _look(place / file, Path.exists)), None)


def is_file(path: Path) -> bool:
    """Whether there is a file of that name; DomainError where that cannot be found out."""
    return _look(path, Path.is_file)


def _look(path: Path, look: Callable[[Path], bool]) -> bool:
    try:
        return look(path)
    except OSError as error:
        raise DomainError(
            f"The folder {path.parent} cannot be read ({error.strerror}); choose another."
        ) from error


def installed_folder() -> Path:
    """The data of the τ²-bench that is installed beside this program, which is not imported.

    Its package holds them, or the checkout that it was installed from. Raises DomainError.
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
        f"The τ²-bench in {package} came without its data; give --data the folder that has them."
    )


def tau2_hash(records: Base | Records) -> str:
    """The hash by which τ²-bench compares states of a whole domain, as 64 hexadecimal digits."""
    if isinstance(records, Base):
        state: Mapping[str, Mapping[str, Record]] = records.collections
    else:
        state = {name: dict(records.items(name)) for name in records.base.collections}
    text = json.dumps(state, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
