"""What is answered about the money that a card moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.clerk.card_questions.asked import (
    KINDS,
    STORED,
    asks_of_money,
    denied,
    denies,
    is_kept,
    is_yes_or_no,
    named_kinds,
    names_sum,
    numbers_of,
    of_kinds,
    reply,
    sums_of,
)
from agent.clerk.card_questions.topics import tells
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import join_parts

NO_MONEY = "As far as the card says, no money is moved by this."
_UNMOVED = re.compile(r"\bprice\b|\bno money\b")
_METHOD = re.compile(r"(pay|refund) \$[\d.,]+ (?:with|to) (?:the )?([^,;(]*[^,;( ])")
_TIMES = r"\b(?:days?|at once|once they|immediately|no money)\b"


def amount(card: WaitingCard, paid: float = 0.0) -> str:
    """What is paid or comes back, of ``paid``; whether it is what the question says, if it does."""
    words, money = tokens(card.question), card.money
    pays, free = GENERAL.tell(words, "paying"), tells(words, "free")
    if tells(words, "matters"):
        return reply(card, "the sum is the same either way", holds=False)
    if "$" in money and "more" not in money and re.search(r"\bback\b", money):
        off = tells(words, "taken off")
        if paid and (off or tells(words, "in full")) and not names_sum(card):
            whole = abs(sum(sums_of(money)) - paid) < 0.01
            fact = f"{'all that you paid' if whole else f'of ${paid:,.2f} that you paid'}: {money}"
            return reply(card, fact, whole != (off and not tells(words, "nothing")))
        if pays:
            return reply(card, f"it costs nothing: {money}", free)
    elif "$" in money and pays and not set(numbers_of(card.question)):
        return reply(card, money, not free)
    if "$" in money or _UNMOVED.search(money):
        return reply(card, money, names_sum(card) or None)
    if not card.after(r"\$") and pays:
        return reply(card, "it costs nothing", free)
    amounts = [line for line in card.after(r"\$") if "as before" not in line]
    return as_sentence(amounts) or f"The card gives no amount. {card.sentence}".strip()


def total(card: WaitingCard) -> str:
    """A yes or no on whether the total goes up, down or stays, with the amount on the card."""
    words, money = tokens(card.question), card.money
    same = has(words, "stay", "stays", "same", "unchanged")
    asked = [way == "goes up" for way in ("goes up", "goes down") if GENERAL.tell(words, way)]
    if "$" not in money:
        fact = money if _UNMOVED.search(money) else "no money is moved by this"
        return reply(card, fact, same)
    goes_up = not has(tokens(money), "back", "less")
    return reply(card, money, goes_up in asked if asked else not same)


def payment(card: WaitingCard) -> str:
    """The methods that are charged or refunded; whether they are those that the question names."""
    words, found = tokens(card.question), dict[str, dict[str, None]]()
    for hit in filter(None, map(_METHOD.match, card.after())):
        found.setdefault(hit[1], {})[hit[2]] = None
    if not found:
        return "" if card.moves_money else NO_MONEY
    pays = "pay" in found and not ("refund" in found and tells(words, "coming back"))
    names = found["pay" if pays else "refund"]
    asked = named_kinds(words, KINDS)
    fact = f"it {'is paid with' if pays else 'goes back to'} your {join_parts(names)}"
    if asked and is_yes_or_no(card.question):
        never = denied(words, asked)
        unused = [line for line in card.after("^not used") if never and has(tokens(line), never)]
        affirmed = [kind for kind in asked if kind != never]
        true = [has(tokens(name), *affirmed) for name in names]
        every = tells(words, "in full")
        holds = not affirmed or (all(true) if every else any(true))
        holds &= not any(never and has(tokens(name), never) for name in names)
        fact = "; ".join([fact, *unused])
        return reply(card, fact, None if "or" in words else holds)
    unused = card.after("^not used") if asked or "other" in words else []
    return as_sentence([fact, *unused])


def when(card: WaitingCard) -> str:
    """When money moves: as the card says, with a yes to it, or at a time that is not known."""
    lines = card.after(_TIMES)
    if lines or not card.moves_money:
        return as_sentence(lines) or NO_MONEY
    if card.after("^refund"):
        return f"I don't know how soon the refund of a change arrives. {payment(card)}"
    if tells(tokens(card.question), "coming back"):
        return f"No money comes back: {card.money}."
    pays = card.after("^pay") and asks_of_money(card)
    return f"It is paid as soon as you approve this: {card.money}." if pays else ""


def balance(card: WaitingCard, what: str, held: Sequence[str]) -> str:
    """What is on gift cards and certificates now, and how the change affects it."""
    if not held:
        return f"There is no {what} on your profile."
    words, asked = tokens(card.question), {*numbers_of(card.question)}
    told, yes_or_no = f"you have {join_parts(held)} now", is_yes_or_no(card.question)
    unused = of_kinds(card.after("^not used"), named_kinds(words, STORED) or STORED)
    named = not yes_or_no and asked & {*numbers_of(" ".join(unused))}
    if unused and (named or tells(words, "the other one") or tells(words, "still good")):
        return reply(card, "; ".join(unused), tells(words, "lost") == denies(words))
    if enough := _is_enough(card, held):
        return enough
    lines, to_come = card.after("balance:|used up"), _to_come(card)
    if to_come and not lines:
        fact = "; ".join([told, *to_come])
        holds = is_kept(card) is False or (asked and asked <= {*numbers_of(fact)})
        return reply(card, fact, True if holds else None)
    told_now = [line for line in lines if not asked.isdisjoint(numbers_of(line))]
    if told_now and yes_or_no:
        return reply(card, "; ".join(told_now), asked <= {*numbers_of(" ".join(told_now))})
    if asked and asked <= {*numbers_of(told)} and yes_or_no:
        return f"{reply(card, told, holds=True)} {as_sentence(lines)}".strip()
    lines = of_kinds(lines, named_kinds(words, STORED)) or lines
    lasts = "used up" not in " ".join(lines) if tells(words, "still good") else None
    then = reply(card, "; ".join(lines), lasts) if lines else ""
    return then or f"{as_sentence([told])} This changes nothing about it."


def _is_enough(card: WaitingCard, held: Sequence[str]) -> str:
    """Whether a gift card or certificate covers what is paid, if that is asked of a single one."""
    words, due = tokens(card.question), sums_of(card.money)[:1]
    meant = of_kinds(held, named_kinds(words, STORED)) or held
    if not (tells(words, "enough") and due and len(meant) == 1) or has(tokens(card.money), "back"):
        return ""
    covers = sum(sums_of(meant[0])) >= due[0]
    which = f"which is {'' if covers else 'not '}enough for ${due[0]:,.2f}"
    return reply(card, f"you have {meant[0]}, {which}", covers != _doubts_enough(words))


def _doubts_enough(words: Tokens) -> bool:
    """Whether a yes says that it is not enough: "is it too small?", "it isn't enough, right?"."""
    return denies(words) or tells(words, "not enough")


def _to_come(card: WaitingCard) -> list[str]:
    """What comes to a gift card later, or is paid with it then."""
    lines = of_kinds(card.after("^refund|no money moves until then"), STORED)
    plain = [line.removesuffix(" (no money moves until then)") for line in lines]
    when = [line.rpartition(", ")[2].replace("they are", "the items are") for line in plain]
    return [
        f"{line.split()[1]} comes to it {then}" if line.startswith("refund") else line
        for line, then in zip(plain, when, strict=True)
    ]
