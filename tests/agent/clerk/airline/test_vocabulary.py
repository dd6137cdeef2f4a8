"""The airline's words and sentences stand apart from its code: each is there, and each is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from agent.clerk import airline
from agent.clerk.airline.vocabulary import vocabulary

FOLDER = Path(airline.__file__).parent
NAMERS = {"say", "has_phrase_of", "task_says", "phrases", "words_of", "phrase_table", "_affirms"}


def calls() -> Iterator[ast.Call]:
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield node


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def constants(call: ast.Call) -> set[str]:
    return {e.value for e in call.args if isinstance(e, ast.Constant) and isinstance(e.value, str)}


def parts(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_sentence_is_said_with_its_parts_and_no_other() -> None:
    kept = vocabulary("answer_texts")
    said = set()
    for call in (each for each in calls() if called(each) == "say"):
        given = {each.arg for each in call.keywords if each.arg}
        for name in constants(call):
            said.add(name)
            several = any(each.arg is None for each in call.keywords)
            assert given <= parts(kept[name]) if several else given == parts(kept[name]), name
    assert said == {each for each in kept if not each.startswith("most of ")}


def test_every_way_of_saying_something_that_is_looked_for_is_there() -> None:
    known = {*vocabulary()["said"], *vocabulary()}
    for call in (each for each in calls() if called(each) in NAMERS - {"say"}):
        assert constants(call) <= known, ast.unparse(call)
