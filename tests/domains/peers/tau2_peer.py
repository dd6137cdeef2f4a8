"""τ²-bench itself, run apart: a line of calls in, what its tools made of them out.

Run as ``python tau2_peer.py retail FOLDER`` in an environment that has ``tau2``. Each line on
standard input is a JSON list of calls on untouched records; each line on standard output tells the
results, the records that differ afterwards, and, on request, the hash of all of them.
"""

from __future__ import annotations

import json
import sys
import warnings
from importlib import import_module
from typing import Any

PEER_TOOLS = {
    "retail": ("RetailDB", "RetailTools"),
    "airline": ("FlightDB", "AirlineTools"),
}


def main(name: str, db_path: str) -> None:
    """Answer line by line, each on untouched records."""
    from pydantic import BaseModel

    import_module("loguru").logger.remove()
    warnings.simplefilter("ignore")
    BaseModel.__eq__ = _same  # type: ignore[method-assign]
    environment, untouched = _environment(name, db_path), _database(name, db_path)
    for line in sys.stdin:
        asked = json.loads(line)
        answer = _answer(environment, untouched, asked["calls"], asked["hash"])
        print(json.dumps(answer), flush=True)


def _same(record: Any, other: Any) -> bool:
    """Equality of records field by field, several times as fast as pydantic's own."""
    return isinstance(other, type(record)) and record.__dict__ == other.__dict__


def _database(name: str, db_path: str) -> Any:
    model, _ = PEER_TOOLS[name]
    return getattr(import_module(f"tau2.domains.{name}.data_model"), model).load(db_path)


def _environment(name: str, db_path: str) -> Any:
    module = import_module(f"tau2.domains.{name}.environment")
    return module.get_environment(db=_database(name, db_path))


def _answer(environment: Any, untouched: Any, calls: list[Any], hashed: bool) -> dict[str, Any]:
    message = import_module("tau2.data_model.message").ToolCall
    results = []
    for call in calls:
        response = environment.get_response(message(id="1", requestor="assistant", **call))
        results.append([response.content, response.error])
    database = environment.tools.db
    digest = database.get_hash() if hashed else None
    return {"results": results, "changed": _undo(database, untouched), "hash": digest}


def _undo(database: Any, untouched: Any) -> dict[str, Any]:
    """Put back every record that differs; what each had become, by collection and id."""
    changed = {}
    for name in type(database).model_fields:
        before, after = getattr(untouched, name), getattr(database, name)
        for key in [key for key in after if before.get(key) != after[key]]:
            changed[f"{name}/{key}"] = after[key].model_dump()
            if key in before:
                after[key] = before[key].model_copy(deep=True)
            else:
                del after[key]
    return changed


if __name__ == "__main__":
    main(*sys.argv[1:])
