from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.text.one_line import (
    LONGEST_LINE,
    LONGEST_QUOTATION,
    line,
    odd_characters,
    quotation,
    spell,
    spelled_code_points,
    value,
)
from sessions.cleaning import clean

ODD = "\n\t \u00a0\u2003\u3000\u3164\u2800\u200b\u0301\ufe0f“”‹›⏎⇥·×✓✗→?!…aé7"
TEXTS = st.text(st.one_of(st.sampled_from(ODD), st.characters()), max_size=400)
PLAIN = st.lists(st.text("abcXYZ019-#.'", min_size=1, max_size=6), min_size=1, max_size=3).map(
    lambda words: " ".join(word.strip(".") or "x" for word in words)
)


def unseen(text: str) -> list[str]:
    kinds = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
    fillers = "\u115f\u1160\u3164\uffa0\u2800"
    return [
        each
        for each in text
        if each != " " and (unicodedata.category(each) in kinds or each in fillers)
    ]


@given(TEXTS)
def test_whatever_a_text_holds_it_becomes_one_bounded_line_that_can_be_seen(text: str) -> None:
    for made, longest in (
        (value(text), 120),
        (quotation(text), LONGEST_QUOTATION + 40),
        (line(text), LONGEST_LINE),
        (line(text, 50), 50),
    ):
        assert unseen(made) == []
        assert "  " not in made
        assert len(made) <= longest


@given(TEXTS)
def test_only_one_closing_quote_stands_in_a_quotation_and_it_is_ours(text: str) -> None:
    made = quotation(text)
    assert re.fullmatch(r"“[^“”]*”(?: \([\d,]+ characters\))?", made)


@given(TEXTS)
def test_a_cut_quotation_tells_how_long_the_text_is(text: str) -> None:
    made = quotation(text, 10)
    told = re.search(r"…” \(([\d,]+) characters\)\Z", made)
    if told is None:
        assert restored(made[1:-1]) == text
    else:
        assert int(told[1].replace(",", "")) == len(text)


def restored(text: str) -> str:
    """What a spelled text was before."""
    signs = {"⏎": "\n", "⇥": "\t", "·": " "}

    def run(found: re.Match[str]) -> str:
        sign, times = found[1], int((found[2] or "1").replace(",", ""))
        character = signs.get(sign) or chr(int(sign.removeprefix("U+"), 16))
        return character * times

    parts = re.split(r"(‹[^›]*›)", text)
    inner = re.compile(r"‹([^×›]+)(?:×([\d,]+))?›")
    return "".join(
        inner.sub(run, each) if each.startswith("‹") else each.replace("⏎", "\n").replace("⇥", "\t")
        for each in parts
    )


@given(TEXTS)
def test_no_two_texts_are_spelled_alike(text: str) -> None:
    assert restored(spell(text)) == text


@given(PLAIN)
def test_ordinary_values_read_as_they_are(text: str) -> None:
    assert value(text) == text


@given(TEXTS)
def test_a_line_that_is_one_already_stays_as_it_is(text: str) -> None:
    for limit in (50, LONGEST_LINE):
        assert line(line(text, limit), limit) == line(text, limit)
    assert line(f"Ship it to {value(text)}.") == f"Ship it to {value(text)}."


@pytest.mark.parametrize(
    "text",
    ["12 Elm Street", "Visa", "no longer needed", "#W2378156", "2024-05-15 at 10:00:00", "04:00+1"],
)
def test_what_shops_and_airlines_hold_needs_no_quotes(text: str) -> None:
    assert value(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n\nb", "“a‹⏎×2›b”"),
        ("a\nb\tc", "“a⏎b⇥c”"),
        ("a" + " " * 60 + "b", "“a‹·×60›b”"),
        ("a\u00a0b", "“a‹U+00A0›b”"),
        ("✓ it holds", "“✓ it holds”"),
        ("he said ” and went", "“he said ‹U+201D› and went”"),
        ("12 Elm St. Nothing else changes", "“12 Elm St. Nothing else changes”"),
        ("a\u0301\u0302\u0303\u0303", "“a\u0301\u0302‹U+0303×2›”"),
        ("", "“”"),
        (None, "None"),
        (7, "7"),
    ],
)
def test_what_is_out_of_the_ordinary_is_quoted_and_spelled(text: object, shown: str) -> None:
    assert value(text) == shown


def test_a_long_value_is_cut_and_its_length_told() -> None:
    assert value("x" * 5_000) == f"“{'x' * 60}…” (5,000 characters)"


def test_letters_beyond_ascii_and_unseen_ones_are_named() -> None:
    assert odd_characters("ré\u200b→“ok”") == ("é U+00E9", "U+200B")
    assert spelled_code_points(value("a\u200b\u200bb")) == ("U+200B",)


@given(TEXTS)
def test_the_cleaner_finds_nothing_left_to_take_out(text: str) -> None:
    assert clean(quotation(text)) == quotation(text)


@pytest.mark.parametrize(
    "text", ["nothing else is changed", "and nothing else is changed", "Visa Or Nothing At All"]
)
def test_words_that_could_go_on_a_sentence_of_ours_are_quoted(text: str) -> None:
    assert value(text) == f"“{text}”"
