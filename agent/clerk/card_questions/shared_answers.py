"""What is answered about any card, by topic: money, what comes next, what is possible later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from agent.clerk.card_questions.topics import PHRASES, tells
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence, likeness
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import LONGEST, join_parts, quote

DECIDE = "You can approve it, reject it, or say what should be different."
SAY = "If you want it instead, tell me so."
WHY = f"I can't tell you why; the card is how I understood your request. {DECIDE}"
NO_MONEY = "As far as the card says, no money is moved by this."
_MARKS = (
    "On the card, ✗ marks a check that failed, with what was found; ≠ marks what differs from what "
    "was said. I can't see the marks myself."
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_UNMOVED = re.compile(r"\bprice\b|\bno money\b")
_METHOD = re.compile(r"(pay|refund) \$[\d.,]+ (?:with|to) (?:the )?([^,;(]*[^,;( ])")
_TIMES = r"\b(?:days?|at once|once they|immediately|no money)\b"
_STORED = ("gift", "certificate")
_KINDS = ("paypal", "visa", "mastercard", "express", "ending", *_STORED)
"""The words that tell kinds of payment methods apart in their names on a card."""

_OF_CARD = frozenset({"amount", "total", "payment", "balance", "split", "when", "next", "why"})
"""Topics of questions that are about the card, whatever else they mention."""

_CLEARLY = 0.1
"""How much more a question must be like what is possible than like what is not, or vice versa."""

_LIKE, _MORE = 0.28, 0.07
"""How like a text a question must be to be about it, and how much more than like the card."""


def reply(card: WaitingCard, fact: str, holds: bool | None = None) -> str:
    """A fact as a sentence, after a yes or a no if the question asks whether something is so.

    ``holds`` is whether the fact bears it out; None if that cannot be told.
    """
    says = holds is not None and is_yes_or_no(card.question)
    return as_sentence([f"{('Yes, ' if holds else 'No, ') if says else ''}{fact}"])


def amount(card: WaitingCard, paid: float = 0.0) -> str:
    """What is paid or comes back, of ``paid``; whether it is what the question says, if it does."""
    words, money = tokens(card.question), card.money
    pays, free = GENERAL.tell(words, "paying"), tells(words, "free")
    if tells(words, "matters"):
        return reply(card, "the sum is the same either way", holds=False)
    if "$" in money and "more" not in money and re.search(r"\bback\b", money):
        off = tells(words, "taken off")
        if paid and (off or tells(words, "in full")) and not names_sum(card):
            whole = abs(sum(_sums(money)) - paid) < 0.01
            fact = f"{'all that you paid' if whole else f'of ${paid:,.2f} that you paid'}: {money}"
            return reply(card, fact, whole != (off and not tells(words, "nothing")))
        if pays:
            return reply(card, f"it costs nothing: {money}", free)
    elif "$" in money and pays and not set(_numbers(card.question)):
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
    asked = _named(words, _KINDS)
    holds = any(has(tokens(name), kind) for name in names for kind in asked) if asked else None
    fact = f"it {'is paid with' if pays else 'goes back to'} your {join_parts(names)}"
    if asked and is_yes_or_no(card.question):
        return reply(card, fact, holds)
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


def why(card: WaitingCard, paid: str) -> str:
    """Why money goes where it does, if that is asked: what comes back was ``paid`` in that way."""
    if not _asks_of_methods(card):
        return ""
    same = card.tool.startswith("cancel") or card.after("^refund .*paid for this")
    return f"That is how it was paid: {paid}." if paid and same else WHY


def _asks_of_methods(card: WaitingCard) -> bool:
    words, here = tokens(card.question), tokens(" ".join(card.after()))
    return bool(_named(here, _named(words, _KINDS))) or tells(words, "in part")


def balance(card: WaitingCard, what: str, held: Sequence[str]) -> str:
    """What is on gift cards and certificates now, and how the change affects it."""
    if not held:
        return f"There is no {what} on your profile."
    words, asked = tokens(card.question), {*_numbers(card.question)}
    told, yes_or_no = f"you have {join_parts(held)} now", is_yes_or_no(card.question)
    unused = _of_kinds(card.after("^not used"), _named(words, _STORED) or _STORED)
    named = not yes_or_no and asked & {*_numbers(" ".join(unused))}
    if unused and (named or tells(words, "the other one")):
        return reply(card, "; ".join(unused), holds=True)
    lines = card.after("balance:|used up")
    told_now = [line for line in lines if not asked.isdisjoint(_numbers(line))]
    if told_now and yes_or_no:
        return reply(card, "; ".join(told_now), asked <= {*_numbers(" ".join(told_now))})
    if asked and asked <= {*_numbers(told)} and yes_or_no:
        return f"{reply(card, told, holds=True)} {as_sentence(lines)}".strip()
    lines = _of_kinds(lines, _named(words, _STORED)) or lines
    lasts = "used up" not in " ".join(lines) if tells(words, "still good") else None
    then = reply(card, "; ".join(lines), lasts) if lines else ""
    return then or f"{as_sentence([told])} This changes nothing about it."


def _named(words: Tokens, kinds: Sequence[str]) -> list[str]:
    return [kind for kind in kinds if tells(words, kind)]


def _of_kinds(lines: Sequence[str], kinds: Sequence[str]) -> list[str]:
    return [line for line in lines if _named(tokens(line), kinds)]


def is_kept(card: WaitingCard) -> bool | None:
    """What is true of something that stays: that it does, or that it changes; None if neither."""
    words = tokens(card.question)
    if tells(words, "changed"):
        return _denies(words)
    return True if tells(words, "same") else None


def _denies(words: Tokens) -> bool:
    """Whether a question states that something is not so: "not the lamp, right?", not "isn't it?"."""
    return has(words[:1], "not", "nothing") or tells(words[1:], "denied")


def asks_if_only(card: WaitingCard) -> bool:
    """Whether a question is whether nothing beyond the card changes."""
    return tells(tokens(card.question), "only")


def later(card: WaitingCard) -> str:
    """What will no longer be possible, and what still will be; to a yes or no, the nearest."""
    closes = [f"afterwards {re.sub(' (after this|later)$', '', each)}" for each in card.closes]
    known = [card.tool, *(f"{name} {value}" for name, value in card.arguments.items())]
    still = [text for each in known for text in PHRASES.by_name.get(f"still {each}", ())]
    closes += PHRASES.by_name.get(f"never {card.tool}", ())
    words, like = tokens(card.question), {e: likeness(card.question, e) for e in [*closes, *still]}
    best = max(like, key=lambda line: like[line], default="")
    rival = max((like[e] for e in (closes if best in still else still)), default=0.0)
    if not like or tells(words, "asks which") or like[best] < max(_LIKE, rival + _CLEARLY):
        return " ".join(as_sentence([each]) for each in like)
    asks = GENERAL.tell(words, "may") and not tells(words, "nothing")
    return reply(card, best, best in still if asks else None)


def other_wishes(card: WaitingCard, topic: str) -> str:
    """Which other wishes come next, if a question on a topic is about any."""
    at_card = likeness(card.question, card.sentence)
    like = {each: likeness(card.question, each) for each in card.others}
    near = [each for each in like if like[each] >= max(_LIKE, at_card + _MORE)]
    asks = card.asks_of_others and at_card < max([_LIKE, *like.values()]) + _MORE
    if not (like and asks) and not (near and topic not in _OF_CARD):
        return ""
    told = f"comes next: {join_parts(map(_quoted, near or like))}"
    if topic == "contents" and not asks and is_yes_or_no(card.question):
        denies = _denies(tokens(card.question))
        return reply(card, f"that is not part of this; it {told}", denies)
    return reply(card, f"that {told}", True if asks else None)


def _quoted(wish: str) -> str:
    """A wish in the customer's words; a long one up to the end of a clause."""
    words = wish.split()
    while words[1:] and tells(tokens(words[0]), "joint"):
        del words[0]
    ends = [n for n in range(2, len(words)) if tells(tokens(words[n]), "joint")]
    ends += [n for n, word in enumerate(words, 1) if word[-1] in ",;:."]
    short = [n for n in ends if len(" ".join(words[:n])) <= LONGEST]
    fits = len(wish) <= LONGEST or not short
    return quote(" ".join(words if fits else words[: max(short)]))


