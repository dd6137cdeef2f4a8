"""Slot filling for variants: the option values in a text, and the variants that have them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.clerk.retail.intent_data import DATA, SAID, stands_under, tells
from agent.clerk.retail.item_mentions import clauses_of
from agent.clerk.retail.option_text import NO_VALUES, YES_OR_NO, OptionText, orderable, rank
from agent.clerk.retail.wording import options
from agent.clerk.state.records import Json
from agent.clerk.understanding.correcting import after_correction
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import Tokens, alike, find, has, tokens
from agent.clerk.wording import join_parts

_STEM = 4
"""So many letters tell which option a superlative is about: "thickest"."""

_NOTHING: Json = {"options": {}, "item_id": ""}


@dataclass
class VariantConstraints:
    """The constraints and preferences for a variant."""

    now: Json = field(default_factory=_NOTHING.copy)
    """The item that is to be replaced."""

    values: dict[str, list[str]] = field(default_factory=dict)
    """Accepted values by option, the best first; a variant must have one of them."""

    excluded: dict[str, set[str]] = field(default_factory=dict)
    """Values by option that the customer rejects: "not slate"."""

    unheard: dict[str, str] = field(default_factory=dict)
    """What was wanted, by option, that no variant has."""

    free: set[str] = field(default_factory=set)
    """Options for which any value will do."""

    by_price: str = ""
    """``cheapest``, ``dearest`` or empty."""

    direction: dict[str, str] = field(default_factory=dict)
    """``more``, ``less``, ``most`` or ``least``, by option."""

    kept: set[str] = field(default_factory=set)
    """Options that the customer wants unchanged."""

    item_id: str = ""
    same: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said that could select a variant."""
        told = self.values or self.excluded or self.unheard or self.by_price or self.direction
        return not (told or self.item_id)

    @property
    def asks_for_another(self) -> bool:
        """Whether more was said than what the item is like now."""
        now = self.now["options"]
        new = any(now.get(key) not in values for key, values in self.values.items())
        new |= self.excludes(self.now)
        return new or bool(self.by_price or self.direction or self.item_id)

    def excludes(self, variant: Json) -> bool:
        """Whether a variant has a value that was rejected."""
        return any(variant["options"].get(k) in out for k, out in self.excluded.items())

    def take(self, new: VariantConstraints, variants: Mapping[str, Json]) -> None:
        """Add what a newer text tells; of a variant picked before, it changes what it names."""
        picked = variants.get(self.item_id)
        if picked is not None and (new.item_id or new.by_price or not new.is_met_by(picked)):
            self.item_id = ""
            if not (new.item_id or new.by_price):
                self.values.update({key: [value] for key, value in picked["options"].items()})
        told_else = new.values or new.item_id or new.by_price
        self.unheard = {**({} if told_else else self.unheard), **new.unheard}
        for key in new.values:
            self.direction.pop(key, None)
            self.excluded.pop(key, None)
        for key, out in new.excluded.items():
            self.excluded[key] = self.excluded.get(key, set()) | out
            self.values[key] = [each for each in self.values.get(key, ()) if each not in out]
        told = {**self.values, **new.values}
        self.values = {k: values for k, values in told.items() if values and k not in new.free}
        self.same |= new.same
        self.kept |= new.kept
        self.free |= new.free
        self.by_price = new.by_price or self.by_price
        self.item_id = new.item_id or self.item_id

    @property
    def in_words(self) -> str:
        """The wanted values, to follow the product's name."""
        told = {key: " or ".join(values) for key, values in self.values.items()}
        return f" in {options({'options': told})}" if told else " like that"

    def none_like(self, product: Json) -> str:
        """The sentence that no variant has what was wanted; empty if there is nothing like that."""
        told = []
        for key, said in self.unheard.items():
            known = {each["options"][key] for each in product["variants"].values()}
            values = join_parts(sorted(known, key=lambda e: (rank(e) or 0.0, e)), "or")
            told.append(f"There is none with {key} {said}, only {values}. ")
        return "".join(told)

    def lacks(self, variant: Json) -> tuple[int, int]:
        """How many wanted values a variant lacks, and in how many options it differs from now."""
        has, now = variant["options"], self.now["options"]
        lacks = sum(has.get(key) not in values for key, values in self.values.items())
        return lacks, sum(value != now.get(key) for key, value in has.items())

    def nearest(self, pool: Sequence[Json]) -> list[Json]:
        """The variants that lack the fewest of the wanted values."""
        least = min((self.lacks(each)[0] for each in pool), default=0)
        return [each for each in pool if self.lacks(each)[0] == least]

    def keeping(self, pool: Sequence[Json]) -> list[Json]:
        """The variants that have what is to stay as it is now."""
        now = self.now["options"]
        return [e for e in pool if all(e["options"].get(k) == now.get(k) for k in self.kept)]

    def find(self, product: Json) -> list[Json]:
        """The other available variants that meet the constraints."""
        pool = (each for each in product["variants"].values() if each["available"])
        now = self.now["item_id"]
        return [each for each in pool if each["item_id"] != now and self.is_met_by(each)]

    def is_met_by(self, variant: Json) -> bool:
        """Whether a variant has an accepted value for each option and lies in each direction."""
        if self.item_id:
            return bool(variant["item_id"] == self.item_id)
        options = variant["options"]
        if self.excludes(variant) or any(
            options.get(key) not in values for key, values in self.values.items()
        ):
            return False
        for key, way in self.direction.items():
            one, now = rank(options.get(key, "")), rank(self.now["options"].get(key, ""))
            if one is None or now is None:
                continue
            if (way == "more" and one <= now) or (way == "less" and one >= now):
                return False
        return True

    def best(self, pool: list[Json]) -> list[Json]:
        """The best of these variants by direction, preference, likeness to the item, and price."""
        for key, way in self.direction.items():
            pool = _furthest(pool, key, way)
        for key in (each for each in self.values if each not in self.free):
            order = self.values[key]
            hits = ([e for e in pool if e["options"].get(key) == value] for value in order)
            pool = next(filter(None, hits), pool)
        alike_ones = [each for each in pool if self.is_alike(each)]
        if not self.by_price:
            return alike_ones or pool
        close = self.keeping(pool) if self.kept or not self.same else alike_ones
        pick = min if self.by_price == "cheapest" else max
        return [pick(close, key=lambda each: each["price"])] if close else []

    def is_alike(self, variant: Json) -> bool:
        """Whether a variant differs from the item only in options that were mentioned."""
        now, spoken = self.now["options"], {*self.values, *self.direction, *self.free}
        return all(v == now.get(k) for k, v in variant["options"].items() if k not in spoken)


