"""Items and payment methods that a clause speaks of."""

from __future__ import annotations

import re

from agent.clerk.retail.language import (
    ITEM_ID,
    meanings,
    noun_pattern,
    pattern,
    says,
    singular,
    words,
)
from agent.clerk.retail.requests import Intent, Thing


def payments(clause: str) -> list[str]:
    """Payment methods in the order they are named: ids, last digits, kinds, brands."""
    ids = pattern("payment_id").findall(clause)
    clause = pattern("paid_with").sub(" ", clause)
    digits = pattern("last_four").findall(clause)
    named = meanings("payments", clause)
    if "original" in named and "credit_card" in named:
        named.remove("credit_card")
    if "credit_card" in named and {"visa", "mastercard", "amex"} & set(named):
        named.remove("credit_card")
    if (
        "credit_card" in named
        and "gift_card" in named
        and not re.search(r"(?<!gift )\bcard\b", clause)
    ):
        named.remove("credit_card")
    return [*ids, *digits, *named]


def without_circumstances(text: str) -> str:
    """The text without which order it is, how it is paid and why it is wanted."""
    for found in words()["circumstances"]:
        text = re.sub(found, " ", text)
    return " ".join(text.split()).strip(" ,.")


def everything_but(clause: str, extra: tuple[str, ...]) -> tuple[str, list[Thing]]:
    """A clause cut before "except …", and the items excepted."""
    hit = pattern("except").search(clause)
    if hit is None or not (
        says("everything", clause[: hit.start()]) or pattern("keep").match(hit.group())
    ):
        return clause, []
    return clause[: hit.start()], things(clause[hit.end() :], None, extra)


def things(clause: str, intent: Intent | None, extra: tuple[str, ...] = ()) -> list[Thing]:
    """The items a clause speaks of, with what they should become."""
    clause = _without_places(clause)
    instead = pattern("instead").match(clause) if intent is Intent.SWAP else None
    if instead and noun_pattern(extra).search(_masked(instead.group("item"))):
        found = _mentioned(instead.group("item"), None, extra)
        for thing in found:
            thing.wishes = [without_circumstances(instead.group("wish"))]
        return found
    return _mentioned(clause, intent, extra)


def _mentioned(clause: str, intent: Intent | None, extra: tuple[str, ...]) -> list[Thing]:
    hits = _sources(clause, intent, extra)
    if not hits:
        return _unnamed(clause, intent)
    found = [_thing(clause, hit, intent) for hit in hits]
    if intent is Intent.SWAP:
        _add_wishes(clause, hits, found)
    return found


def _without_places(clause: str) -> str:
    """Order ids are not items."""
    return re.sub(r"#?\bw\d{5,9}\b", "", clause)


def _sources(clause: str, intent: Intent | None, extra: tuple[str, ...]) -> list[re.Match[str]]:
    """Mentions that are items to act on; in a swap, not those that say what one becomes."""
    hits = sorted(
        [*noun_pattern(extra).finditer(_masked(clause)), *ITEM_ID.finditer(clause)],
        key=lambda hit: hit.start(),
    )
    if intent is not Intent.SWAP:
        return hits
    kept: list[re.Match[str]] = []
    for hit in hits:
        before = clause[kept[-1].end() if kept else 0 : hit.start()]
        if not _is_target(before, first=not kept):
            kept.append(hit)
    return kept


def _masked(clause: str) -> str:
    """The clause with words blotted out that sound like products and are none."""
    for phrase in words()["not_products"]:
        clause = clause.replace(phrase, "_" * len(phrase))
    return clause


def _is_target(before: str, *, first: bool) -> bool:
    """Whether what stands before a noun makes it the wanted item: "… for a bigger backpack"."""
    if first:
        return bool(pattern("pronoun").search(before)) and bool(
            re.search(r"\b(?:for|to|into|with)\b", before)
        )
    return not pattern("next").search(before) and bool(
        re.search(r"\b(?:for|to|into|with|want|like|as|same|than|of|be)\b", before)
    )