def why_first(card: WaitingCard) -> str:
    """Why this comes before the other wishes, if a question is about that."""
    words = tokens(card.question)
    if not (card.others and tells(words, "why") and tells(words, "first")):
        return ""
    keys = [f"{card.tool} before {each}" for each in card.tools_to_come]
    known = [text for each in keys for text in PHRASES.by_name.get(each, ())]
    reason = "".join(known[:1]) or "I make one change at a time"
    return f"{reason}. What comes next: {join_parts(map(_quoted, card.others))}."


def lines_with_number(card: WaitingCard) -> str:
    """The lines of the card with a number that the question names, such as a balance."""
    asked = {each for each in _NUMBER.findall(card.question) if len(each) > 1}
    return as_sentence([e for e in [*card.after(), *card.closes] if asked & {*_numbers(e)}])


def _numbers(text: str) -> Iterator[str]:
    return (each.removesuffix(".00") for each in _NUMBER.findall(text))


def _sums(text: str) -> list[float]:
    """The sums of money in a text, in dollars, without what they are made up of."""
    told = re.findall(r"\$([\d.,]*\d)", text.rpartition("=")[2])
    return [float(each.replace(",", "")) for each in told]


_SHORT = 3
"""How many words a question has at most that has no verb, such as "and the lamp?"."""


