"""Finds who is speaking: e-mail addresses, names, zip codes and account ids in a message."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any

from agent.clerk.understanding.correcting import corrected_values

LONGEST = 2000
"""How many characters of one message are read."""

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}")
ZIP = re.compile(r"(?<![\w#])\d{5}(?![\w-])")
_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,5}\b")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\t": " "})
_NAME = r"([a-z][a-z'-]*[a-z])\s+([a-z][a-z'-]*[a-z])(?:\s+([a-z][a-z'-]*[a-z]))?"
_START = r"^\W*(?:(?:it's|yes|sure|ok|hi|hello|hey)[\s,!.]+)*"
_PLACES_OF_NAMES = (
    re.compile(
        rf"\b(?:my (?:full )?name(?:'s| is)|name(?: is|:)|i am|i'm|im\b|i go by)(?=[\s:,]*{_NAME})"
    ),
    re.compile(
        r"(?:^|[^\w\s,]\s*|\b(?:hi|hello|hey|there|yes|sure|ok|and|so)[\s,]+)"
        rf"(?:this is|it's|it is|its)(?=[\s:,]*{_NAME})"
    ),
    re.compile(
        rf"{_START}{_NAME}(?:\W*$|\s*[,.(;]|\s+(?:(?:from|in)\s|here\b|speaking\b)"
        r"|\s+(?:and|with)\s.*\b\d{5}\b)"
    ),
    re.compile(
        rf"(?:^|[^\w@.]){_NAME}\s*[,.;:(/-]*\s*(?:(?:and )?(?:my |at |in )?"
        r"(?:zip|zipcode|zip code|postal code)?\s*(?:is|:|=)?\s*)?\d{5}\b"
    ),
)
_LABELLED = re.compile(
    r"\bfirst(?: name)?[:\s]+(?:is )?([a-z'-]+)\W+(?:and )?(?:my )?last(?: name)?"
    r"[:\s]+(?:is )?([a-z'-]+)()"
)
_WRITTEN = r"([A-Z][\w'-]+\s+[A-Z][\w'-]+)(?=\s*(?:[,.;!]|$|here\b|speaking\b)"
_CLAUSE_OF_NAME = re.compile(rf"(?:^|[,.;:!?]\s+){_WRITTEN})")
"""A clause of two words that are both written like names."""

_NAME_BESIDE_ZIP = re.compile(rf"(?:^|[,.;:!?]\s+|\b(?!the )[a-z]+ ){_WRITTEN}|\s[a-z\d])")
"""Two such words anywhere: where a zip code is told, the name is, too."""


@dataclass
class Identity:
    """What a customer has said about who they are, oldest first."""

    emails: list[str] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)
    zips: list[str] = field(default_factory=list)
    user_ids: list[str] = field(default_factory=list)

    @property
    def user_id(self) -> bool:
        """Whether an account id was given; in retail it proves nothing."""
        return bool(self.user_ids)

    def add(self, other: Identity) -> None:
        """Add what a later message says, without repeating values."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            mine.extend(told for told in theirs if told not in mine)


def identity(text: str) -> Identity:
    """The e-mail addresses, names, zip codes and account ids in a message."""
    low = plain(text)
    without = _USER_ID.sub(" ", EMAIL.sub(" ", low))
    hits = [_LABELLED.search(without)]
    hits = hits if hits[0] else [hit for each in _PLACES_OF_NAMES for hit in each.finditer(without)]
    zips, short = ZIP.findall(without), text[:LONGEST]
    names = [_name(hit) for hit in (*hits, *_written(_CLAUSE_OF_NAME, short)) if hit is not None]
    if zips and not any(names):
        names = [_name(hit) for hit in _written(_NAME_BESIDE_ZIP, short) if hit is not None]
    return Identity(
        emails=EMAIL.findall(low),
        names=list(dict.fromkeys(filter(None, names))),
        zips=zips,
        user_ids=list(dict.fromkeys(_USER_ID.findall(low))),
    )


def _written(form: re.Pattern[str], text: str) -> list[re.Match[str] | None]:
    return [re.match(f"{_NAME}$", each.lower()) for each in form.findall(text)]


def introduces(text: str) -> bool:
    """Whether a text only says who is speaking: "Nora Lindqvist, zip is 55408"."""
    found = identity(text)
    return bool(found.names and found.zips)


def correct_identity(known: Identity, text: str) -> Identity | None:
    """The corrected values if a text corrects a slip in the latest ones; None if it does not."""
    ids = [each.replace("_", " ") for each in known.user_ids]
    names = [" ".join(each) for each in known.names]
    told = {"email": known.emails, "zip": known.zips, "user_id": ids, "name": names}
    right = corrected_values(text, {name: each[-1] for name, each in told.items() if each})
    first, _, last = right.pop("name", "").partition(" ")
    user_id = right.pop("user_id", "").lower().replace(" ", "_")
    found = Identity(
        emails=[right["email"]] if "email" in right else [],
        names=[(first, last)] if last else [],
        zips=[right["zip"]] if "zip" in right else [],
        user_ids=[user_id] if user_id else [],
    )
    return found if right or last or user_id else None


def _name(hit: re.Match[str]) -> tuple[str, str] | None:
    """First and last name; they may follow a first word that cannot be a name."""
    known, (first, last, third) = name_data(), hit.groups()
    refused = known["not_names"]
    if first in refused and third and last not in refused and third not in refused:
        first, last = last, third
    things = {*known["things"], *(f"{each}s" for each in known["things"])}
    is_place = last.upper() in known["states"].values()
    if first in refused or last in refused or "'" in first or is_place or things & {first, last}:
        return None
    return first.title(), last.title()


@cache
def name_data() -> dict[str, Any]:
    """The content of ``names.json``: words that are not names, things, and state codes."""
    text = resources.files("agent.clerk").joinpath("names.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def plain(text: str) -> str:
    """The text in lower case with straight quotes and single spaces, cut to ``LONGEST``."""
    short = text[:LONGEST].translate(_QUOTES).lower()
    return re.sub(r"[ \xa0]+", " ", short).strip()
