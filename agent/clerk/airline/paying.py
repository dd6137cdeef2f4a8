"""Choosing the payment methods that a customer means, and that the policy allows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from agent.clerk.airline.asking import ask, focus_of, refuse
from agent.clerk.airline.line import Line
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.talk_of_money import Pay, payments
from agent.clerk.airline.wording import method, method_bare, money, say, worth
from agent.clerk.airline.words import words_of
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Ask, Choice, Settled
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, number_lines

Methods = dict[str, Json]
"""Payment methods by their ids."""

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


def _methods(talk: Talk) -> Methods:
    """The customer's payment methods, with their balances as they are now."""
    talk.memory.read_profile()
    return dict(talk.memory.methods)


def _read_payments(task: Task, talk: Talk) -> tuple[list[Pay], list[Pay]]:
    """The methods that were named last, and those for where these cannot be used."""
    found: list[Pay] = []
    for line in reversed(talk.lines(task)):
        named = payments(line)
        found = [*(each for each in named if each not in found), *found]
        if named and not line.has("too", "also", "as well"):
            break
    earlier = talk.lines_of([*reversed(task.context), task.message])
    found = found or next(filter(None, map(payments, earlier)), [])
    later = [pay for line in talk.lines_of(task.alternatives) for pay in payments(line)]
    return [each for each in found if each not in later], later


def _find_fitting(pay: Pay, known: Methods, record: Json | None = None) -> list[str]:
    """The ids of the methods that a mention can mean, the picked one where it picks."""
    if pay.kind == "original":
        paid = [each["payment_id"] for each in (record or {}).get("payment_history", ())]
        return [each for each in reversed(paid) if each in known][:1]
    found = [key for key, each in known.items() if _is(pay, key, each)]
    if pay.pick in {"smallest", "largest"} and found:
        pick = min if pay.pick == "smallest" else max
        held = [each for each in found if known[each].get("source") != "credit_card"] or found
        return [pick(held, key=lambda key: worth(known[key]))]
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


def _none_like(pay: Pay) -> str:
    """That there is no method such as was named: ``$200 travel certificate``."""
    words = _NAMES.get(pay.brand or pay.kind, "payment method")
    words = words if pay.worth is None else f"${pay.worth} {words}"
    words = f"{words} ending in {pay.digits}" if pay.digits else words
    return f"There is no {words} on your profile."


def one_method(task: Task, talk: Talk, record: Json, due: float) -> str:
    """The one method for a change of ``due`` dollars; Settled with a question if unclear.

    Of several that were named, it is the one that was used in this conversation, if one was.
    """
    known, problems = _methods(talk), []
    asked = [pay for named in _read_payments(task, talk) for pay in named]
    out = _refused(task, talk, known, record)
    of_use = {k: e for k, e in known.items() if e.get("source") != "certificate" and k not in out}
    usable = {key: each for key, each in of_use.items() if worth(each) >= due}
    wanted = [pay for pay in asked if not pay.unwanted]
    used = [str(each.arguments.get("payment_id")) for each in reversed(talk.changes)]
    for pay in wanted:
        good = _find_fitting(pay, usable, record)
        good = [each for each in used if each in good][:1] or good
        if len(good) == 1:
            return good[0]
        if good:
            _ask(task, known, good, "Which one would you like to use?", record)
        found = _find_fitting(pay, known, record)
        problems.append(_problem(pay, [known[each] for each in found], due))
    if due == 0 and usable and not problems:
        paid = [each["payment_id"] for each in record["payment_history"]]
        return next((each for each in paid if each in usable), next(iter(usable)))
    if not wanted and len(usable) == 1:
        return next(iter(usable))
    if not usable and out:
        _ask_for_another(task, known, out, due, record)
    if not usable:
        words = "There is no gift card or credit card on your profile that could be used for it."
        refuse(" ".join([*problems, words]))
    way = "refunded" if due < 0 else "charged"
    question = f"Which card should the {money(abs(due))} be {way} to?"
    _ask(task, known, [*usable], " ".join([*dict.fromkeys(problems), question]), record)


def _refused(task: Task, talk: Talk, known: Methods, record: Json) -> set[str]:
    """The methods that are not to be used, by what was said of each last."""
    out: set[str] = set()
    for pay in (pay for line in talk.lines(task) for pay in payments(line)):
        ids = set(_find_fitting(pay, known, record))
        out = out | ids if pay.unwanted else out - ids
    return out


def _ask_for_another(
    task: Task, known: Methods, out: set[str], due: float, record: Json
) -> NoReturn:
    """Why nothing is left beside the methods that were refused, and what it could be instead."""
    refused = join_parts(f"your {method_bare(known[each], each)}" for each in known if each in out)
    rest = (_problem(Pay(), [each], due) for key, each in known.items() if key not in out)
    others = " ".join(dict.fromkeys(rest)) or "There is nothing else on your profile."
    parts = {"due": money(due), "refused": refused, "others": others}
    ask(task, "payment", say("other method?", **parts), record)


def any_method(talk: Talk) -> str:
    """The first method that a change can be settled with, whatever it costs."""
    cards = (key for key, each in talk.memory.methods.items() if each["source"] == "credit_card")
    return next(cards, next(iter(talk.memory.methods), ""))


