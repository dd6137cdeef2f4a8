"""Decides whether an answer says yes, no, or not yet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from agent.comparison.sentences import Sentence, sentences
from agent.comparison.utterance import Utterance
from sessions.statistics.consenting import says_yes

_KEPT = 512
"""How many answers are cached: each card is compared with the same answers as the one before."""

_STOP = re.compile(
    r"\b(?:never ?mind|forget (?:it|about|the)|leave (?:it|that|everything|things|as|them)"
    r"|hold off|stop|no changes?|then don['’]?t(?=[.!,]|$)|not yet|not now"
    r"|(?:don['’]?t|do not) (?:do|change|cancel|make|touch|proceed|go ahead|bother)"
    r"|(?:i['’]?ll|let me|need to|have to) think"
    r"|(?:all|just|only) (?:that )?(?:i )?want(?:ed)? to know"
    r"|just (?:asking|checking|curious)|get back to you|i['’]?d rather (?:keep|not)"
    r"|keeping(?! (?:the|my|a|that|this) (?:gift|cert|card|visa|master|paypal))"
    r"|(?:(?<=^)|(?<=[,;.!] )|(?<=\bno )|(?<=\boh )|(?<=\bhm )|(?<=\bbut ))wait)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:^|[,;.!]\s*|\bbut )(?:no|nope|nah)(?:[,.!]|$| thank| we\b| i\b)", re.IGNORECASE
)
_REQUEST = re.compile(
    r"\b(?:please|pls|just (?:do|book|go|take|make)|go (?:on|ahead|for)|proceed|confirm\w*"
    r"|you do|do (?:it|that|the|all|both|those|them)|let['’]?s"
    r"|instead|i['’]?d like|i (?:want|need)(?= +\w)|use|make it|stick with|i['’]?ll (?:take|go)"
    r"|yes+|yep|yup)\b",
    re.IGNORECASE,
)
_ASSENT = re.compile(
    r"\b(?:mhm|uh-?huh|fine|alright|all right|good|perfect|great|ok(?:ay)?|sure|si|oui|both|go)\b",
    re.IGNORECASE,
)


def declines(
    answer: Utterance, about: Iterable[Sentence] | None = None, told: Utterance | None = None
) -> str:
    """The sentence of an answer that says no or not yet; empty if it says anything else.

    ``about`` is the part of the answer that concerns the matter at hand, or None for all of it.
    ``told`` is the message that it answers.
    """
    if says_yes(answer.text) or _REQUEST.search(answer.text) or _wants_more(answer, told):
        return ""
    for sentence in answer.own if about is None else about:
        if _STOP.search(sentence.text):
            return sentence.text
        says_no = _NO.search(sentence.text) and not _ASSENT.search(answer.text)
        if says_no and not _corrects(sentence, told):
            return sentence.text
    return ""


def _wants_more(answer: Utterance, told: Utterance | None) -> bool:
    """Whether *no wait, …* only takes back that there is nothing else the customer wants."""
    asked = [each for each in told.own if "?" in each.text] if told is not None else []
    return len(answer.own) > 1 and bool(asked) and all(_MORE.search(e.text) for e in asked)


_MORE = re.compile(r"\b(?:any|some)thing else\b", re.IGNORECASE)


def _corrects(answer: Sentence, told: Utterance | None) -> bool:
    """Whether *no, by mistake* answers a question about a detail, not whether to go ahead."""
    asked = [each for each in told.own if "?" in each.text] if told is not None else []
    return bool(
        asked and len(answer.words) > 1 and not any(_GO_AHEAD.search(each.text) for each in asked)
    )


_GO_AHEAD = re.compile(
    r"\b(?:proceed|go (?:ahead|on)|confirm\w*|shall|should|would|want|like|may|can|do|does"
    r"|ok(?:ay)?|yes|correct|right|sounds?|agree|happy|ready|sure|anything|else)\b",
    re.IGNORECASE,
)


def begins_with_no(answer: Utterance) -> bool:
    """Whether an answer begins with a no, whatever comes after it."""
    return any(_FIRST_NO.match(each.text) for each in answer.own[:1])


_FIRST_NO = re.compile(r"\W*(?:(?:oh|hm+|um+|well|ugh|ah)\W+)*(?:no|nope|nah)\b", re.IGNORECASE)


def agrees(answer: Utterance) -> bool:
    """Whether an answer says yes in any words; cached, because answers are checked repeatedly."""
    return _says_yes_somehow(answer.text)


@lru_cache(maxsize=_KEPT)
def _says_yes_somehow(text: str) -> bool:
    if says_yes(text):
        return True
    refuses = any(_NO.search(each.text) for each in sentences(text)[:1])
    return not refuses and bool(_ASSENT.search(text) or _REQUEST.search(text))
