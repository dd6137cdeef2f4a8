"""What the generators of demo records share: seeded draws, ids from digests, one line per record.

Ids are digests of what they name, so that changing one outline leaves every other record, and
every scenario about it, as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from domains.core.changes import Record

EMAILS = ("{first}.{last}", "{first}{last}", "{first}_{last}", "{last}.{first}", "{initial}{last}")

Drawn = TypeVar("Drawn")

Collections = Mapping[str, Mapping[str, Record]]
"""Records by collection and id."""


class Dice:
    """Seeded draws that come out the same on every version of Python.

    Only :meth:`random.Random.random` is promised not to change, so all else is built on it.
    """

    def __init__(self, *seed: str) -> None:
        self._random = Random("/".join(seed))

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._random.random() * (high - low + 1))

    def pick(self, things: Sequence[Drawn]) -> Drawn:
        """One of several."""
        return things[self.between(0, len(things) - 1)]

    def draw_weighted(self, parts: Mapping[Drawn, int]) -> Drawn:
        """One of several, each as often as its parts of the whole say."""
        return self.pick([thing for thing, share in parts.items() for _ in range(share)])

    def shuffle(self, things: Sequence[Drawn]) -> list[Drawn]:
        """All of them in a drawn order."""
        return sorted(things, key=lambda _: self._random.random())


def number(digits: int, *words: str) -> str:
    """A number of that many digits that follows from the words alone."""
    least: int = 10 ** (digits - 1)
    return str(least + _digest(words) % (9 * least))


def spell(alphabets: Sequence[str], *words: str) -> str:
    """One character from each alphabet, as follows from the words alone."""
    rest, text = _digest(words), ""
    for alphabet in alphabets:
        rest, place = divmod(rest, len(alphabet))
        text += alphabet[place]
    return text


def _digest(words: Iterable[str]) -> int:
    return int(hashlib.sha256("/".join(words).encode()).hexdigest(), 16)


def user_id(name: str) -> str:
    """A customer's id from a first and a last name."""
    first, last = name.split(" ")
    return f"{first}_{last}_{number(4, 'user', name)}".lower()


def full_name(name: str) -> Record:
    """A name of two words as a record."""
    first, last = name.split(" ")
    return {"first_name": first, "last_name": last}


def address(lines: Sequence[str]) -> Record:
    """An address record from two address lines, city, state and zip."""
    address1, address2, city, state, zip_code = lines
    return {
        "address1": address1,
        "address2": address2,
        "city": city,
        "country": "USA",
        "state": state,
        "zip": zip_code,
    }


def payment_method(words: str, owner: str, *, holding: str) -> Record:
    """A payment method from ``visa 4417``, ``paypal``, ``gift card 45.00``, ``certificate 100``.

    ``holding`` names the field for the dollars that are left on it.
    """
    kind, _, rest = words.rpartition(" ")
    source = (kind or rest).replace(" ", "_")
    digits = number(7, "method", owner, words)
    if source == "paypal":
        return {"source": source, "id": f"{source}_{digits}"}
    if source in ("gift_card", "certificate"):
        return {"source": source, "id": f"{source}_{digits}", holding: float(rest)}
    return {
        "source": "credit_card",
        "id": f"credit_card_{digits}",
        "brand": kind,
        "last_four": rest,
    }


def find_payment_method(user: Record, words: str) -> str:
    """The id of the customer's first method that the words name, by kind or by brand."""
    kind = words.split(" ")[0]
    for method_id, method in user["payment_methods"].items():
        if kind in (method.get("brand"), method["source"].split("_")[0]):
            return str(method_id)
    raise ValueError(f"{user['user_id']} does not hold {words!r}")


def draw_street(words: Mapping[str, Sequence[str]], dice: Dice) -> tuple[str, str]:
    """Two address lines, from the ``streets`` of a word list."""
    street = f"{dice.between(11, 4899)} {dice.pick(words['streets'])}"
    return street, dice.pick(("", "", f"Apt {dice.between(1, 40)}", f"Unit {dice.between(2, 19)}"))


def draw_city(words: Mapping[str, Sequence[str]], dice: Dice) -> tuple[str, ...]:
    """City, state and zip, from the ``cities`` of a word list."""
    return tuple(dice.pick(words["cities"]).split(" | "))


def make_email(name: str, dice: Dice) -> str:
    """An address at example.com made of a first and a last name."""
    first, last = name.lower().split(" ")
    local = dice.pick(EMAILS).format(first=first, last=last, initial=first[0])
    return f"{local}{dice.pick(('', '', str(dice.between(2, 99))))}@example.com"


def render(store: Collections) -> str:
    """The store as JSON text with one record on each line, so that a change reads as one line."""
    collections = (
        f"{json.dumps(name)}: {{\n" + ",\n".join(_lines(records)) + "\n}"
        for name, records in store.items()
    )
    return "{\n" + ",\n".join(collections) + "\n}\n"


def write(store: Collections, path: Path) -> None:
    """Write the store and say what is in it."""
    path.write_text(render(store), encoding="utf-8")
    print(", ".join(f"{len(records)} {name}" for name, records in store.items()))


def _lines(records: Mapping[str, Record]) -> Iterable[str]:
    for key, record in records.items():
        yield f"  {json.dumps(key)}: {json.dumps(record, ensure_ascii=False)}"