def _furthest(pool: list[Json], key: str, way: str) -> list[Json]:
    ranked = [(rank(each["options"].get(key, "")), each) for each in pool]
    known = [(value, each) for value, each in ranked if value is not None]
    if way not in {"most", "least"} or not known:
        return pool
    end = (max if way == "most" else min)(value for value, _ in known)
    return [each for value, each in known if value == end]


def read_wanted(
    texts: Sequence[str], product: Json, current: Json | None = None
) -> VariantConstraints:
    """The constraints in the texts, oldest first; later ones override earlier ones."""
    told = VariantConstraints(current or _NOTHING)
    known: dict[str, list[str]] = {}
    for each in product["variants"].values():
        for key, value in each["options"].items():
            known[key] = [*dict.fromkeys([*known.get(key, ()), value])]
    own = str(told.now["item_id"])
    others = {k: each for k, each in product["variants"].items() if k != own}
    for text in texts:
        new = VariantConstraints(told.now)
        _read(OptionText(text, known), new)
        named = [each for each in re.findall(r"\b\d{10}\b", text) if each in others]
        new.item_id = named[-1] if named else _by_own_price(tokens(text), known, new, product)
        told.take(new, product["variants"])
        _read_direction(tokens(text), known, told)
    return told


def _read(text: OptionText, told: VariantConstraints) -> None:
    words, now = text.words, told.now["options"]
    told.same |= tells(words, "same")
    told.kept |= {key for key in text.options if has(words, f"same {key}")}
    told.by_price = _by_price(words)
    ends = {each.end for each in clauses_of(text.text)}
    for key in text.options:
        if _is_free(key, words):
            told.free.add(key)
            continue
        hits = text.hits(key)
        counting = after_correction(words, [place for place, _ in hits])
        hits = [each for each in hits if each[0] in counting]
        kept, since = [], 0
        for place, value in hits:
            no = words[place + 1 : place + 2] == ("no",) and place + 2 in ends
            since = 0 if "or" in words[since:place] else since
            if value.lower() in YES_OR_NO:
                kept.append(value)
            elif no or has(words[max(since, place - 2) : place], "not"):
                told.excluded.setdefault(key, set()).add(value)
            elif not _is_under_instead(words[since:], place - since):
                kept.append(value)
            since = place + 1
        places = [place for place, value in hits if value in kept]
        listed = bool(places) and has(words[min(places) : max(places)], "or", "over", ">")
        if len(kept) > 1 and now.get(key) in kept and not listed:
            kept.remove(now[key])
        if kept:
            told.values[key] = kept
        elif said := text.unheard_of(key):
            told.unheard[key] = said


