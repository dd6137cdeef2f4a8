from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.changes import Record
from tests.generators import drawing
from tests.generators.airline import generate as airline
from tests.generators.drawing import Dice
from tests.generators.retail import generate as retail

STORES = pytest.mark.parametrize("demo", [retail, airline], ids=["retail", "airline"])
WORDS = st.lists(st.text(max_size=8), min_size=1, max_size=3)


@given(WORDS, st.integers(1, 12))
def test_a_number_has_its_digits_and_follows_from_the_words(words: list[str], digits: int) -> None:
    drawn = drawing.number(digits, *words)
    assert len(drawn) == digits
    assert drawn.isdigit()
    assert drawn[0] != "0"
    assert drawn == drawing.number(digits, *words)


@given(WORDS, st.lists(st.text("abcde", min_size=1), max_size=6))
def test_a_code_takes_one_character_of_each_alphabet(
    words: list[str], alphabets: list[str]
) -> None:
    drawn = drawing.spell(alphabets, *words)
    assert len(drawn) == len(alphabets)
    assert all(one in alphabet for one, alphabet in zip(drawn, alphabets, strict=True))


def test_numbers_and_dice_are_the_same_in_every_release() -> None:
    assert drawing.number(7, "order", "a", "0") == "8508471"
    dice = Dice("crowd")
    assert [dice.between(1, 6) for _ in range(8)] == [6, 2, 4, 6, 4, 2, 1, 3]


@given(WORDS, st.integers(-50, 50), st.integers(0, 50))
def test_dice_stay_between_both_ends(words: list[str], low: int, span: int) -> None:
    dice = Dice(*words)
    assert all(low <= dice.between(low, low + span) <= low + span for _ in range(20))


def test_weights_say_how_often() -> None:
    dice = Dice("weights")
    drawn = Counter(dice.draw_weighted({"often": 9, "seldom": 1, "never": 0}) for _ in range(500))
    assert drawn["often"] > 5 * drawn["seldom"] > 0
    assert "never" not in drawn


@given(WORDS, st.lists(st.integers(), max_size=9))
def test_shuffling_loses_nothing(words: list[str], things: list[int]) -> None:
    assert sorted(Dice(*words).shuffle(things)) == sorted(things)


def test_a_method_is_paid_by_only_where_it_is_held() -> None:
    words = ("visa 4417", "gift card 45.00", "certificate 100", "paypal")
    methods = [drawing.payment_method(each, "a", holding="amount") for each in words]
    user = {"user_id": "a", "payment_methods": {method["id"]: method for method in methods}}
    assert [drawing.find_payment_method(user, each) for each in words] == list(
        user["payment_methods"]
    )
    assert [method.get("amount") for method in methods] == [None, 45.0, 100.0, None]
    with pytest.raises(ValueError, match="does not hold 'mastercard'"):
        drawing.find_payment_method(user, "mastercard")


def test_every_record_has_a_line_of_its_own() -> None:
    store: dict[str, dict[str, Record]] = {"a": {"x": {"n": "ü"}, "y": {}}, "b": {"z": {"n": [1]}}}
    text = drawing.render(store)
    assert json.loads(text) == store
    assert [line for line in text.splitlines() if line.startswith("  ")] == [
        '  "x": {"n": "ü"},',
        '  "y": {}',
        '  "z": {"n": [1]}',
    ]


@STORES
def test_generating_again_gives_the_committed_bytes(demo: ModuleType) -> None:
    assert demo.STORE.read_bytes() == drawing.render(demo.build()).encode()


@STORES
def test_generating_twice_in_one_process_gives_the_same_store(demo: ModuleType) -> None:
    assert drawing.render(demo.build()) == drawing.render(demo.build())


@STORES
def test_main_writes_what_it_builds_and_says_how_much(
    demo: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    committed = demo.STORE.read_bytes()
    monkeypatch.setattr(demo, "STORE", tmp_path / "store.json")
    demo.main()
    assert (tmp_path / "store.json").read_bytes() == committed
    name, records = next(iter(json.loads(committed).items()))
    assert capsys.readouterr().out.startswith(f"{len(records)} {name}, ")


@STORES
def test_a_diff_of_a_store_is_one_line_per_record(demo: ModuleType) -> None:
    text = demo.STORE.read_text(encoding="utf-8")
    collections = json.loads(text).values()
    assert len(text.splitlines()) == sum(map(len, collections)) + 2 * len(collections) + 2
    assert demo.STORE.stat().st_size < 700_000
