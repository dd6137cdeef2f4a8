"""Tool calls and their arguments in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def name_in_words(name: str) -> str:
    """The name of a tool or an argument, with spaces for underscores."""
    return name.replace("_", " ")


def arguments_in_words(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each argument's name and value; a list of objects takes one line per object."""
    for name, value in arguments.items():
        if isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for number, each in enumerate(value, start=1):
                yield f"{name_in_words(name)} {number}", in_words(each)
        else:
            yield name_in_words(name), in_words(value)


def in_words(value: Any) -> str:
    """A JSON value as a person would write it: ``a, b``, ``date: May 20, cabin: economy``."""
    if value is None or value in ("", [], {}):
        return "none"
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{name_in_words(str(k))}: {in_words(v)}" for k, v in value.items())
        case list():
            return ", ".join(in_words(each) for each in value)
        case _:
            return str(value)


def exactly(name: str, arguments: Mapping[str, Any]) -> str:
    """The call as it is in the log, with its arguments as indented JSON."""
    return f"{name} {json.dumps(dict(arguments), indent=2, ensure_ascii=False)}"
