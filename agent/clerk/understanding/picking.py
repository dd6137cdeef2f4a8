"""Finds which of the offered choices a customer picks: "2", "the second", or by its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from agent.clerk.understanding.mention_roles import Span, roles_of
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.ranking import pick_by_rank
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.tokens import Tokens, alike, has, span, tokens

_ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "fifth": 5,
    "last": -1, "former": 1, "latter": 2, "top": 1, "bottom": -1,
}  # fmt: skip
_NAMED = re.compile(r"(?:\b(?:number|option|no\.|nr\.?|choice) ?#?|(?<!\w)#)([1-9])\b", re.I)
_REJECTED = re.compile(r"\bnot\b[^,.;]*", re.IGNORECASE)
"""What is said not to be meant: "not the 200 one, the 125"."""

_TELLING = re.compile(r"\d{3,}(?:\.\d+)?|\d{2}(?= (?:dollar|buck))")
"""Numbers by which a choice can be told: the end of a card's number, or a price."""

_CLAUSE = re.compile(r"[,.;!?:()]+(?!\d)|\s-+\s|\b(?:but|because|and)\b", re.IGNORECASE)
_FILLERS = GENERAL.words["beside numbers"] | GENERAL.words["empty"] | GENERAL.words["chatter"]
"""Words of a pick that tell nothing themselves."""

BRIEF = 2
"""A question with no more words picks: "2?", "the visa?"."""

SENTENCES = re.compile(
    r"(?<=[.!?])\s+"
    r"|,\s*(?=(?:and |but |so )?(?:what|how|when|where|which|why|who|is|are|does|do)\b)"
)
"""Where a sentence ends, or a clause that asks begins."""
_TAKEN_BACK = re.compile(
    r"(?<=\w)(?:"
    r"[ ,.…–-]+(?:no,? wait|wait,? no|no,? sorry|scratch that|oh no|hang on|hold on|hm+,? no"
    r"|or rather|well,? no|or well|actually,? no|no,? actually|make that|oh sorry|nah)"
    r"|(?:\.\.+|…| [–-]+) ?(?:hm+,? |oh,? |well,? )?(?:no|sorry|wait|actually)"
    r")\b(?! (?:for|to|about)\b)(?!\W*$)",
    re.IGNORECASE,
)
"""After what a reply takes something back: "the first, no wait, the second"."""

_QUESTIONS = frozenset(
    tokens("what what's whats how when where which why who is are does do did would will was were")
)
_ASK_UNMARKED = frozenset(tokens("what's whats how when where which why does did"))
"""Those that begin a question also where no mark ends it: "do the second" asks nothing."""

_OPENERS = frozenset({"and", "so", "but", "hm", "hmm", "ok", "wait", "oh"})
_FOR_AN_ACT = (
    *("what about", "how about", "can i have", "can i take", "can i get", "can you", "could you"),
    *("could i", "can we", "could we", "may i", "would you"),
)
"""What a question holds that asks for something to be done, or to be confirmed."""

_APPROVAL = frozenset({"is", "'s", "good", "fine", "great", "works", "sounds", "looks", "perfect"})
"""Words that say no more of a number than that it is the one: "1 is good"."""

_APART = 3
"""How many tokens further on a word of a choice no longer belongs to the one before."""

LONGEST_SHRUG = 8
"""The most words of a clause that leaves the choice to the clerk."""

_RANGE = re.compile(r"\b([1-9])\s*(?:-|–|to|through)\s*([1-9])\b")


def pick_place(text: str, choices: Sequence[str], *, by_words: bool = True) -> int | None:
    """The index of the choice that is meant; None if that is unclear."""
    text = decided_part(text)
    count, words = len(choices), tokens(text)
    place = pick_by_position(text, choices)
    if place is not None:
        return place
    places = _told_by_number(_REJECTED.sub(" ", text), choices)
    if len(places) == 1:
        return places.pop()
    if has(words, "not the", "don't", "dont", "neither", "none", "do not"):
        return None
    if count and any_will_do(text):
        named = pick_by_difference(text, choices)  # "ok, whatever, the gift card"
        cheapest = pick_by_rank(("cheapest",), choices)
        return next((each for each in (named, cheapest) if each is not None), 0)
    return pick_by_difference(text, choices) if by_words else None


