"""Splits a sentence into what is wanted and its clauses: exceptions, fallbacks, and a limit.

Regular expressions find where such a clause begins and ends; what is in it is read elsewhere.
"""

from __future__ import annotations

import re

from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import find, has, tokens
from domains.text.phrasing import BARE_LIMIT, with_except

_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|apart from|aside from|besides|excluding|other than|bar(?= )"
    r"|but not(?! yet| now| today)|(?<=, )not(?= the ones? )|but keep|without(?= the| my)"
    r"|minus)\b\s*",
    re.IGNORECASE,
)
_END = re.compile(r"[,;.!?]|\b(?:but|because|since|that one|and (?:refund|put|send|use|pay))\b")
_OTHERWISE = re.compile(
    r"[,;:.\s-]*\b(?:and |or )?(?:otherwise|or else|(?<=[,;.] )else|failing that)\b"
    r"(?!\W*(?:exactly |all |completely )?(?:the )?(?:same|identical|like)\b)[,:\s]*",
    re.IGNORECASE,
)
_IF = re.compile(
    r"[,;:.\s(-]*\b(?:(?:and|but|or|only) )?"
    r"(?:if|in case|should(?= (?:it|that|this|there|the|they|my)\b))\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r",\s*(?:then\s+)?|\bthen\b\s*|;\s*|(?<=\bnot possible)\s"
    r"|\s(?=(?:use|return|cancel|leave|keep|only|just|take)\b)"
)
_AMOUNT = re.compile(
    r"\$?\s?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)"
    r"\s*(?:\$|dollars?|bucks?|usd|more)?",
    re.IGNORECASE,
)
CHEAPER = -0.01
"""The limit of who wants to get money back."""

_FIGURES = {
    "five": "5", "ten": "10", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40",
    "fifty": "50", "hundred": "100",
}  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_FIGURES)})( (?:dollars?|bucks?|more))", re.IGNORECASE)
"""A sum in a word: "fifteen dollars"."""

_SUM = re.compile(r"\$\s?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)")
_MONEY = re.compile(r"\$|\b(?:dollars?|bucks?|usd|or forget it)\b", re.IGNORECASE)


def without_exceptions(text: str) -> tuple[str, list[str]]:
    """A sentence without its exceptions, and the exceptions."""
    excepted = []
    text = with_except(text)
    while hit := _EXCEPT.search(text):
        rest = text[hit.end() :]
        end = _END.search(rest)
        stop = end.start() if end else len(rest)
        excepted.append(rest[:stop].strip())
        text = f"{text[: hit.start()]} {rest[stop:]}"
    return text, [each for each in excepted if each]


def split_fallbacks(text: str) -> tuple[str, list[str]]:
    """A sentence without its fallbacks, and the fallbacks in order."""
    cut = _OTHERWISE.search(text)
    if cut and text[cut.end() :].strip():
        main, more = split_fallbacks(text[: cut.start()])
        rest, nested = split_fallbacks(text[cut.end() :])
        return main, [*more, *filter(None, [rest]), *nested]
    for hit in _IF.finditer(text):  # "…, if it is not there then …"
        main, rest = text[: hit.start()], text[hit.end() :]
        then = _THEN.search(rest, 1)
        condition = tokens(rest[: then.start()]) if then else ()
        deed = rest[then.end() :].strip(" ,.?!") if then else ""
        if deed and GENERAL.words["impossible"] & set(condition):
            deed, more = split_fallbacks(deed)
            return main, [*filter(None, [deed]), *more]
    return text, []


def limit(text: str) -> float | None:
    """The most that a change may cost, if a sentence sets a limit: 0 for "no more than now"."""
    text = _NUMBER_WORD.sub(lambda hit: _FIGURES[hit[1].lower()] + hit[2], text)
    words = tokens(text)
    asks = text.rstrip().endswith("?") and not has(words, "without", "if", "unless", "only")
    if tells(words, "nothing more") and not asks and not has(words, "don't mind", "willing"):
        return 0.0
    if tells(words, "if cheaper") and not asks:
        return CHEAPER
    least = tells(words, "at the least") and not tells(words, "at the most")
    if least or (tells(words, "of money") and has(words, "unless", "if")):
        return None  # nor is "unless the refund is below $600"
    amounts = _SUM.findall(text) or (_AMOUNT if _MONEY.search(text) else BARE_LIMIT).findall(text)
    capped = amounts and any(find(tokens(each), words) >= 0 for each in GENERAL.by_name["capped"])
    return float(amounts[-1].replace(",", "")) if capped else None
