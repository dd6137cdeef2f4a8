from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.domain import DomainError
from domains.scenarios import files as scenario_files

ENTRY: dict[str, Any] = {
    "id": "a",
    "title": "A",
    "role": {"who": "You are somebody.", "wants": ["Something."]},
    "ends": [[]],
}


def written(folder: Path, content: str) -> Path:
    path = folder / "scenarios.json"
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is not JSON"),
        ("{}", "should hold a list of scenarios"),
        ("[3]", r"scenario 1: a scenario should be an object"),
        (json.dumps([{**ENTRY, "role": []}]), r"scenario 1 \(a\): role should be an object"),
        (json.dumps([{**ENTRY, "role": {}}]), r"role lacks 'who'"),
        (json.dumps([{"id": "a"}]), r"a scenario lacks 'ends'"),
        (json.dumps([{**ENTRY, "ends": []}]), "at least one acceptable end"),
        (json.dumps([{**ENTRY, "ends": [{}]}]), "an end should be a list"),
        (json.dumps([{**ENTRY, "ends": [[{"name": "f"}]]}]), "a call lacks 'arguments'"),
        (json.dumps([{**ENTRY, "ends": [[{"name": "f", "arguments": 1}]]}]), "be an object"),
        (json.dumps([{**ENTRY, "tags": "x"}]), "tags should be a list"),
        (json.dumps([{**ENTRY, "communicate": [7]}]), "each of communicate should be text"),
        (json.dumps([{**ENTRY, "transfer": "no"}]), "transfer should be true or false"),
        (json.dumps([{**ENTRY, "wants": []}]), "has an unknown 'wants'"),
        (json.dumps([ENTRY, ENTRY]), "more than one scenario 'a'"),
    ],
)
def test_a_malformed_file_is_told_in_a_sentence(
    tmp_path: Path, content: str, sentence: str
) -> None:
    with pytest.raises(DomainError, match=sentence):
        scenario_files.load(written(tmp_path, content))


def test_a_missing_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="cannot be read"):
        scenario_files.load(tmp_path / "none.json")


def test_a_file_that_is_not_text_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "scenarios.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DomainError, match="is not JSON"):
        scenario_files.load(tmp_path / "scenarios.json")


SCALARS = st.sampled_from([None, True, 0, 1.5, "", "a"])
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([*ENTRY, "who", "name", "arguments"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(list(ENTRY)), JSON, max_size=2))
def test_whatever_stands_in_a_file_it_loads_or_a_sentence_says_why(
    tmp_path_factory: pytest.TempPathFactory, replaced: dict[str, Any]
) -> None:
    path = written(tmp_path_factory.getbasetemp(), json.dumps([{**ENTRY, **replaced}]))
    with contextlib.suppress(DomainError):
        scenario_files.load(path)
