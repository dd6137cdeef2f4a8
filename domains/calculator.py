"""Arithmetic for an agent, bounded: every expression is answered or refused at once.

The grammar is Python's, cut down to numbers, parentheses and ``+ - * / // **``; nothing is ever
handed to ``eval``.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from domains.tool import ToolError

ALPHABET = frozenset("0123456789+-*/(). ")
"""The characters an expression may have."""

LONGEST = 400
"""Characters of the longest expression; keeps the parser's and our own recursion shallow."""

LARGEST = 4096
"""Bits of the largest whole power that is worked out; a float holds 1024."""

Number = int | float | complex

_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_UNARY: dict[type[ast.unaryop], Callable[[Number], Number]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def calculate(expression: str) -> str:
    """The value rounded to two decimals, as text: ``"8.0"``.

    Raises ToolError for other characters or too much of them, SyntaxError for what is not
    arithmetic, and Python's own ArithmeticError, TypeError.
    """
    if not all(character in ALPHABET for character in expression):
        raise ToolError("Invalid characters in expression")
    if not isinstance(expression, str):
        raise TypeError("eval() arg 1 must be a string, bytes or code object")
    if len(expression) > LONGEST:
        raise ToolError(f"Expression is longer than {LONGEST} characters")
    tree = ast.parse(expression.lstrip(" "), filename="<string>", mode="eval")
    value = _value(tree.body)
    if isinstance(value, complex):
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    return str(round(float(value), 2))


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left), _value(right))
    raise SyntaxError("invalid syntax")


def _power(base: Number, exponent: Number) -> Number:
    """Whole powers grow without end, so one too large for a float is refused before it is built."""
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and exponent > 0 and base.bit_length() * exponent > LARGEST:  # type: ignore[union-attr, operator]
        raise OverflowError("int too large to convert to float")
    return base**exponent
