"""The spellings in which a secret can stand in a text: a model can be asked for any of them.

Plain, reversed, in base64 (wherever it begins in what was encoded) and in hexadecimal digits; each
of these in any case, with characters percent-encoded or escaped as in JSON, and broken up by white
space or by what is not seen.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cached_property, lru_cache

_BETWEEN = (
    r"(?:[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef"
    r"\x00-\x1f\x7f-\x9f]"
    r"|\\[nrtbf]"
    r"|\\u(?:00[01][0-9a-f]|0020|007f|00[89][0-9a-f]|00a0|00ad|034f|061c|180e"
    r"|20[0-3][0-9a-f]|20[56][0-9a-f]|3000|fe0[0-9a-f]|feff|fff[9ab])"
    r"|%(?:[01][0-9a-f]|20|7f|c2%a0|c2%ad|e2%80%[89a-f][0-9a-f]|e2%81%a[0-9a-f]|ef%bb%bf))"
)
"""What may stand between two characters of a secret."""

_ESCAPED = re.compile(r"\\u00([2-7][0-9a-f])|%([2-7][0-9a-f])", re.IGNORECASE)
_SQUEEZED_OUT = re.compile(_BETWEEN, re.IGNORECASE)
_SHORTEST_CORE = 8


@dataclass(frozen=True)
class Form:
    """One spelling of a secret."""

    text: str
    """Its characters, in lower case and with nothing between them."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What finds it, however it is escaped and broken up."""
        between = f"{_BETWEEN}*"  # greedy, not possessive: Python 3.11.2 finds less with that
        return re.compile(between.join(_character(each) for each in self.text), re.IGNORECASE)


class Forms:
    """A text as forms are looked up in it first: far quicker than searching it for each."""

    def __init__(self, text: str) -> None:
        squeezed = _squeeze(text)
        plain = _ESCAPED.sub(lambda found: chr(int(found[1] or found[2], 16)), squeezed)
        self._texts = tuple(each.lower().replace("\\", "") for each in {squeezed, plain})

    def may_hold(self, form: Form) -> bool:
        """Whether it is worth searching for the form."""
        wanted = form.text.replace("\\", "")
        return any(wanted in each for each in self._texts)


@lru_cache(maxsize=512)
def forms_of(secret: str) -> tuple[Form, ...]:
    """All spellings of one secret."""
    plain = _squeeze(secret)
    data = secret.encode("utf-8", "replace")
    texts = [plain, plain[::-1], data.hex(), *_in_base64(data)]
    return tuple(Form(each) for each in dict.fromkeys(texts) if each)


def _in_base64(data: bytes) -> list[str]:
    """What is the same in every base64 text that holds the data, by where it begins there."""
    cores = []
    for before in range(3):
        whole = b64encode(bytes(before) + data).decode()
        first = (before * 8 + 5) // 6
        last = (before + len(data)) * 8 // 6
        cores.append(whole[first:last])
    both = [*cores, *(core.replace("+", "-").replace("/", "_") for core in cores)]
    return [core.lower() for core in both if len(core) >= _SHORTEST_CORE]


def _squeeze(text: str) -> str:
    return _SQUEEZED_OUT.sub("", text).lower()


def _character(plain: str) -> str:
    """One character in all its escapes."""
    codes = {ord(plain), ord(plain.upper())} if len(plain.upper()) == 1 else {ord(plain)}
    spellings = []
    for code in sorted(codes):
        spellings += [rf"\\u{code:04x}"] if code < 0x10000 else []
        spellings.append("".join(f"%{byte:02x}" for byte in _bytes(chr(code))))
    return f"(?:{'|'.join(spellings)}|\\\\?{re.escape(plain)})"


def _bytes(character: str) -> bytes:
    return character.encode("utf-8", "replace")
