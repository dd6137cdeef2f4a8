"""Slot filling for payment methods: those that the customer means and the policy allows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NoReturn

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.payment_mentions import PaymentMention, payments, wanted_payments
from agent.clerk.airline.replies import ask, refuse
from agent.clerk.airline.vocabulary import words_of
from agent.clerk.airline.wording import method, method_bare, money, say, worth
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice, Question
from agent.clerk.state.task import Task
from agent.clerk.wording import SHOWN, join_parts

Methods = dict[str, Json]
"""Payment methods by id."""

MOST = {"certificate": 1, "credit_card": 1, "gift_card": 3}
"""The maximum number of methods of each kind for one booking."""

_NAMES = {
    "certificate": "travel certificate",
    "gift_card": "gift card",
    "credit_card": "credit card",
    "visa": "Visa",
    "mastercard": "Mastercard",
    "amex": "American Express",
    "original": "card that you paid with",
}


@dataclass
class _Wishes:
    """The methods that a task's sentences name."""

    wanted: list[PaymentMention]
    later: list[PaymentMention]
    """Those for the case that the wanted ones do not do."""

    refused: list[str]
    """The ids of those that the customer rejects, by the last mention of each."""

    usable: Methods
    """All methods except the refused ones."""


def _wishes(task: Task, dialogue: AirlineState, record: Json | None = None) -> _Wishes:
    """What the sentences name: the last ones, and those before if they add to them."""
    dialogue.records.read_profile()
    known = dialogue.records.methods
    lines, rejects = dialogue.sentences_of(task), dict[str, bool]()
    for pay in chain.from_iterable(map(payments, lines)):
        if pay.role in {"wanted", "kept_out"}:
            kept_out = pay.role == "kept_out" and not pay.is_fallback
            rejects |= dict.fromkeys(_find_fitting(pay, known, record), kept_out)
    refused = [key for key, rejected in rejects.items() if rejected]
    found, orders = list[PaymentMention](), False
    for line in reversed(lines):
        named = wanted_payments(line)
        if orders and named:  # the last sentence may only tell the order of these
            ids = ({k for e in of for k in _find_fitting(e, known)} for of in (found, named))
            found = [*named, *reversed(found)] if next(ids) < next(ids) else found
            break
        found = [*(each for each in named if each not in found), *found]
        rest = line.has_phrase_of("rest of the sum")
        whole = rest or any(each.id for each in named)  # as in what stands for an answer
        orders = bool(named) and line.has_phrase_of("order of methods") and not whole
        adds = line.has_phrase("too", "also", "as well") or (len(named) == 1 and rest)
        if named and not orders and not adds:
            break
    earlier = dialogue.parse_all([*reversed(task.context), task.message])
    found = found or next(filter(None, map(wanted_payments, earlier)), [])
    later = [pay for line in dialogue.parse_all(task.alternatives) for pay in payments(line)]
    wanted = [each for each in found if each not in later]
    usable = {k: e for k, e in known.items() if k not in refused}
    return _Wishes(wanted, later, refused, usable)


def _find_fitting(pay: PaymentMention, known: Methods, record: Json | None = None) -> list[str]:
    """The ids of the methods that a mention may refer to; only one if it says which to pick."""
    if pay.kind == "original":
        paid = [each["payment_id"] for each in (record or {}).get("payment_history", ())]
        return [each for each in reversed(paid) if each in known][:1]
    found = [key for key, each in known.items() if _matches(pay, key, each)]
    if pay.pick in {"smallest", "largest"} and found:
        held = [each for each in found if known[each]["source"] != "credit_card"] or found
        pick = min if pay.pick == "smallest" else max
        return [pick(held, key=lambda key: worth(known[key]))]
    return found[:1] if pay.pick == "one" else found


def _matches(pay: PaymentMention, key: str, each: Json) -> bool:
    brand = str(each.get("brand", "")).replace("american_express", "amex").lower()
    numbers = {"", key.rpartition("_")[2], str(each.get("last_four")), f"{worth(each):g}"}
    return (
        pay.id in {"", key}
        and pay.kind in {"", str(each.get("source"))}
        and pay.brand in {"", brand}
        and pay.number in numbers
    )


