"""Choosing the payment methods that a customer means, and that the policy allows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from agent.clerk.airline import looking_up
from agent.clerk.airline.requests import Otherwise, Pay, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import choices, method, method_bare, money, worth
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Choice, Settled, Tell
from agent.clerk.wording import joined

MOST = {"certificate": 1, "credit_card": 1, "gift_card": 3}
"""How many methods of each kind can pay for one booking."""

_NAMES = {
    "certificate": "travel certificate",
    "gift_card": "gift card",
    "credit_card": "credit card",
    "visa": "Visa",
    "mastercard": "Mastercard",
    "amex": "American Express",
    "original": "card that you paid with",
}
_ONE_CERTIFICATE = (
    "Only one travel certificate can be used for a booking, and what is left of it is lost."
)


@dataclass
class Split:
    """Who pays what for a booking."""

    parts: list[tuple[str, int]] = field(default_factory=list)
    rest: int = 0
    """Dollars that nobody pays yet."""


def methods(talk: Talk) -> dict[str, Json]:
    """The customer's payment methods, with their balances as they are now."""
    looking_up.profile(talk.memory)
    return talk.memory.methods


def fitting(pay: Pay, known: dict[str, Json], record: Json | None) -> list[str]:
    """The ids of the methods that a mention can mean, the picked one where it picks."""
    if pay.kind == "original":
        paid = [each["payment_id"] for each in (record or {}).get("payment_history", ())]
        return [each for each in reversed(paid) if each in known][:1]
    found = [key for key, each in known.items() if _is(pay, key, each)]
    return _picked(pay, found, known)


def _picked(pay: Pay, found: list[str], known: dict[str, Json]) -> list[str]:
    """Of methods of a kind, the one with the smallest or largest balance where that was said."""
    if pay.pick in {"smallest", "largest"} and found:
        pick = min if pay.pick == "smallest" else max
        return [pick(found, key=lambda key: worth(known[key]))]
    return found[:1] if pay.pick == "one" else found


def _is(pay: Pay, key: str, each: Json) -> bool:
    brand = str(each.get("brand", "")).replace("american_express", "amex").lower()
    return (
        pay.id in {"", key}
        and pay.kind in {"", str(each.get("source"))}
        and pay.brand in {"", brand}
        and (not pay.digits or key.endswith(pay.digits) or each.get("last_four") == pay.digits)
        and (pay.worth is None or worth(each) == pay.worth)
    )


def named(pay: Pay) -> str:
    """A mention in words: ``$200 travel certificate``."""
    words = _NAMES.get(pay.brand or pay.kind, "payment method")
    if pay.worth is not None:
        words = f"${pay.worth} {words}"
    return f"{words} ending in {pay.digits}" if pay.digits else words


def wanted(request: Request) -> list[Pay]:
    """The methods that were named, and after them those for where these cannot be used."""
    later = [
        pay for each in request.otherwise for pay in each.details.payments if not each.requests
    ]
    return [*request.payments, *(each for each in later if each not in request.payments)]


def unwanted(request: Request, known: dict[str, Json], record: Json | None) -> set[str]:
    """The methods that the customer said not to use."""
    return {key for pay in request.unwanted_payments for key in fitting(pay, known, record)}


def one_method(request: Request, talk: Talk, record: Json, due: float) -> str:
    """The one method for a change of ``due`` dollars; Settled with a question if unclear."""
    known, problems = methods(talk), []
    out = unwanted(request, known, record)
    for pay in wanted(request):
        found = fitting(replace(pay, pick=""), known, record)
        good = [each for each in found if _can_settle(known[each], due) and each not in out]
        good = _picked(pay, _as_before(good, request, talk), known)
        if len(good) == 1:
            return good[0]
        if good:
            raise Settled(_ask(request, known, good, "Which one would you like to use?", record))
        problems.append(_problem(pay, [known[each] for each in found], due))
    usable = [key for key, each in known.items() if _can_settle(each, due) and key not in out]
    if due == 0 and usable and not problems:
        return _usual(usable, record)
    if not request.payments and len(usable) == 1:
        return usable[0]
    if not usable:
        words = "There is no gift card or credit card on your profile that could be used for it."
        raise Settled(Tell(" ".join([*problems, words]), "refused"))
    lead = " ".join([*dict.fromkeys(problems), _difference(due)])
    raise Settled(_ask(request, known, usable, lead, record))