def _by_own_price(
    words: Tokens, known: Mapping[str, list[str]], told: VariantConstraints, product: Json
) -> str:
    """The id of the one variant whose price a text names, "the 112 one"; empty if none is."""
    figures = {each for values in known.values() for value in values for each in tokens(value)}
    others = [e for e in product["variants"].values() if told.is_met_by(e)]
    for place, word in enumerate(words):
        is_figure = len(word) > 1 and word.replace(".", "", 1).isdecimal() and word not in figures
        capped = GENERAL.tell(words[max(0, place - 3) : place], "capped")
        if is_figure and not capped and not NO_VALUES & {*words[place + 1 : place + 2]}:
            found = [e for e in others if float(word) in {e["price"], int(e["price"])}]
            if len(found) == 1 and found[0]["item_id"] != told.now["item_id"]:
                return str(found[0]["item_id"])
    return ""


def _is_free(key: str, words: Tokens) -> bool:
    places = (find(tokens(phrase), words) for phrase in SAID.by_name["free"])
    return any(find(tokens(key), words[each : each + 7]) >= 0 for each in places if each >= 0)


def _by_price(words: Tokens) -> str:
    if tells(words, "if cheaper"):
        return ""
    return next((each for each in ("cheapest", "dearest") if tells(words, each)), "")


def _is_under_instead(words: Tokens, place: int) -> bool:
    """Whether the value at a place is the one to replace.

    It follows "instead of …", or "than" without "better" or "less" before it, or an arrow follows.
    """
    better = has(words[:place], "better", "less")
    than = not better and stands_under(words, place, "than")
    return than or stands_under(words, place, "instead") or words[place + 1 : place + 2] == ("->",)


def _read_direction(
    words: Tokens, known: Mapping[str, list[str]], told: VariantConstraints
) -> None:
    """Read which option should be more or less: a named one, or one that the word is about."""
    ranked = [key for key in known if orderable(known[key])]
    named = [key for key in ranked if any(find((each,), words) >= 0 for each in tokens(key))]
    wanted = []
    for word, (way, about) in DATA["directions"].items():
        if has(words, word):
            fits = [k for k in ranked if any(alike(t, h) for t in tokens(k) for h in about)]
            wanted.append((way, [*fits, *named]))
    for key in ranked:
        if any(each.endswith("est") and each[:_STEM] == key[:_STEM] for each in words):
            told.values.pop(key, None)  # "is 6 mm the thickest?" does not want 6 mm
            wanted.append(("most", [key]))
    if not _by_price(words):
        wanted += [(way, named) for way in ("least", "most") if tells(words, way)]
    for way, keys in wanted:
        if keys and keys[0] not in told.values:
            told.direction[keys[0]] = way