def _problem(pay: PaymentMention, known: Methods, record: Json | None, due: float) -> str:
    """Why a method that was named cannot be used: "There is no $200 travel certificate …"."""
    found = [known[each] for each in _find_fitting(pay, known, record)]
    if not found:
        named = _NAMES.get(pay.brand or pay.kind, "payment method")
        number = f" with the number or balance {pay.number}" if pay.number else ""
        return f"There is no {named}{number} on your profile."
    if all(each.get("source") == "certificate" for each in found):
        return "A travel certificate can only be used for a new booking, not for a change."
    return f"Your {method(found[0])} does not cover {money(due)}."


def _is_answered_beside(pay: PaymentMention, dialogue: AirlineState) -> bool:
    """Whether the same answer tells already whether a kind of method can be used."""
    asked = [each.text for each in dialogue.open_tasks if each.intent == "policy_question"]
    named = [each.kind for line in dialogue.parse_all(asked) for each in payments(line)]
    return pay.kind == "certificate" and pay.kind in named


def one_method(task: Task, dialogue: AirlineState, record: Json, due: float) -> str:
    """The one method for a change of ``due`` dollars, rather one used before; or a question."""
    wishes, problems = _wishes(task, dialogue, record), list[str]()
    known = dialogue.records.methods
    of_use = (key for key, each in wishes.usable.items() if each.get("source") != "certificate")
    usable = {key: known[key] for key in of_use if worth(known[key]) >= due}
    used = [str(each.arguments.get("payment_id")) for each in reversed(dialogue.changes)]
    for pay in [*wishes.wanted, *wishes.later]:
        good = _find_fitting(pay, usable, record)
        good = [each for each in used if each in good][:1] or good
        if len(good) > 1:
            _ask(task, known, good, "Which one would you like to use?", record)
        if good:
            return good[0]
        if not _is_answered_beside(pay, dialogue):
            problems.append(_problem(pay, known, record, due))
    if due == 0 and usable and not problems:
        paid = [str(each["payment_id"]) for each in record["payment_history"]]
        return next(each for each in [*paid, *usable] if each in usable)
    if not wishes.wanted and len(usable) == 1 and not _asks_for_another(dialogue, usable):
        return next(iter(usable))
    if not usable:
        rest = [_problem(PaymentMention(id=each), known, record, due) for each in wishes.usable]
        why = " ".join(dict.fromkeys([*problems, *rest])) or "There is nothing else to pay with."
        if not wishes.refused:
            refuse(why)
        refused = join_parts(f"your {method_bare(known[e], e)}" for e in wishes.refused)
        text = say("other method?", due=money(due), refused=refused, others=why)
        ask(task, "payment", text, record)
    way = "refunded" if due < 0 else "charged"
    question = f"Which card should the {money(abs(due))} be {way} to?"
    _ask(task, known, [*usable], " ".join([*dict.fromkeys(problems), question]), record)


def _asks_for_another(dialogue: AirlineState, usable: Methods) -> bool:
    """Whether the last message speaks of a method that cannot be used: then none other is taken."""
    said = dialogue.parse_all([dialogue.last.text] if dialogue.last is not None else [])
    named = [pay for line in said for pay in payments(line) if pay.role != "kept_out"]
    return any(not _find_fitting(pay, usable) for pay in named)


def _ask(
    task: Task,
    known: Methods,
    ids: Sequence[str],
    text: str,
    record: Json | None = None,
    slot: str = "payment",
    keeps: Sequence[str] = (),
) -> NoReturn:
    """Raise Settled with a numbered offer of methods; ``keeps`` are those settled before."""
    choices = [Choice(each, method(known[each], each)) for each in ids]
    ask(task, slot, text, record, choices=choices, shown=SHOWN, keeps=keeps)


def split(task: Task, dialogue: AirlineState, total: int, lead: str) -> list[dict[str, object]]:
    """The payments for a booking of ``total`` dollars; raises Settled with a question."""
    chosen, known, rest = _choose(task, dialogue, lead), dialogue.records.methods, total
    kinds = {key: str(each.get("source")) for key, each in known.items()}
    parts: dict[str, int] = {}
    for key in sorted(chosen, key=lambda each: kinds[each] == "credit_card"):
        amount = int(min(rest, worth(known[key])))
        if amount > 0:
            parts[key] = amount
            rest -= amount
    if rest == 0:
        return [{"payment_id": key, "amount": amount} for key, amount in parts.items()]
    used = Counter(kinds[key] for key in parts)
    usable = [key for key in known if key not in parts and used[kinds[key]] < MOST[kinds[key]]]
    if not parts:
        _ask(task, known, usable, f"{lead} How would you like to pay?")
    paid = join_parts(f"{money(n)} from your {method_bare(known[k], k)}" for k, n in parts.items())
    text = f"That is {money(total)} in all; with {paid}, {money(rest)} is still to be paid."
    if not usable:
        refuse(f"{text} There is no other way left to pay it.")
    text = f"{text} What would you like to pay that with?"
    _ask(task, known, usable, text, None, "payment_rest", [*parts])