def _as_before(good: list[str], request: Request, talk: Talk) -> list[str]:
    """Of several methods, the one that was used last where "the same" one is wanted."""
    if len(good) < 2 or not re.search(r"\bsame\b", request.text):
        return good
    used = [str(each.arguments.get("payment_id")) for each in reversed(talk.changes)]
    return [each for each in used if each in good][:1] or good


def any_method(talk: Talk) -> str:
    """The first method that a change can be settled with, whatever it costs."""
    cards = (key for key, each in talk.memory.methods.items() if each["source"] == "credit_card")
    return next(cards, next(iter(talk.memory.methods), ""))


def _usual(usable: list[str], record: Json) -> str:
    """Where nothing is to pay, the method the reservation was paid with."""
    paid = [each["payment_id"] for each in record["payment_history"]]
    return next((each for each in paid if each in usable), usable[0])


def _can_settle(each: Json, due: float) -> bool:
    """Whether a method can be used for a change; certificates never can."""
    return each.get("source") != "certificate" and worth(each) >= due


def _difference(due: float) -> str:
    if due < 0:
        return f"Which card should the {money(-due)} be refunded to?"
    return f"Which card should the {money(due)} be charged to?"


def _problem(pay: Pay, found: Sequence[Json], due: float) -> str:
    if not found:
        return f"There is no {named(pay)} on your profile."
    if all(each.get("source") == "certificate" for each in found):
        return "A travel certificate can only be used for a new booking, not for a change."
    return f"Your {method(found[0])} does not cover {money(due)}."


def _ask(
    request: Request, known: dict[str, Json], ids: Iterable[str], text: str, record: Json | None
) -> Ask:
    options = tuple(
        Choice(each, method(known[each], each), {"worth": worth(known[each])}) for each in ids
    )
    focus = str(record["reservation_id"]) if record else ""
    shown = choices(each.words for each in options)
    return Ask(f"{text}\n\n{shown}".strip(), "payment", request, None, options, focus=focus)


def _ask_which(request: Request, known: dict[str, Json], ids: list[str], text: str) -> Ask:
    """Which of several methods of a kind is meant; the others that were named stay."""
    meant = tuple(each for each in request.payments if set(fitting(each, known, None)) & set(ids))
    return replace(_ask(request, known, ids, text, None), slot="payment_which", thing=meant)


def split(request: Request, talk: Talk, total: int, lead: str) -> list[dict[str, object]]:
    """Who pays what for a booking of ``total`` dollars; Settled with a question if unclear."""
    known = methods(talk)
    plan = _planned(request, known, total, lead)
    if plan.rest > 0:
        used = {key for key, _ in plan.parts}
        raise Settled(_ask_for_rest(request, known, plan, used, total, lead))
    return [{"payment_id": key, "amount": amount} for key, amount in plan.parts]


def _planned(request: Request, known: dict[str, Json], total: int, lead: str) -> Split:
    """The split that the customer's words lead to; cards without a limit come last."""
    chosen = _chosen(request, known, lead)
    chosen.sort(key=lambda each: known[each[0]].get("source") == "credit_card")
    plan = Split(rest=total)
    for key, limit in chosen:
        amount = int(min(plan.rest, worth(known[key]), limit))
        if amount > 0:
            plan.parts.append((key, amount))
            plan.rest -= amount
    return plan