def _told_by_number(text: str, choices: Sequence[str]) -> set[int]:
    """The indices of choices that are told by a number of theirs: "the one that ends in 6980"."""
    told = set()
    for digits in _TELLING.findall(text):
        found = [n for n, each in enumerate(choices) if re.search(rf"{re.escape(digits)}\b", each)]
        told |= {*found} if len(found) == 1 else set()
    return told


def decided_part(text: str) -> str:
    """What a reply decides: without what it asks, and without what it takes back.

    "The first, no wait, the second. How heavy is it?" decides for the second.
    """
    told = " ".join(each for each in SENTENCES.split(text) if not only_asks(each))
    *_, last = _TAKEN_BACK.split(told)
    return correct(last)


def only_asks(sentence: str) -> bool:
    """Whether a sentence asks something, and does not ask for one of the choices to be taken."""
    words = tokens(sentence)
    asks = sentence.rstrip().endswith("?") and not _QUESTIONS.isdisjoint(words)
    opens = len(words) > 1 and words[0 if words[0] not in _OPENERS else 1] in _ASK_UNMARKED
    for_an_act = has(words, *_FOR_AN_ACT) or words[-1:] in {("right",), ("ok",)}
    return ((asks and len(words) > BRIEF) or opens) and not for_an_act


def pick_by_position(text: str, choices: Sequence[str]) -> int | None:
    """The index of the choice that a reply names by its place: "2", "the second", "the early one".

    Its place is also that in the order of prices, times or sizes.
    """
    count, words = len(choices), tokens(text)
    numbers = [int(each) - 1 for each in _NAMED.findall(text)[:1]] or _numbers(text, count)
    if len(numbers) == 1 and numbers[0] < count:
        return numbers[0]
    if has(words, "don't", "dont", "do not", "neither", "none"):
        return None
    if count == 3 and has(words, "middle", "middle one"):
        return 1
    for name in _ORDINALS:
        if has(words, f"{name} one", f"the {name}", f"{name} option") or words == (name,):
            place = _place(name, count)
            if has(words, f"not the {name}", f"not {name}"):
                return 1 - place if count == 2 and 0 <= place < count else None
            return place if 0 <= place < count else None
    return pick_by_rank(words, choices)


def any_will_do(text: str, name: str = "either") -> bool:
    """Whether a reply leaves the choice to the clerk: "they're twins, whichever you like".

    "It doesn't matter any more" and "doesn't matter, forget it" let go instead. With "your choice"
    for ``name``, only words that can mean nothing else count.
    """
    words = tokens(text)
    ranked = has(words, "cheapest", "cheaper", "most expensive", "dearest", "best")
    if ranked or tells(words, "no choice"):
        return False
    return any(_is_shrug(each, name) for each in map(tokens, _CLAUSE.split(text)))


def beside_shrug(text: str) -> str:
    """What a reply wants besides leaving the choice to the clerk: "either. Let's say the later".

    "Pick one, and leave me the other" wants nothing else.
    """
    parts = {each.strip(): tokens(each) for each in _CLAUSE.split(text)}
    rest = (each for each, words in parts.items() if not has(words, "keep", "leave", "stays"))
    return ", ".join(each for each in rest if not _is_shrug(parts[each], "either"))


def _is_shrug(clause: Tokens, name: str) -> bool:
    return len(clause) <= LONGEST_SHRUG and (clause == ("either",) or tells(clause, name))


