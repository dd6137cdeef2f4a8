from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.comparison.sentences import Clause, Sentence, sentences, words


def only(text: str) -> Sentence:
    (found,) = sentences(text)
    return found


def denied(text: str) -> list[tuple[str, ...]]:
    """Of each clause the words that are denied."""
    return [each.words[each.start_of_denial :] for each in only(text).clauses]


def moods(text: str) -> list[str]:
    return [each.mood for each in only(text).clauses]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It costs $3.50. Fine!", ["It costs $3.50.", "Fine!"]),
        ("Take option no. 2 please", ["Take option no. 2 please"]),
        ("**Lamp**: black\n- _Mat_\n\n> `Mug`", ["Lamp: black", "_Mat_", "Mug"]),
        ("Really?! “Yes.” Good", ["Really?!", "“Yes.”", "Good"]),
        ("Write to a.b@example.com today.", ["Write to a.b@example.com today."]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_text_is_cut_at_its_full_stops_and_line_ends(text: str, parts: list[str]) -> None:
    assert [each.text for each in sentences(text)] == parts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two BAGS, please", ("2", "bag", "please")),
        ("batteries and glasses", ("battery", "and", "glasse")),
        ("I don’t", ("i", "don't")),
        ("the store's bus", ("the", "store", "bus")),
        ("#W123-9", ("w123", "9")),
    ],
)
def test_words_are_stemmed_and_small_numbers_are_digits(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Don't use the Visa, use the Mastercard.", [("don't", "use", "the", "visa"), ()]),
        ("Use the Mastercard instead of the Visa.", [(), ("instead", "of", "the", "visa")]),
        ("Return the lamp but not the mat.", [(), ("not", "the", "mat")]),
        ("Everything except the mat.", [(), ("except", "the", "mat")]),
        ("No, use the other one.", [(), ()]),
        ("No problem with the Visa.", [()]),
        ("Not more than two bags.", [()]),
        ("I can't wait.", [()]),
    ],
)
def test_a_denial_reaches_to_the_end_of_its_clause(text: str, rest: list[tuple[str, ...]]) -> None:
    assert denied(text) == rest


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use the Visa.", ["said"]),
        ("Can you use the Visa?", ["said"]),
        ("Would you mind using the Visa, please?", ["said", "said"]),
        ("Is the Visa on file?", ["asked"]),
        ("Could you check that the Visa works?", ["asked"]),
        ("How much would it be?", ["asked"]),
        ("If it is cheaper, use the Visa.", ["if", "then"]),
        ("Use the Visa if it is cheaper.", ["said", "if"]),
        ("Unless it is dearer, use the Visa; but not today.", ["if", "then", "then"]),
    ],
)
def test_a_clause_is_said_asked_a_condition_or_hangs_on_one(text: str, found: list[str]) -> None:
    assert moods(text) == found


def test_a_question_mark_makes_no_question_of_a_polite_request() -> None:
    assert not only("Can you cancel it?").is_question
    assert only("Can you tell me what it costs?").is_question
    assert not only("What is it.").is_question


@pytest.mark.parametrize(
    ("text", "kept"), [("Keep the lamp.", 0), ("The lamp stays.", 2), ("Don't keep it.", None)]
)
def test_what_is_to_stay_is_told_from_what_is_not(text: str, kept: int | None) -> None:
    (clause,) = only(text).clauses
    assert clause.keeps_at == kept


@pytest.mark.parametrize("text", ["I'm not sure.", "I don't remember.", "Maybe the Visa"])
def test_who_does_not_know_is_unsure(text: str) -> None:
    assert only(text).unsure
    assert not only("I know.").unsure


def bare(text: str) -> str:
    """Without white space and the marks of layout."""
    return re.sub(r"\*\*|__|`|\s", "", text)


@given(st.text())
def test_every_sentence_is_a_part_of_its_text_in_order(text: str) -> None:
    place, whole = 0, bare(text)
    for sentence in sentences(text):
        found = whole.find(bare(sentence.text), place)
        assert found >= place
        place = found + len(bare(sentence.text))


@given(st.text(alphabet="ab, .?!;:-()'\n") | st.text())
def test_clauses_are_parts_of_their_sentence(text: str) -> None:
    for sentence in sentences(text):
        assert all(each.text in sentence.text for each in sentence.clauses)


@given(st.text())
def test_denial_ends_where_the_words_do(text: str) -> None:
    clause = Clause(text, "said")
    assert clause.start_of_denial >= 0
    assert clause.denies is bool(clause.words[clause.start_of_denial :])
