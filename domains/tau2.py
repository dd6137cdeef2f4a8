"""τ²-bench's data: where its files lie in a folder, and the hash it compares records by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from domains.domain import DomainError
from domains.records import Base, Record, Records


def folder(data: Path, name: str) -> Path:
    """Where in the folder given a domain's files are: in it, or in its subfolder of that name.

    Raises DomainError where there is no ``db.json`` in either.
    """
    try:
        for candidate in (data, data / name):
            if (candidate / "db.json").is_file():
                return candidate
    except OSError as error:
        raise DomainError(
            f"The folder {data} cannot be read ({error.strerror}); choose another."
        ) from error
    raise DomainError(
        f"There is no db.json in {data} or in {data / name}; "
        "give --data a folder that holds τ²-bench's db.json and policy.md."
    )


def tau2_hash(records: Base | Records) -> str:
    """The hash by which τ²-bench compares states of a whole domain, as 64 hexadecimal digits."""
    if isinstance(records, Base):
        state: Mapping[str, Mapping[str, Record | None]] = records.collections
    else:
        state = {
            name: {key: records.get(name, key) for key in records.ids(name)}
            for name in records.base.collections
        }
    text = json.dumps(state, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
