"""Who is speaking: e-mail addresses, names, zip codes and account ids in what was typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.clerk.english import EMAIL, ZIP, Language, plain

_NAME = r"([a-z][a-z'-]*[a-z])\s+([a-z][a-z'-]*[a-z])(?:\s+([a-z][a-z'-]*[a-z]))?"
_BEFORE_ZIP = re.compile(
    rf"(?:^|[^\w@.]){_NAME}\s*[,.;:(/-]*\s*(?:(?:and )?(?:my |at |in )?"
    r"(?:zip|zipcode|zip code|postal code)?\s*(?:is|:|=)?\s*)?\d{5}\b"
)
_SELF = re.compile(rf"(?:^|[^\w@.]){_NAME}\s+(?:here|speaking)\b")
_BARE = re.compile(rf"^\W*(?:(?:it's|yes|sure|ok|hi|hello|hey)[\s,]+)*{_NAME}\W*$")
_OPENING = re.compile(rf"^\W*(?:(?:it's|yes|sure|ok|hi|hello|hey)[\s,!.]+)*{_NAME}\s*[,.(;]")
_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,5}\b")
_LABELLED = re.compile(
    r"\bfirst(?: name)?[:\s]+(?:is )?([a-z'-]+)\W+(?:and )?(?:my )?last(?: name)?"
    r"[:\s]+(?:is )?([a-z'-]+)"
)


@dataclass
class Identity:
    """What a customer has told about who they are, in the order told."""

    emails: list[str] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)
    zips: list[str] = field(default_factory=list)
    user_ids: list[str] = field(default_factory=list)

    @property
    def user_id(self) -> bool:
        """Whether an account id was named; in retail it is not proof of anything."""
        return bool(self.user_ids)

    def add(self, other: Identity) -> None:
        """Take in what a later message tells."""
        for mine, theirs in (
            (self.emails, other.emails),
            (self.zips, other.zips),
            (self.user_ids, other.user_ids),
        ):
            mine.extend(each for each in theirs if each not in mine)
        self.names.extend(each for each in other.names if each not in self.names)


def identity(text: str, language: Language) -> Identity:
    """E-mails, names, zip codes and account ids in a message."""
    low = plain(text)
    without = _USER_ID.sub(" ", EMAIL.sub(" ", low))
    return Identity(
        emails=EMAIL.findall(low),
        names=_names(without, language),
        zips=ZIP.findall(without),
        user_ids=list(dict.fromkeys(_USER_ID.findall(low))),
    )


def _names(text: str, language: Language) -> list[tuple[str, str]]:
    labelled = _LABELLED.search(text)
    if labelled:
        return [(labelled.group(1).title(), labelled.group(2).title())]
    found = []
    for trigger in language.pattern("name_triggers").finditer(text):
        hit = re.match(rf"[\s:,]*{_NAME}", text[trigger.end() : trigger.end() + 80])
        found.append(_name(hit, language))
    found += [
        _name(_BARE.match(text), language),
        _name(_OPENING.match(text), language),
        _name(_SELF.search(text), language),
        *(_name(hit, language) for hit in _BEFORE_ZIP.finditer(text)),
    ]
    return list(dict.fromkeys(each for each in found if each))


def _name(hit: re.Match[str] | None, language: Language) -> tuple[str, str] | None:
    """First and last name; a third word is taken for the last name only where it can be one."""
    if hit is None:
        return None
    refused = language.words["not_names"]
    first, last, third = hit.groups()
    if first in refused and third and last not in refused and third not in refused:
        first, last = last, third
    if (
        first in refused
        or last in refused
        or "'" in first
        or "i'm" in last
        or _is_thing(first, last, language)
    ):
        return None
    return _cased(first), _cased(last)


def _is_thing(first: str, last: str, language: Language) -> bool:
    """Whether the words are a product or a place: "cancel trail shoes" holds no name."""
    return last.upper() in language.words["states"].values() or language.says(
        "thing", f"{first} {last}"
    )


def _cased(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))