def _thing(clause: str, hit: re.Match[str], intent: Intent | None) -> Thing:
    text = hit.group()
    if text.isdigit():
        return Thing(item_id=text)
    before = clause[: hit.start()]
    every = re.search(
        r"\b(?:all|every|each|both|the two|the three)(?: of)?(?: the| my)?(?: \w+){0,2} ?$", before
    )
    both = every is not None and every.group().startswith("both") and not text.endswith("s")
    words = _qualifiers(before)
    after = pattern("relative_clause").match(clause[hit.end() :])
    if after is not None and intent in {Intent.RETURN, Intent.CANCEL}:
        words = f"{words} {after.group(1)}".strip()
    return Thing(
        noun=_noun(text),
        words="" if words in {"two", "three"} else words,
        every=every is not None and not both,
    )


def _noun(text: str) -> str:
    """The noun as the word lists have it, so that "keyboards" and "keyboard" are one."""
    from agent.clerk.retail.language import product_nouns

    nouns = product_nouns()
    return text if text in nouns else singular(text)


def _qualifiers(before: str) -> str:
    """Up to four words right before a noun: ``small blue``."""
    taken: list[str] = []
    for word in reversed(before.replace(",", " , ").split()[-4:]):
        if word in words()["not_qualifiers"] or not re.fullmatch(r"[\w'%./-]+", word):
            break
        taken.insert(0, word)
    return " ".join(taken)


def _unnamed(clause: str, intent: Intent | None) -> list[Thing]:
    """Read "exchange it for a blue one": an item that only the context can tell."""
    if intent is not Intent.SWAP:
        return []
    wish = _after_link(clause)
    return [Thing(wishes=[wish] if wish else [])]


def _after_link(clause: str) -> str:
    verb = pattern("swaps").search(clause) or re.search(
        r"\b(?:exchang\w+|swap\w*|switch\w*|replac\w+|chang\w+|modif\w+|upgrad\w+|trad\w+|make|want|like|need|get|have|prefer)\b",
        clause,
    )
    text = clause[verb.end() :] if verb else clause
    link = re.search(r"\b(?:for|to|into|with|in)\b", text)
    return without_circumstances(text[link.start() :] if link else text)


def _add_wishes(clause: str, hits: list[re.Match[str]], found: list[Thing]) -> None:
    """The words after an item, up to the next one, tell what it should become."""
    shared: list[str] = []
    for place in range(len(hits) - 1, -1, -1):
        end = _phrase_start(clause, hits[place + 1]) if place + 1 < len(hits) else len(clause)
        text = without_circumstances(clause[hits[place].end() : end])
        text = re.sub(r"(?:^|[\s,])(?:and|but|also|then|instead)\W*$", "", text).strip(" ,")
        text = re.sub(r"\binstead of (?:the|my) one\b.*", "", text).strip(" ,")
        text = re.sub(r"^(?:s|es)\b|^(?:and|also)\b", "", text).strip(" ,")
        aim = _aspect(clause[: hits[place].start()])
        if text:
            shared = [f"{aim} {text}".strip()]
        elif place == len(hits) - 1:
            shared = _ahead(clause[: hits[0].start()], found[0])
        found[place].wishes = list(shared)


def _phrase_start(clause: str, hit: re.Match[str]) -> int:
    links = [*re.finditer(r",|\band\b|&|\bplus\b|\balso\b", clause[: hit.start()])]
    return links[-1].start() if links else hit.start()


def _aspect(before: str) -> str:
    """Read "the size of my boots": what is to change, said before the item."""
    hit = re.search(
        r"\b(?:the|its)? ?([\w ]{2,24}?) (?:of|on|for) "
        r"(?:my |the |that |both |these )*(?:[\w'-]+ ){0,3}$",
        before,
    )
    return hit.group(1).split(" the ")[-1] if hit else ""


def _ahead(before: str, thing: Thing) -> list[str]:
    """Read "I'd like a bigger backpack": the wish stands before the noun."""
    if (
        re.search(r"\b(?:want|like|need|get|prefer|for) (?:a|an|another|some)\b", before)
        and thing.words
    ):
        wish, thing.words = thing.words, ""
        return [wish]
    return []


def is_product_word(word: str) -> bool:
    """Whether a word is a product noun."""
    return bool(noun_pattern().fullmatch(word)) and word not in words()["not_products"]
