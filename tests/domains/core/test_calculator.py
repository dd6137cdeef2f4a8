from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domains.core.calculator import ALPHABET, MAX_CHARACTERS, calculate
from domains.core.tool import ToolError
from tests.effort import tries

Sum = tuple[str, Fraction, Fraction]
"""An expression, its exact value, and a bound on every size met on the way."""

WHOLE = st.integers(0, 999).map(lambda n: (str(n), Fraction(n), Fraction(n)))
DECIMAL = st.integers(0, 99999).map(
    lambda n: (f"{n / 100:.2f}", Fraction(n, 100), Fraction(n, 100))
)
DIVISOR = st.integers(1, 99)


def _larger(children: st.SearchStrategy[Sum]) -> st.SearchStrategy[Sum]:
    def plus(a: Sum, b: Sum) -> Sum:
        return f"{a[0]} + {b[0]}", a[1] + b[1], a[2] + b[2]

    def minus(a: Sum, b: Sum) -> Sum:
        return f"{a[0]} - ({b[0]})", a[1] - b[1], a[2] + b[2]

    def times(a: Sum, b: Sum) -> Sum:
        return f"({a[0]})*({b[0]})", a[1] * b[1], a[2] * b[2]

    def over(a: Sum, n: int) -> Sum:
        return f"({a[0]}) / {n}", a[1] / n, a[2]

    def negative(a: Sum) -> Sum:
        return f"-({a[0]})", -a[1], a[2]

    return st.one_of(
        st.builds(plus, children, children),
        st.builds(minus, children, children),
        st.builds(times, children, children),
        st.builds(over, children, DIVISOR),
        st.builds(negative, children),
    )


SUMS = st.recursive(WHOLE | DECIMAL, _larger, max_leaves=12).filter(
    lambda s: len(s[0]) <= MAX_CHARACTERS
)


@given(SUMS)
def test_the_value_is_the_exact_one_to_the_cent(case: Sum) -> None:
    expression, exact, size = case
    off = abs(Fraction(float(calculate(expression))) - exact)
    assert off <= Fraction(501, 100_000) + size / 10**12


@settings(max_examples=tries(1000), deadline=500)
@given(st.text(alphabet=sorted(ALPHABET), max_size=60))
def test_anything_that_can_be_typed_is_answered_or_refused_at_once(expression: str) -> None:
    try:
        answer = calculate(expression)
    except (ToolError, SyntaxError, ArithmeticError, TypeError):
        return
    assert str(round(float(answer), 2)) == answer


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("2**3", "8.0"),
        ("  1 + 1", "2.0"),
        ("100.00 - 36.13", "63.87"),
        ("7//2", "3.0"),
        ("2**-1", "0.5"),
        ("-(-3)", "3.0"),
        ("1/3", "0.33"),
    ],
)
def test_values_are_told_as_floats_of_two_decimals(expression: str, answer: str) -> None:
    assert calculate(expression) == answer


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("2 + x", "Invalid characters in expression"),
        ("__import__('os')", "Invalid characters in expression"),
        ("1e9", "Invalid characters in expression"),
        ("1/0", "division by zero"),
        ("", r"invalid syntax"),
        ("1 2", r"invalid syntax"),
        ("...", r"real number, not 'ellipsis'"),
        ("1(2)", r"'int' object is not callable"),
        ("9**9**9", "int too large to convert to float"),
        ("9.0**9999", "Numerical result out of range"),
        ("(-8)**0.5", "not 'complex'"),
        ("1+" * 300 + "1", "longer than 400 characters"),
    ],
)
def test_what_cannot_be_worked_out_is_refused_in_words(expression: str, words: str) -> None:
    with pytest.raises((ToolError, SyntaxError, ArithmeticError, TypeError), match=words):
        calculate(expression)


PIECES = st.sampled_from(["()", "(", ")", "1", "2.5", "0", "...", "+", "-", "*", "/", "//", " "])


@settings(max_examples=tries(500))
@given(st.lists(PIECES, max_size=6).map("".join))
@example("()")
@example("()+1")
@example("-()")
@example("()*3")
@example("()()")
@example("1(2/0)")
@example("(...)*2")
def test_what_is_no_number_is_refused_in_the_words_of_python_itself(expression: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        expected = outcome(lambda: str(round(float(eval(expression)), 2)))
    assert outcome(lambda: calculate(expression)) == expected


def outcome(work: Callable[[], str]) -> str:
    try:
        return work()
    except (SyntaxError, ArithmeticError, TypeError) as error:
        return str(error)


@pytest.mark.parametrize(
    "expression",
    ["9**9**9", "9**9**9**9", "(9**9)**(9**9)", "-(" * 190 + "1" + ")" * 190, "-" * 399 + "1"],
)
def test_no_expression_takes_long(expression: str) -> None:
    start = time.perf_counter()
    with contextlib.suppress(ToolError, SyntaxError, ArithmeticError):
        calculate(expression)
    assert time.perf_counter() - start < 0.2
