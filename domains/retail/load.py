"""Reading the retail store: our own from the package, or τ²-bench's from a folder."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from domains.domain import Domain, DomainError, Scenario
from domains.records import Base, Records
from domains.retail import reading
from domains.retail.quirks import CORRECT, TAU2, Quirks
from domains.retail.sheets import FINDS_CUSTOMER, customer_of, owner_of, sheets
from domains.retail.tools import toolset


def load(data: Path | None = None) -> Domain:
    """The retail domain on our demo store, or on the records in a folder.

    A folder holds ``db.json`` and ``policy.md``, itself or in its subfolder ``retail``. Raises
    DomainError where a file is missing or is not what it should be.
    """
    if data is None:
        return _demo()
    folder = _folder(data)
    return _domain(
        base=reading.read_base(folder / "db.json", f"records in {data}"),
        policy=reading.read_text(folder / "policy.md"),
        quirks=TAU2,
    )


def _demo() -> Domain:
    from domains.retail import scenarios

    packaged = files("domains.retail") / "data"
    return _domain(
        base=reading.read_base(packaged / "store.json", "the demo store"),
        policy=reading.read_text(packaged / "policy.md"),
        quirks=CORRECT,
        scenarios=scenarios.load(),
    )


def _domain(
    *, base: Base, policy: str, quirks: Quirks, scenarios: tuple[Scenario, ...] = ()
) -> Domain:
    return Domain(
        name="retail",
        title="Retail store",
        policy=policy,
        tools=toolset(quirks),
        base=base,
        sheets=sheets,
        customer_of=customer_of,
        owner_of=owner_of,
        identifies=FINDS_CUSTOMER,
        scenarios=scenarios,
    )


def _folder(data: Path) -> Path:
    """Where in the folder given the retail files are."""
    try:
        for folder in (data, data / "retail"):
            if (folder / "db.json").is_file():
                return folder
    except OSError as error:
        raise DomainError(
            f"The folder {data} cannot be read ({error.strerror}); choose another."
        ) from error
    raise DomainError(
        f"There is no db.json in {data} or in {data / 'retail'}; "
        "give --data a folder that holds τ²-bench's db.json and policy.md."
    )


def tau2_hash(records: Base | Records) -> str:
    """The hash by which τ²-bench compares states of the whole store, as 64 hexadecimal digits."""
    if isinstance(records, Base):
        state: Any = records.collections
    else:
        state = {
            name: {key: records.get(name, key) for key in records.ids(name)} for name in reading.IDS
        }
    text = json.dumps(state, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
