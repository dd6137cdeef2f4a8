"""Rules for the scope of "don't", "if", "except" and "at most", which intents do not capture."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise, takewhile

from agent.clerk.understanding.clauses import limit
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import Tokens, find, has, places_of, tokens
from agent.comparison.sentences import sentences

_POINTING = frozenset(tokens("it that this them those these"))
_AFTER = frozenset(tokens("nothing none"))
_SOON = 7
"""Within how many words at the start of a sentence a question or a denial must show."""

_BRIEF = 11
"""The most words of a sentence that only asks for a moment."""

_UNWANTED = tuple(map(tokens, ("don't want", "dont want", "do not want", "never wanted")))
_ANEW = frozenset(tokens("but and so just because"))
"""Words after which something else is said."""

_MODAL = frozenset(tokens("can could will may"))
_FEW = 3
"""The most words of a no that takes everything back."""

_BARE_NO = frozenset(GENERAL.words["beside a retraction"] | GENERAL.words["no"])
_UNNAMED = _POINTING | frozenset(
    tokens("em one ones any more anymore longer now after all thx pls")
)
_FIRST = frozenset(tokens("hi hello hey so and but well ok okay er um"))
_CLAUSE = re.compile(r"\s*[,.;]\s+|\s+(?=but )")
_NEXT_QUESTION = re.compile(
    r"(?:,\s*|\s+)(?:and|also|plus|&)\s+(?=(?:what|how|when|where|who|which|why|is|are|do|does|did"
    r"|can|could|will|may)\b)|,\s+(?=(?:what|how|when|where|who|which|why)\b)",
    re.IGNORECASE,
)
_IF_CLAUSE = re.compile(
    r"\b(?:if|unless|in case|as (?:soon|long) as|until|once|should|provided(?: that)?"
    r"|depending on (?:whether|if|how))\s+([\w'’ -]+)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;.!?]|\b(?:but|and|so|just|because)\b", re.IGNORECASE)


def is_denied(words: Tokens, verbs: Iterable[str], *, everywhere: bool = False) -> bool:
    """Whether one of the verbs is negated: "don't cancel", "cancel nothing".

    With ``everywhere``, every occurrence has to be: not "change the one, don't change the other".
    """
    places = (each for verb in verbs for each in places_of(tokens(verb), words))
    found = [
        _is_under(words, place, "denying") or _is_denied_after(words[end:]) for place, end in places
    ]
    return bool(found) and all(found) if everywhere else any(found)


def only_denies(words: Tokens, verbs: Iterable[str]) -> bool:
    """Whether one of the verbs is negated, and nothing else is said or named."""
    known = GENERAL.words
    own = {word for verb in verbs for word in tokens(verb)}
    empty = own | known["denying"] | known["between denial and verb"] | known["beside a retraction"]
    return set(words) <= empty | _POINTING and is_denied(words, verbs)


def is_change_denied(text: str, changing: Iterable[str], cues: Iterable[str]) -> bool:
    """Whether a change of what the cues name is denied: "don't change anything in my profile"."""
    parts = (tokens(each) for each in _PARTS.split(text))
    return any(has(each, *cues) and is_denied(each, changing) for each in parts)


def _is_denied_after(words: Tokens) -> bool:
    """Whether the words after a verb negate it: "cancel nothing", "my address is not 12 Elm St"."""
    phrases = [tokens(each) for each in GENERAL.by_name["is not"]]
    rest = next((words[len(each) :] for each in phrases if words[: len(each)] == each), ())
    return bool(_AFTER & set(words[:1])) or bool(rest and rest[0][0].isdigit())


def _is_under(words: Tokens, place: int, name: str) -> bool:
    """Whether one of the phrases of a name precedes a verb, with only filler words in between."""
    phrases = [tokens(each) for each in GENERAL.by_name[name]]
    for end in range(place, 0, -1):
        if any(words[:end][-len(each) :] == each for each in phrases):
            return True
        if words[end - 1] not in GENERAL.words["between denial and verb"]:
            return False
    return False


def asks_about(words: Tokens) -> bool:
    """Whether a question is about an act without requesting it.

    "Is cancelling it free?" and "would it be possible?" are; "do you think you could cancel it?" is
    a request.
    """
    while words and words[0] in _FIRST:
        words = words[1:]
    if words[:1] in {("would",), ("wud",)} and "possible" in words[:_SOON]:
        return True
    openings = map(tokens, GENERAL.by_name["about an act"])
    return any(words[: len(each)] == each for each in openings) and not tells(words, "polite")


def seeks_information(words: Tokens) -> bool:
    """Whether a sentence asks for information: "is it on my card?", "tell me where you think …".

    "Is there any way to …" requests an act.
    """
    while words and words[0] in _FIRST:
        words = words[1:]
    if tells(words, "polite") or tells(words, "asks for an act"):
        return False
    first = words[0].split("'")[0] if words else ""
    return first in GENERAL.words["asking"] - _MODAL or tells(words, "wants to know")


def questions(text: str) -> list[str]:
    """The questions of a sentence that asks several: "what is it, and when does it come?"."""
    parts = _NEXT_QUESTION.split(text)
    first = next((word for word in tokens(parts[0]) if word not in _FIRST), "")
    asks = first.split("'")[0] in GENERAL.words["asking"]
    return (
        [each if each.endswith("?") else f"{each}?" for each in parts]
        if asks and parts[1:]
        else [text]
    )


def wavers(words: Tokens, verbs: Iterable[str]) -> bool:
    """Whether an act is only considered: "maybe cancel it", "unless she comes I'd cancel it"."""
    places = [place for verb in verbs for place, _ in places_of(tokens(verb), words)]
    supposed = [tokens(each) for each in GENERAL.by_name["supposed"]]
    if any(_is_under(words, place, "wavering") for place in places):
        return not tells(words, "permission")
    after = any(words[:place][-len(each) :] == each for place in places for each in supposed)
    return after and tells(words, "conditions")


def nearly_was(words: Tokens, verbs: Iterable[str]) -> bool:
    """Whether an act only nearly happened: "I almost cancelled it"."""
    near = GENERAL.words["by a hair"]
    acts = [other for one, other in pairwise(words) if one in near]
    return any(act.startswith(tokens(verb)[0]) for act in acts for verb in verbs)


def cannot(words: Tokens, verbs: Iterable[str]) -> bool:
    """Whether the customer is unable to act, as a remark or a request: "I can't cancel"."""
    places = (place for verb in verbs for place, _ in places_of(tokens(verb), words))
    return any(_is_under(words, place, "unable") for place in places)


def uncheckable_condition(text: str) -> str:
    """A condition that no record can confirm: "if it rains", "unless my wife recovers"."""
    if tells(tokens(text), "what if"):
        return ""
    hits = (hit for hit in _IF_CLAUSE.finditer(text) if _is_of_world(tokens(hit[1])))
    return next((hit.group().strip() for hit in hits), "")


def _is_of_world(words: Tokens) -> bool:
    """Whether it is about the weather, or about a person but not about what they may do."""
    known, first = GENERAL.words, set(words[:1])
    owned = first & known["owners"] and set(words[1:2]) & known["people"]
    somebody = owned or first & known["somebody"]
    return tells(words, "weather") or bool(somebody and not tells(words, "may"))


def stays(words: Tokens) -> bool:
    """Whether something is to stay as it is; "all else stays" keeps only the rest."""
    if has(words, "everything else", "all else", "the rest"):
        return False
    return tells(words, "stays") or words[-1:] in (("stays",), ("stay",)) or _keeps(words)


def without_kept(text: str) -> str:
    """A text without the clauses that only say that something stays: "…, my profile can stay"."""
    clauses = [each for each in _CLAUSE.split(text) if each and each.strip()]
    told = [each for each in clauses if not stays(tokens(each))]
    return ", ".join(told) if told else text


def corrects(words: Tokens) -> bool:
    """Whether something replaces what was just said."""
    return tells(words[:4], "in its place")


def _keeps(words: Tokens) -> bool:
    """Whether something is to be kept; "you keep sending" does not say so."""
    if tells(words, "keeping"):
        return True
    place = find(("keep",), words)
    after = words[place + 1 : place + 2]
    return place >= 0 and bool(after) and not after[0].endswith("ing")


def wants_none(words: Tokens) -> bool:
    """Whether none is wanted: "no extra bag needed"; "no longer needed" does not say so."""
    while words and words[0] in _FIRST:
        words = words[1:]
    denies = words[:1] == ("no",) and words[1:2] != ("longer",)
    return denies and tells(words[:_SOON], "needless")


def wants_undone(words: Tokens, verbs: Iterable[str]) -> bool:
    """Whether an act is what is not wanted.

    "I don't want the planner cancelled" and "cancelling it is no longer needed" say so.
    """
    stems = tuple(tokens(each)[0].removesuffix("e") for each in verbs)
    place = next((end for each in _UNWANTED for _, end in places_of(each, words)), len(words))
    wanted = takewhile(lambda each: each not in _ANEW, words[place:])
    if any(each.startswith(stems) and each.endswith(("ed", "en")) for each in wanted):
        return True
    act = next((each for each in words if each not in _FIRST | {"the", "a", "any"}), "")
    noun = act.startswith(stems) and act.endswith(("ing", "ation"))
    return noun and tells(words, "not needed")


def lets_go(words: Tokens, text: str) -> bool:
    """Whether something is to be left alone; not if "forget it" only sets a limit."""
    if limit(text) is not None and has(words, "if", "or forget it"):
        return False
    return tells(words, "let go")


def only_forbids_if(words: Tokens) -> bool:
    """Whether a sentence only says when not to act: "if it's more, I don't want it"."""
    while words and words[0] in _FIRST | {"or"}:
        words = words[1:]
    return words[:1] == ("if",) and tells(words, "not then")


def asks_to_wait(text: str) -> bool:
    """Whether a message ends by asking for a moment: "hold on, I'm asking her"."""
    ending = tokens(sentences(text)[-1].text) if text.strip() else ()
    return tells(ending, "hold on") and len(ending) <= _BRIEF and not text.rstrip().endswith("?")


def says_also(words: Tokens) -> bool:
    """Whether one more of the same is named: "the lamp too", "also the lamp"; not "too small"."""
    ends = words[-1:] == ("too",) or tells(words, "too at an end")
    return ends or tells(words, "as well")


def takes_back(words: Tokens) -> bool:
    """Whether everything is dropped: "never mind"; not "no other requests"."""
    if tells(words, "all but this"):
        return False
    return tells(words, "all of it") or (len(words) <= _FEW and set(words) <= _BARE_NO)


def is_reason(words: Tokens) -> bool:
    """Whether words only say that something is not needed any more: "dont need em"."""
    places = [place for place, word in enumerate(words) if word in {"need", "want", "needed"}]
    return bool(places) and set(words[places[-1] + 1 :]) <= _UNNAMED
