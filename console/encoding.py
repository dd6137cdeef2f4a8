r"""Make output printable where its encoding lacks some characters.

Python uses UTF-8 in the locales C and POSIX. Where the environment still asks for ASCII, click
prints UTF-8, since such a setting is nearly always left over by mistake; this module does the same
for what is printed without click. In any other encoding, a missing character is written as an
escape (``\u2713``), and a sentence at the end says so.
"""

from __future__ import annotations

import codecs
import sys
from typing import TextIO

ADVICE = "Set LANG to a UTF-8 locale, such as C.UTF-8, and unset PYTHONIOENCODING."

_SPELLING = "saber-spelling"
_usual = codecs.lookup_error("backslashreplace")
_environment_encoding: str | None = None
_spelled = False


def make_output_printable() -> None:
    """Make everything that is printed from here on printable."""
    global _environment_encoding
    _environment_encoding = encoding_to_use()
    codecs.register_error(_SPELLING, _escape)
    for stream in (sys.stdout, sys.stderr):
        _prepare(stream)


def encoding_to_use() -> str:
    """The encoding that the environment asks of stdout, in lower case; empty for none."""
    return (
        _environment_encoding
        if _environment_encoding is not None
        else _name(getattr(sys.stdout, "encoding", None))
    )


def is_utf8() -> bool:
    """Whether the output can print every character."""
    return encoding_to_use() == "utf-8"


def warn_about_escapes() -> None:
    """Warn on stderr if any character had to be written as an escape."""
    if _spelled and not is_utf8():
        sentence = f"The output is {encoding_to_use()}, so some characters were escaped. {ADVICE}"
        print(sentence, file=sys.stderr)


def _prepare(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is None:  # a replacement made by a test or a caller
        return
    if _name(stream.encoding) == "ascii":
        reconfigure(encoding="utf-8", errors=_SPELLING)
    else:
        reconfigure(errors=_SPELLING)


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    global _spelled
    _spelled = True
    return _usual(error)


def _name(encoding: str | None) -> str:
    return codecs.lookup(encoding).name if encoding else ""