def _chosen(request: Request, known: dict[str, Json], lead: str) -> list[tuple[str, float]]:
    """The methods that were named, in order, each with what it may pay at the most."""
    chosen: list[tuple[str, float]] = []
    out = unwanted(request, known, None)
    for pay in request.payments:
        found = [each for each in fitting(pay, known, None) if each not in out]
        new = [each for each in found if all(each != key for key, _ in chosen)]
        if not found:
            usable = [key for key in known if key not in out]
            text = f"{lead} There is no {named(pay)} on your profile. How would you like to pay?"
            raise Settled(_ask(request, known, usable, text.strip(), None))
        if len(new) > 1 and pay.pick != "all" and not _all_needed(pay, new, known):
            raise Settled(_ask_which(request, known, new, f"{lead} Which one is it?".strip()))
        limit = float("inf") if pay.up_to is None else pay.up_to
        chosen += [(each, limit) for each in new]
    return _allowed(request, known, chosen, lead)


def _all_needed(pay: Pay, found: list[str], known: dict[str, Json]) -> bool:
    """Whether "my gift cards" is a kind of which several can be used at once."""
    kinds = {known[each].get("source") for each in found}
    return kinds == {"gift_card"} and not pay.pick


def _allowed(
    request: Request, known: dict[str, Json], chosen: list[tuple[str, float]], lead: str
) -> list[tuple[str, float]]:
    """The methods, unless there are more of a kind than can be used together."""
    for kind, most in MOST.items():
        of_kind = [key for key, _ in chosen if known[key].get("source") == kind]
        if len(of_kind) <= most:
            continue
        instead = next((each for each in request.otherwise if each.details.payments), None)
        if instead is not None:
            payments = _told_by_worth(instead, of_kind, known) + instead.details.payments
            return _chosen(Request(request.intent, payments=payments), known, lead)
        text = _ONE_CERTIFICATE if kind == "certificate" else _too_many(kind, most)
        question = "Which one would you like to use?" if most == 1 else "Which ones would you use?"
        raise Settled(_ask_which(request, known, of_kind, f"{text} {question}"))
    return chosen


def _told_by_worth(instead: Otherwise, ids: list[str], known: dict[str, Json]) -> list[Pay]:
    """The one of several that a fallback names by its balance only: "then the 200 dollar one"."""
    numbers = {float(each) for each in re.findall(r"\b\d+\b", instead.then)}
    listed = {key for pay in instead.details.payments for key in fitting(pay, known, None)}
    found = [each for each in ids if worth(known[each]) in numbers and each not in listed]
    return [Pay(id=each) for each in found]


def _too_many(kind: str, most: int) -> str:
    many = "one" if most == 1 else "three"
    return f"Only {many} {_NAMES[kind]}{'s' if most > 1 else ''} can be used for a booking."


def _ask_for_rest(
    request: Request, known: dict[str, Json], plan: Split, used: set[str], total: int, lead: str
) -> Ask | Tell:
    """How the booking, or what is still missing of it, should be paid."""
    usable = [key for key in known if key not in used and _may_join(key, used, known)]
    if not plan.parts:
        text = f"{lead} How would you like to pay?".strip()
        return _ask(request, known, usable, text, None)
    paid = joined(f"{money(n)} from your {method_bare(known[k], k)}" for k, n in plan.parts)
    text = f"That is {money(total)} in all; with {paid}, {money(plan.rest)} is still to be paid."
    if not usable or request.payments_only:
        return Tell(f"{text} There is nothing left that could pay it.", "refused")
    ask = _ask(request, known, usable, f"{text} What should that be paid with?", None)
    return replace(ask, slot="payment_rest")


def _may_join(key: str, used: set[str], known: dict[str, Json]) -> bool:
    """Whether one more method of its kind can be used together with the others."""
    kind = str(known[key].get("source"))
    number = len([each for each in used if known[each].get("source") == kind])
    return number < MOST.get(kind, 1)
