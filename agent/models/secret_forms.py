"""The spellings in which a secret can appear in a text, since a model can be asked for any of them.

They are plain, reversed, base64 (at any offset in the encoded data) and hexadecimal. Each may be in
any case, have characters percent-encoded or escaped as in JSON, and be broken up by white space or
invisible characters.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cached_property, lru_cache

_UNSEEN = (
    r"[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef"
    r"\x00-\x1f\x7f-\x9f]"
)
_UNSEEN_IN_CODE = (
    r"(?:\\[nrtbf]"
    r"|\\u(?:00[01][0-9a-f]|0020|007f|00[89][0-9a-f]|00a0|00ad|034f|061c|180e"
    r"|20[0-3][0-9a-f]|20[56][0-9a-f]|3000|fe0[0-9a-f]|feff|fff[9ab])"
    r"|%(?:[01][0-9a-f]|20|7f|c2%a0|c2%ad|e2%80%[89a-f][0-9a-f]|e2%81%a[0-9a-f]|ef%bb%bf))"
)
_MOST_IN_CODE = 100
_BETWEEN = rf"{_UNSEEN}*(?:{_UNSEEN_IN_CODE}{_UNSEEN}*){{0,{_MOST_IN_CODE}}}"
"""What may come between two characters of a secret.

A secret may itself begin with a character of an escape code. Without a bound, a text that consists
only of escape codes would take quadratic time to search."""

_CODED = re.compile(r"\\u[0-9a-f]{4}|%[0-9a-f]{2}", re.IGNORECASE)
_NOT_SEEN = re.compile(f"{_UNSEEN}+")
_SQUEEZED_OUT = re.compile(f"{_UNSEEN}|{_UNSEEN_IN_CODE}", re.IGNORECASE)
_OF_A_LINE_END = str.maketrans("", "", "\\nrtbf \x7f" + "".join(map(chr, range(0x20))))
"""The characters of escapes for line ends and the like, and all invisible ASCII characters."""

_SHORTEST_CORE = 8


@dataclass(frozen=True)
class Form:
    """One spelling of a secret."""

    text: str
    """Its characters, in lower case and with nothing between them."""

    @cached_property
    def without_line_ends(self) -> str:
        """The text that :class:`Forms` looks up before a full search."""
        return _without_line_ends(self.text)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern that finds it, however it is escaped or broken up."""
        # Greedy, not possessive: with possessive quantifiers Python 3.11.2 misses matches.
        return re.compile(_BETWEEN.join(map(_character, self.text)), re.IGNORECASE)


class SearchableText:
    r"""A text prepared for a quick test before a full search; far faster than searching every form.

    An escape is ambiguous: `\n` is a line end, or a backslash before a key that begins with n. So
    no reading is chosen: characters that could belong to a line-end escape are ignored on both
    sides, and a text that contains character codes is always searched.
    """

    def __init__(self, text: str) -> None:
        self._coded = any(sign in text for sign in "\\%") and bool(_CODED.search(text))
        self._text = _without_line_ends(text)

    def may_hold(self, form: Form) -> bool:
        """Whether a search for the form is worthwhile; false only if it cannot be in the text."""
        return self._coded or form.without_line_ends in self._text


@lru_cache(maxsize=512)
def forms_of(secret: str) -> tuple[Form, ...]:
    """All spellings of one secret."""
    whole = _NOT_SEEN.sub("", secret).lower()
    plain = _SQUEEZED_OUT.sub("", secret).lower()  # the secret itself may contain an escape code
    data = secret.encode("utf-8", "replace")
    texts = [whole, plain, whole[::-1], plain[::-1], data.hex(), *_in_base64(data)]
    return tuple(Form(each) for each in dict.fromkeys(texts) if each)


def _in_base64(data: bytes) -> list[str]:
    """The part that every base64 text with this data has in common, for each of three offsets."""
    cores = []
    for before in range(3):
        whole = b64encode(bytes(before) + data).decode()
        first = (before * 8 + 5) // 6
        last = (before + len(data)) * 8 // 6
        cores.append(whole[first:last])
    both = [*cores, *(core.replace("+", "-").replace("/", "_") for core in cores)]
    return [core.lower() for core in both if len(core) >= _SHORTEST_CORE]


def _without_line_ends(text: str) -> str:
    seen = text if text.isascii() else _NOT_SEEN.sub("", text)
    return seen.lower().translate(_OF_A_LINE_END)


def _character(plain: str) -> str:
    """A pattern for one character in all its escapes."""
    codes = {ord(plain), ord(plain.upper())} if len(plain.upper()) == 1 else {ord(plain)}
    spellings = []
    for code in sorted(codes):
        spellings += [rf"\\u{code:04x}"] if code < 0x10000 else []
        spellings.append("".join(f"%{byte:02x}" for byte in _bytes(chr(code))))
    return f"(?:{'|'.join(spellings)}|\\\\?{re.escape(plain)})"


def _bytes(character: str) -> bytes:
    return character.encode("utf-8", "replace")
