"""Arithmetic for an agent, bounded so that every expression is answered or refused at once.

The grammar is Python's, limited to digits, parentheses and ``+ - * / // **``. Nothing is ever
passed to ``eval``, and a result that is not a number is refused with the message that ``eval`` or
``float`` would give.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from domains.core.tool import ToolError

ALPHABET = frozenset("0123456789+-*/(). ")
"""The characters that an expression may contain."""

MAX_CHARACTERS = 400
"""The most characters in an expression; keeps the parser's and our own recursion shallow."""

MAX_POWER_BITS = 4096
"""The most bits in an integer power that is computed; a float holds 1024."""

Value = Any
"""A number, or anything else that such text can express: the empty tuple ``()``, and ``...``."""

_BINARY: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_UNARY: dict[type[ast.unaryop], Callable[[Value], Value]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def calculate(expression: str) -> str:
    """The value of an expression, rounded to two decimals, as text: ``"8.0"``.

    Raises ToolError for a character that is not allowed or for too many characters, SyntaxError for
    anything that is not arithmetic, and Python's own ArithmeticError and TypeError.
    """
    if not all(character in ALPHABET for character in expression):
        raise ToolError("Invalid characters in expression")
    if not isinstance(expression, str):
        raise TypeError("eval() arg 1 must be a string, bytes or code object")
    if len(expression) > MAX_CHARACTERS:
        raise ToolError(f"Expression is longer than {MAX_CHARACTERS} characters")
    tree = ast.parse(expression.lstrip(" "), filename="<string>", mode="eval")
    return str(round(float(_value(tree.body)), 2))


def _value(node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=[]):
            return ()
        case ast.Call(func=called, args=arguments, keywords=[]):
            value = _value(called)
            for each in arguments:
                _value(each)
            raise TypeError(f"'{type(value).__name__}' object is not callable")
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left), _value(right))
    raise SyntaxError("invalid syntax")


def _power(base: Value, exponent: Value) -> Value:
    """The base raised to the exponent.

    Raises OverflowError for an integer power too large for a float, before it is computed.
    """
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and exponent > 0 and base.bit_length() * exponent > MAX_POWER_BITS:
        raise OverflowError("int too large to convert to float")
    return base**exponent