def _numbers(text: str, count: int) -> list[int]:
    """The places that clauses give with nothing else in them: "2 and 3!! like i said lol"."""
    found: set[int] = set()
    for clause in map(tokens, _CLAUSE.split(text)):
        numbers = [each for each in clause if each.isdecimal()]
        rest = {each for each in clause if not each.isdecimal()}
        leads = clause[:1] == tuple(numbers) and set(clause[1:2]) <= _FILLERS
        bare = leads or rest <= _FILLERS | _APPROVAL
        if len(numbers) == 1 and bare and 0 < int(numbers[0]) <= count:
            found.add(int(numbers[0]) - 1)
    return sorted(found)


def pick_by_difference(text: str, choices: Sequence[str]) -> int | None:
    """The index of the choice whose own words are said, or that is left when others are rejected.

    "The lagoon one. The stone I keep" picks by what only one choice has; "not the visa" by what is
    left of two.
    """
    named = _named_by_own_words(text, choices)
    roles = roles_of(text, tuple(where for _, where in named))
    told = {place: role for (place, _), role in zip(named, roles, strict=True)}
    wanted = {place for place, role in told.items() if role in {"wanted", "acted_on"}}
    rejected = {place for place, role in told.items() if role == "kept_out"}
    picked = wanted or ({*range(len(choices))} - rejected if rejected else set())
    return picked.pop() if len(picked) == 1 else None


def _named_by_own_words(text: str, choices: Sequence[str]) -> list[tuple[int, Span]]:
    """The choices that a text names by words that are not of all of them, each with where.

    Words of a choice that stand together in a clause name it once.
    """
    told = [set(tokens(each)) for each in choices]
    shared = set.intersection(*told) if told else set()
    own = [each - shared - _FILLERS for each in told]
    runs: list[tuple[list[int], Counter[int]]] = []
    end = 0
    for clause in map(tokens, _CLAUSE.split(text)):
        begin, end = end, end + len(clause)
        for place, word in enumerate(clause, begin):
            hits = {n for n, each in enumerate(own) if any(alike(word, e) for e in each)}
            if not hits:
                continue
            places, fits = runs[-1] if runs else ([-_APART], Counter[int]())
            near = begin <= places[-1] and place - places[-1] <= _APART
            if not near or hits.isdisjoint(_best(fits)):
                runs.append(([], Counter()))
            runs[-1][0].append(place)
            runs[-1][1].update(hits)
    clear = ((places, _best(fits)) for places, fits in runs if len(_best(fits)) == 1)
    return [(best.pop(), span(text, places[0], places[-1] + 1)) for places, best in clear]


def _best(fits: Counter[int]) -> set[int]:
    """The choices that fit best."""
    return {each for each, many in fits.items() if many == max(fits.values())}


def pick_places(text: str, count: int) -> list[int]:
    """The indices of several choices of ``count``: "1 and 3", "the first two", "both", "all"."""
    spread = _RANGE.sub(
        lambda hit: ", ".join(map(str, range(int(hit[1]), int(hit[2]) + 1))),
        re.sub(r"(?<=\d),(?=\d)", ", ", text),
    )
    words = [each for each in tokens(spread) if each not in GENERAL.words["beside numbers"]]
    match words:
        case ["all" | "everything"] | ["all", _] if words[1:] in ([], [str(count)]):
            found = [*range(count)]
        case ["both"] if count == 2:
            found = [0, 1]
        case ["first", number] if number.isdecimal():
            found = [*range(min(int(number), count))]
        case ["last", number] if number.isdecimal():
            found = [*range(max(count - int(number), 0), count)]
        case _:
            found = sorted({_place(each, count) for each in words})
            found = found if found[:1] >= [0] else _numbers(text, count)
    return found if len(found) > 1 and found[0] >= 0 and found[-1] < count else []


def _place(word: str, count: int) -> int:
    """The index that a word refers to; -1 if it refers to none."""
    number = int(word) if word.isdecimal() else _ORDINALS.get(word, 0)
    return count - 1 if number < 0 else number - 1
