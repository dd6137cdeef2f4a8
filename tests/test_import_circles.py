"""No module imports another that imports it in turn, not even for its annotations."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


def circle_in(imports: dict[str, set[str]]) -> list[str]:
    """The modules of one circle, in their order; empty where there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_modules_import_one_another_one_way_only() -> None:
    graph = grimp.build_graph("agent", "console", "domains", "sessions", cache_dir=None)
    imports = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    assert "console.app" in imports
    assert circle_in(imports) == []


@pytest.mark.parametrize("back", ["a", "b"])
def test_a_circle_would_be_found(back: str) -> None:
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {back}})
    assert not circle_in({"a": {"b"}, "b": {"c"}, "c": set()})