def is_yes_or_no(question: str) -> bool:
    """Whether a question asks whether something is so."""
    words = tokens(question)
    if tells(words[-2:], "tag"):
        return True
    parts = map(tokens, re.split(r",|[.!?]\s", question))
    asks = any(GENERAL.tell(e[:1], "asks whether") or tells(e[:1], "short") for e in parts)
    asks = asks or (question.rstrip().endswith("?") and len(words) > _SHORT)
    return asks and (tells(words, "what of") or not tells(words, "asks which"))


_TIMED = frozenset({"rules", "times"})
"""Topics that a question when money comes is mistaken for: "when does the money arrive?"."""


def topic_by_words(card: WaitingCard, learned: str) -> str:
    """The topic of a question: the one that its words tell for sure, or else the ``learned`` one.

    If none was learned either, it is told by what the question names.
    """
    words, moves, unsure = tokens(card.question), card.moves_money, learned in {"", "none"}
    lasts = tells(words, "the other one") or tells(words, "still good")
    unused = {*_numbers(" ".join(card.after("^not used")))} & {*_numbers(card.question)}
    soon = tells(words, "how soon")
    told = (
        ("why", moves and tells(words, "why") and _asks_of_methods(card)),
        ("use", "certificate" in card.tool and tells(words, "spent") and not soon),
        ("balance", moves and (unused or (lasts and _named(words, _STORED)))),
        ("rules", learned in {"amount", "total"} and tells(words, "shipping")),
        ("when", moves and (unsure or learned in _TIMED) and soon and tells(words, "money")),
        ("amount", moves and unsure and tells(words, "free")),
        (learned, learned),
        ("sum", names_sum(card)),
        ("keep", tells(words, "same") and not tells(words, "asks which")),
        ("payment", _named(words, _KINDS)),
    )
    return next((topic for topic, so in told if so), "none")


def asks_of_money(card: WaitingCard) -> bool:
    """Whether a question speaks of money at all."""
    words = tokens(card.question)
    return tells(words, "money") or GENERAL.tell(words, "paying") or "$" in card.question


def names_sum(card: WaitingCard) -> bool:
    """Whether a question names a sum that the card moves."""
    sums = " ".join(re.findall(r"\$[\d.,]*\d", card.money))
    return not {*_numbers(card.question)}.isdisjoint(_numbers(sums))


SHARED_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    "sum": lambda card: as_sentence([card.money]),
    "total": total,
    "later": later,
    "use": lambda card: later(replace(card, tool="spending")),
    "payment": payment,
    "next": lambda card: f"If you approve: {as_sentence(card.after())}" if card.after() else "",
    "marks": lambda card: _MARKS,
    "wish": lambda card: DECIDE,
    "approve": lambda card: DECIDE,
}
"""The functions that answer questions about any card, by topic."""