def _choose(task: Task, dialogue: AirlineState, lead: str) -> list[str]:
    """The mentioned methods, or the fallbacks if there are too many of a kind; or a question."""
    wishes, chosen = _wishes(task, dialogue), list[str]()
    known = wishes.usable
    for pay in wishes.wanted or wishes.later:
        found = _find_fitting(pay, known)
        new = [each for each in found if each not in chosen]
        if not found:
            problem = _problem(pay, known, None, 0)
            _ask(task, known, [*known], f"{lead} {problem} How would you like to pay?")
        kinds = {known[each].get("source") for each in new}
        if len(new) > 1 and pay.pick != "all" and kinds != {"gift_card"}:
            _ask(task, known, new, f"{lead} Which one is it?", None, "payment_which", chosen)
        chosen = _joined(chosen, found, known)
    for kind, most in MOST.items():
        of_kind = [key for key in chosen if known[key].get("source") == kind]
        if len(of_kind) > most:
            instead = [key for pay in wishes.later for key in _find_fitting(pay, known)]
            if instead:
                return list(dict.fromkeys(instead))
            rest = [each for each in chosen if each not in of_kind]
            _ask(task, known, of_kind, say(f"most of {kind}"), None, "payment_which", rest)
    return chosen


def _joined(chosen: list[str], found: list[str], known: Methods) -> list[str]:
    """The methods with more of them; "both cards, the smaller one first" moves one ahead."""
    if len(found) != 1 or found[0] not in chosen:
        return [*chosen, *(each for each in found if each not in chosen)]
    kinds = [known[each].get("source") for each in chosen]
    place = kinds.index(known[found[0]].get("source"))
    rest = [each for each in chosen if each != found[0]]
    return [*rest[:place], *found, *rest[place:]]


def read_answer(text: ParsedSentence, question: Question, known: Methods) -> str:
    """The ids of the methods that an answer names, joined to a sentence; empty if it names none."""
    offered = {each.value: known[each.value] for each in question.choices if each.value in known}
    others = {key: each for key, each in known.items() if key not in question.keeps}
    ids = _by_places(text, question)
    for pay in wanted_payments(text):
        ids = _joined(ids, _find_fitting(pay, offered) or _find_fitting(pay, others), known)
    if not ids or question.slot == "payment_which":
        ids = list(dict.fromkeys([*_by_sum(text, offered), *ids]))
    return join_methods(ids, question) if ids else ""


def _by_places(text: ParsedSentence, question: Question) -> list[str]:
    """The methods at several places of the list, in the order in which they are named."""
    ends = {(), (",",), ("then",), ("and",), (".",)}
    bare = [w for n, w in enumerate(text.words) if w.isdecimal() and text.after(n + 1, 1) in ends]
    places = [int(each) for each in bare if 0 < int(each) <= len(question.choices)]
    return [question.choices[each - 1].value for each in places] if len(places) > 1 else []


def join_methods(ids: list[str], question: Question) -> str:
    """The chosen methods and the kept ones as a sentence; for the rest of an amount, kept first."""
    kept = [each for each in question.keeps if each not in ids]
    return " , ".join([*kept, *ids] if question.slot == "payment_rest" else [*ids, *kept])


def _by_sum(text: ParsedSentence, offered: Methods) -> list[str]:
    """The offered method that an answer describes by its balance or last digits."""
    for pick, words in ((max, "large"), (min, "small")):
        if words_of(words) & set(text.words) and offered:
            return [pick(offered, key=lambda key: worth(offered[key]))]
    of_days = {place for each in text.days for place in range(each.start, each.end)}
    rest = " ".join(word for place, word in enumerate(text.words) if place not in of_days)
    told = re.findall(r"\d+", re.sub(r"\bnot\b[^,.;]*", " ", rest))
    hits = (k for k, e in offered.items() if f"{worth(e):g}" in told or e.get("last_four") in told)
    return list(hits)[:1]
