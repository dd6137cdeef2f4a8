"""What the changes of a conversation come to, or would come to."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.airline.answers import answered
from agent.clerk.airline.locating import meant
from agent.clerk.airline.memory import paid
from agent.clerk.airline.pricing import price
from agent.clerk.airline.requests import Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    money,
    trip,
)
from agent.clerk.steps import Tell


def outcome(request: Request, talk: Talk) -> Tell:
    """What the changes of this conversation come to."""
    if request.cabin or (request.wait == "now" and "refund" in request.asks):
        asked = _asked_now(request, talk)
        if asked is not None:
            return asked
    quoted = _quoted(talk) if request.wait == "now" else ""
    if quoted:
        return answered(quoted)
    moves = [each for each in talk.memory.moves if each.amount]
    given = sum(talk.memory.given.values())
    if not moves and not given:
        pending = _would_be(request, talk)
        if pending is not None:
            return pending
        return answered("Nothing has been charged or refunded in this conversation.")
    charged = sum(each.amount for each in moves if each.amount > 0)
    back = -sum(each.amount for each in moves if each.amount < 0)
    parts = []
    if back:
        parts.append(f"you get back {money(back)} in all")
    if charged:
        parts.append(f"you were charged {money(charged)} in all")
    if back and charged:
        net = charged - back
        parts.append(
            f"the difference is {money(abs(net))} {'to pay' if net > 0 else 'in your favour'}"
        )
    if given:
        parts.append(f"the certificate is worth {money(given)}")
    text = "; ".join(parts)
    return answered(f"{text[:1].upper()}{text[1:]}.")


def _quoted(talk: Talk) -> str:
    """What the question that is open has said of the price."""
    if talk.ask is None or not talk.spoken:
        return ""
    told = re.split(r"(?<=[.?])\s", talk.spoken[-1].split("\n\n1.")[0])
    priced = [each for each in told if "$" in each]
    asked = re.search(r"\$[\d.]+(?= be (charged|refunded))", priced[-1]) if priced else None
    if asked:
        return f"It comes to {asked.group()}, to be {asked.group(1)}."
    quoted = " ".join(each for each in priced if not each.endswith("?"))
    return quoted or "What it comes to can be told once that is settled."


def _asked_now(request: Request, talk: Talk) -> Tell | None:
    """What another cabin, or a cancellation that is spoken of, would bring."""
    if not request.cabin:
        return _would_be(request, talk)
    step = price(replace(request, trip=replace(request.trip, cabin="")), talk)
    return step if isinstance(step, Tell) else None


def _would_be(request: Request, talk: Talk) -> Tell | None:
    """What the reservation that is spoken of would bring back if it were cancelled."""
    if "refund" not in request.asks:
        return None
    found = meant(request, talk)
    if len(found) != 1 or (request.trip.empty and not talk.focus):
        return None
    record = found[0]
    return answered(
        f"For reservation {trip(record)} you paid {money(paid(record))}.", record["reservation_id"]
    )
