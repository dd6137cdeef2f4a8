"""Where orders are shipped, and the customer's default address."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.clerk.identity import name_data
from agent.clerk.remembering import Json
from agent.clerk.retail.manner import tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import ORDER_ID, one_order, order_ids, read_order
from agent.clerk.retail.wording import address
from agent.clerk.steps import Ask, Call, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

FIELDS = ("address1", "address2", "city", "state", "country", "zip")
_ZIP = re.compile(r"(?<![\w#])(\d{5})(?:-\d{4})?\s*\.?(?!\w)")
_UNIT = re.compile(
    r"\b(?:(?:apt|apartment|unit|suite|ste|flat|room|floor)\.?\s*#?\s*(?:\w*\d\w*|[A-Za-z]))\b",
    re.IGNORECASE,
)
_STREET = re.compile(r"(?<![\w#])\d{1,5}\s+(?=[A-Za-z0-9])[\w.'\- ]{3,40}")
_ENDS = re.compile(
    r".*?\b(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|way|court|ct|highway|hwy|boulevard|blvd"
    r"|place|pl|terrace|circle|parkway|square|bend|trail|row|close|loop|crescent|alley)\b\.?",
    re.IGNORECASE,
)


def states() -> dict[str, str]:
    """The codes of the states by their names."""
    found: dict[str, str] = name_data()["states"]
    return found


def parse_address(text: str) -> dict[str, str]:
    """The parts of an address that a text gives, spelled as the customer does."""
    text = ORDER_ID.sub(" ", text).replace("\n", ", ")
    found: dict[str, str] = {}
    street = _street(text)
    unit = _UNIT.search(text)
    if street:
        found["address1"] = _tidy(_UNIT.sub("", street.group()))
        found["address2"] = ""
        found["country"] = "USA"
    if unit:
        found["address2"] = _tidy(unit.group())
    rest = text[street.end() :] if street else text[unit.end() :] if unit else text
    zips = _ZIP.findall(rest)
    if zips:
        found["zip"] = zips[-1]
    _place(_UNIT.sub(",", rest), found)
    return found


def _street(text: str) -> re.Match[str] | None:
    for hit in _STREET.finditer(text):
        named = _ENDS.match(hit.group())
        if named:
            return re.compile(re.escape(named.group())).search(text, hit.start())
        if text[hit.end() : hit.end() + 1] == "," and len(hit.group().split()) <= 4:
            return hit
    return None


def _place(rest: str, found: dict[str, str]) -> None:
    """City and state, which stand before the zip code or at the end."""
    end = _ZIP.search(rest)
    words = [each.strip(" .") for each in re.split(r"[,]", rest[: end.start()] if end else rest)]
    parts = [each for each in words if each]
    if not parts or (not end and "address1" not in found and len(parts) < 2):
        return
    last = parts[-1]
    for name, code in {**states(), **{c.lower(): c for c in states().values()}}.items():
        if last.lower() == name:
            found["state"] = code
            if len(parts) > 1:
                found["city"] = _city(parts[-2])
            elif name == "new york":
                found["city"] = "New York"
            return
        if last.lower().endswith(f" {name}"):
            found["state"] = code
            found["city"] = _city(last[: -len(name)])
            return
    if last and (end or "address1" in found) and len(last.split()) <= 3 and last[0].isalpha():
        found["city"] = _city(last)


def _city(text: str) -> str:
    return _tidy(re.sub(r"^(?:in|at)\s+", "", text.strip()))


def _tidy(text: str) -> str:
    text = " ".join(text.strip(" ,.").split())
    return text.title() if text.islower() else text


def change_order_address(task: Task, memory: Memory, policy: str) -> Call | Ask | Tell:
    """Send pending orders elsewhere."""
    order = one_order(task, memory, {"pending"})
    if order is None:
        record = memory.orders.get(task.written[-1]) if task.written else None
        where = f": {address(record['address'])}" if record else ""
        return Tell(
            f"Order {join_parts(task.written)} will be shipped to the new address{where}.", "done"
        )
    new = _new(task, memory, order["address"], str(order["order_id"]))
    arguments = {"order_id": order["order_id"], **new}
    return Call("modify_pending_order_address", arguments, task)


def change_default_address(task: Task, memory: Memory, policy: str) -> Call | Ask | Tell:
    """Change the address in the profile."""
    user = memory.user or {}
    if task.written:
        return Tell(f"Your default address is now {address(user.get('address', {}))}.", "done")
    new = _new(task, memory, user.get("address", {}), "")
    return Call("modify_user_address", {"user_id": memory.user_id, **new}, task)


def _new(task: Task, memory: Memory, now: Json, order_id: str) -> dict[str, str]:
    """The new address in full; Settled with a question or with what is there already."""
    recorded = _address_on_record(task, memory, order_id)
    given = parts_given(task) if recorded is None else {}
    if recorded is not None:
        new = {key: str(recorded.get(key) or "") for key in FIELDS}
    elif not given:
        whose = f"for order {order_id}" if order_id else "for your profile"
        text = f"What is the new address {whose}? Please give street, city, state and zip code."
        raise Settled(Ask(text, "address", task))
    else:
        new = _complete(task, given, now)
    if new == {key: str(now.get(key) or "") for key in FIELDS}:
        what = f"Order {order_id}" if order_id else "Your profile"
        raise Settled(Tell(f"{what} already has that address: {address(now)}.", "answered"))
    return new


def parts_given(task: Task) -> dict[str, str]:
    """The parts that were given, in one message or in several."""
    given: dict[str, str] = {}
    place: dict[str, str] = {}
    for text in [*task.words] if task.notes else [task.text, task.message]:
        found = parse_address(text)
        is_street = "address1" in found or "address2" in found
        if is_street or (given and found) or _only_zip(task, found):
            given = update_address(given or place, found)
        elif text in task.notes and {"city", "state", "zip"} <= found.keys():
            place = found  # an answer that leaves the street for the next one
    return given or {
        k: v
        for k, v in parse_address(task.message).items()
        if "address1" in parse_address(task.message)
    }


def update_address(told: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """An address with what was given later; a whole new one keeps nothing, not even a unit."""
    if "address1" in found and {"city", "zip"} & found.keys():
        return dict(found)
    return {**told, **{k: v for k, v in found.items() if v or k not in told}}


def in_one_line(parts: dict[str, str]) -> str:
    """The parts of an address as they are read again."""
    place = " ".join(filter(None, (parts.get("state"), parts.get("zip"))))
    lines = (parts.get("address1"), parts.get("address2"), parts.get("city"), place)
    return ", ".join(filter(None, lines))


def _only_zip(task: Task, found: dict[str, str]) -> bool:
    return "zip" in found and has(tokens(task.text), "zip", "postcode", "zip code")


def _address_on_record(task: Task, memory: Memory, order_id: str) -> Json | None:
    """An address that the records have: the default, the former one, another order's."""
    for text in [*reversed(task.notes), task.text]:
        if parse_address(text).get("address1"):
            return None
        words = tokens(text)
        if tells(words, "as before"):
            if order_id in memory.original_orders:
                return dict(memory.original_orders[order_id]["address"])
            return dict((memory.original_user or memory.user or {}).get("address", {}))
        if order_id and tells(words, "as in the profile"):
            return dict((memory.user or {}).get("address", {}))
        other = [each for each in order_ids(text) if each != order_id and each in memory.order_ids]
        if not order_id and (other or has(words, "recent order", "last order", "recent one")):
            source = other[0] if other else memory.order_ids[-1]
            return dict(read_order(memory, source)["address"])
    return None


def _complete(task: Task, given: dict[str, str], now: Json) -> dict[str, str]:
    """The parts that were given, and of those that were not, the old ones where that can be."""
    stays = "address1" not in given
    if given.get("zip") == str(now.get("zip")) and not stays:
        given = {**{k: str(now.get(k) or "") for k in ("city", "state")}, **given}
    lacking = lacking_parts(given) if not stays else []
    if lacking:
        names = join_parts({"zip": "zip code"}.get(each, each) for each in lacking)
        raise Settled(Ask(f"I still need the {names} of the new address.", "address", task))
    return {key: str(given.get(key, now.get(key)) or "") for key in FIELDS}


def lacking_parts(given: Mapping[str, str]) -> list[str]:
    """What a street needs besides to be an address."""
    return [each for each in ("city", "state", "zip") if not given.get(each)]