def _problem(pay: Pay, found: Sequence[Json], due: float) -> str:
    if not found:
        return _none_like(pay)
    if all(each.get("source") == "certificate" for each in found):
        return "A travel certificate can only be used for a new booking, not for a change."
    return f"Your {method(found[0])} does not cover {money(due)}."


def _ask(
    task: Task,
    known: Methods,
    ids: Sequence[str],
    text: str,
    record: Json | None = None,
    slot: str = "payment",
    keeps: Sequence[str] = (),
) -> NoReturn:
    """Which of some methods it should be; those that are kept were settled before."""
    choices = tuple(Choice(each, method(known[each], each)) for each in ids)
    text = f"{text}\n\n{number_lines(each.words for each in choices)}".strip()
    raise Settled(Ask(text, slot, task, choices, focus=focus_of(record), keeps=tuple(keeps)))


def split(task: Task, talk: Talk, total: int, lead: str) -> list[dict[str, object]]:
    """Who pays what for a booking of ``total`` dollars; Settled with a question if unclear."""
    known, rest = _methods(talk), total
    parts: dict[str, int] = {}
    chosen = _choose(task, talk, known, lead)
    for key in sorted(chosen, key=lambda each: known[each].get("source") == "credit_card"):
        amount = int(min(rest, worth(known[key])))
        if amount > 0:
            parts[key] = amount
            rest -= amount
    if rest > 0:
        _ask_for_rest(task, known, parts, rest, lead)
    return [{"payment_id": key, "amount": amount} for key, amount in parts.items()]


def _choose(task: Task, talk: Talk, known: Methods, lead: str) -> list[str]:
    """The methods that were named, in order."""
    asked, later = _read_payments(task, talk)
    asked = asked or later
    out = {key for pay in asked if pay.unwanted for key in _find_fitting(pay, known)}
    usable = {key: each for key, each in known.items() if key not in out}
    chosen: list[str] = []
    for pay in (each for each in asked if not each.unwanted):
        found = _find_fitting(pay, usable)
        new = [each for each in found if each not in chosen]
        if not found:
            _ask(task, known, [*usable], f"{lead} {_none_like(pay)} How would you like to pay?")
        kinds = {known[each].get("source") for each in new}
        if len(new) > 1 and pay.pick != "all" and kinds != {"gift_card"}:
            _ask(task, known, new, f"{lead} Which one is it?", None, "payment_which", chosen)
        chosen += new
    return _check_allowed(task, known, chosen, later)


def _check_allowed(task: Task, known: Methods, chosen: list[str], later: list[Pay]) -> list[str]:
    """The methods, unless there are more of a kind than can be used together."""
    for kind, most in MOST.items():
        of_kind = [key for key in chosen if known[key].get("source") == kind]
        if len(of_kind) <= most:
            continue
        instead = [key for pay in later for key in _find_fitting(pay, known)]
        if instead:
            return list(dict.fromkeys(instead))
        rest = [each for each in chosen if each not in of_kind]
        _ask(task, known, of_kind, say(f"most of {kind}"), None, "payment_which", rest)
    return chosen


def _ask_for_rest(
    task: Task, known: Methods, parts: dict[str, int], rest: int, lead: str
) -> NoReturn:
    """How the booking, or what is still missing of it, should be paid."""
    kinds = {key: str(each.get("source")) for key, each in known.items()}
    used = Counter(kinds[key] for key in parts)
    left = [key for key in known if key not in parts]
    usable = [key for key in left if used[kinds[key]] < MOST.get(kinds[key], 1)]
    if not parts:
        _ask(task, known, usable, f"{lead} How would you like to pay?")
    paid = join_parts(f"{money(n)} from your {method_bare(known[k], k)}" for k, n in parts.items())
    total = money(rest + sum(parts.values()))
    text = f"That is {total} in all; with {paid}, {money(rest)} is still to be paid."
    if not usable:
        refuse(f"{text} There is nothing left that could pay it.")
    text = f"{text} What should that be paid with?"
    _ask(task, known, usable, text, None, "payment_rest", [*parts])


def read_answer(text: Line, ask: Ask, known: Methods) -> str:
    """The methods that an answer names, as their ids; nothing where it names none."""
    offered = {each.value: known[each.value] for each in ask.choices if each.value in known}
    others = {key: each for key, each in known.items() if key not in ask.keeps}
    ids: list[str] = []
    for pay in (each for each in payments(text) if not each.unwanted):
        ids += _find_fitting(pay, offered) or _find_fitting(pay, others)
    if not ids or ask.slot == "payment_which":
        ids = list(dict.fromkeys([*_by_sum(text, offered), *ids]))
    return join_methods(ids, ask) if ids else ""


def join_methods(ids: list[str], ask: Ask) -> str:
    """Methods that were chosen, as words, with those that stay: before them for what is left."""
    kept = [each for each in ask.keeps if each not in ids]
    return " , ".join([*kept, *ids] if ask.slot == "payment_rest" else [*ids, *kept])


def _by_sum(text: Line, offered: Methods) -> list[str]:
    """The method on offer that was told by what is on it, or by its last digits."""
    for pick, words in ((max, "large"), (min, "small")):
        if words_of(words) & set(text.words) and offered:
            return [pick(offered, key=lambda key: worth(offered[key]))]
    told = re.findall(r"\d+", text.text)
    hits = (k for k, e in offered.items() if f"{worth(e):g}" in told or e.get("last_four") in told)
    return list(hits)[:1]
