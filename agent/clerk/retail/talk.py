"""The conversation of the store's clerk: what it knows better than any dialogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from agent.clerk.retail import filling, paying
from agent.clerk.retail.address_parts import parse_address
from agent.clerk.retail.addresses import (
    ADDRESSES,
    names_address_of,
    shared_wishes,
    task_for_order,
    which_address,
    without_mere_moves,
)
from agent.clerk.retail.manner import ACTS, OFFERS, SWAPS, TOOLS, reader, tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.things import (
    Owned,
    is_of_another,
    items_of,
    named_items,
)
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.identity import EMAIL, ZIP, identity, name_data, put_identity_right
from agent.clerk.state.steps import Ask, Choice
from agent.clerk.state.task import Task
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.scope import seeks_information
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import CLEAR, SURE, Message, Wish

_GIVEN_BACK = SWAPS | {"return_items"}
_DETAILS = frozenset({"change_payment", "refund_amount", "gift_balance", "return_items"})
"""Intents that a mere word on where money goes may be taken for."""

_SAYS_LITTLE = 6
"""A sentence with fewer words beside a name and a zip code is no request that could be offered."""

_NO = re.compile(r"^\W*(?:(?:no|nope|nah)\b\W*){2,}|^\W*(?:no|nope|nah)\s*[,;.!]\W*", re.IGNORECASE)
_ASKS_PRICE = re.compile(
    r"\b(?:does|do|did|will|would|is|are|shall)\s+"
    r"(?:(?!not\b|never\b|no\b|only\b)[\w'-]+\s+){1,5}?"
    r"(?:costs?|pay|be|charged?)\s+(?:(?:any|much|me|us|a lot|something)\s+)*(?:more|extra)\b",
    re.IGNORECASE,
)
"""*Does olive cost more*, *would I pay extra*; not *as long as it does not cost more*."""


@dataclass
class Talk(Dialogue):
    """All that the store's clerk makes of the messages."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    subject: ClassVar[str] = "order_id"
    offers: ClassVar[Mapping[str, str]] = OFFERS

    memory: Memory = field(default_factory=Memory)

    @property
    def reader(self) -> Reader:
        """Reads what the customer types."""
        return reader()

    @property
    def things(self) -> list[Owned]:
        """All items in orders that were read."""
        return items_of(self.memory.orders.values())

    def names(self, text: str) -> bool:
        """Whether a text names an item, an order or a payment method."""
        return bool(self.find_named(text) or order_ids(text) or paying.kinds(text))

    def find_named(self, text: str) -> list[Owned]:
        """The customer's items that a text names."""
        return named_items(text, self.things)

    def prepare(self, text: str) -> str:
        """A message as it is read: who speaks in a sentence of its own, a correction without a no.

        The card was sent back already: the no of *no no, the other lamp* says nothing more.
        """
        if self.declined or (self.ask is not None and self.ask.slot == "revise"):
            text = _NO.sub("", text) or text
        text = re.sub(rf"[\s,;:(-]*{EMAIL.pattern}[\s,;:)-]*", " . ", text)
        found, named = ZIP.search(text), identity(text).names
        if self.memory.user is not None or found is None or not named:
            return text
        if named[0][1].lower() not in text[: found.start()].lower():
            return text
        return f"{text[: found.end()]} . {text[found.end() :].lstrip(' ,.;:-')}"

    def introduce(self, text: str, told: Message) -> None:
        """Who speaks; another's e-mail, once somebody is known, is a wish about another person."""
        _drop_limits_only_asked(told)
        told_now, other = identity(text), is_of_another(told.words)
        if self.memory.user is None:
            right = put_identity_right(self.identity, text)
            told_now = right or told_now
            told.wishes = [each for each in told.wishes if each.has_verb or right is None]
            self.introduced = bool(told_now.emails or told_now.names or told_now.zips)
            self.identity.add(told_now)
        else:
            known = str(self.memory.user.get("email", "")).lower()
            other |= any(each != known for each in told_now.emails)
        presents = told_now.names and told_now.zips and "address1" not in parse_address(text)
        if self.introduced or presents:
            mere = [each for each in told.wishes if each.unsure and _only_introduces(each.text)]
            told.loose += (each.text for each in mere)
            told.wishes = [each for each in told.wishes if each not in mere]
        if other or any(each.intent == "other_person" for each in told.wishes):
            told.wishes = [Wish("other_person", text, 1.0, told.guesses, has_cue=True)]

    def fills(self, about: Task, text: str) -> str:
        """The text where it tells what was asked, or what should be different."""
        slot = self.ask.slot if self.ask is not None and not self.declined else "revise"
        return filling.read_answer(about, slot, text, self.memory)

    def pick(self, about: Task, ask: Ask, choice: Choice) -> str:
        """Take up a pick; of a return and an exchange, the one that was not picked goes."""
        about.chosen[ask.slot] = choice.value
        if ask.slot == "either" and about.intent in ADDRESSES:
            self.requests += task_for_order(about, ask, choice)
        elif ask.slot == "either":
            for each in self.open:
                returns = each.intent == "return_items"
                if each.intent in _GIVEN_BACK and returns != (choice.value == "return"):
                    self.drop(each)
        return ""

    def belongs(self, wish: Wish, about: Task, *, filled: bool) -> bool:
        """Whether a wish only tells more of the task at hand."""
        words = tokens(wish.text)
        if wish.intent == "change_payment" and filled and not has(words, "my order"):
            return True
        if {wish.intent, about.intent} == ADDRESSES:
            return not names_address_of(wish.intent, wish.text)
        of_items = wish.intent in _GIVEN_BACK and wish.likely >= CLEAR
        if about.intent in ADDRESSES and of_items and self.find_named(wish.text):
            return False
        if wish.intent in ACTS:
            same = wish.intent == about.intent or {wish.intent, str(about.intent)} <= SWAPS
            doubt = CLEAR if filled or self.find_named(wish.text) else SURE
            return same or (not wish.has_cue and (filled or wish.likely < doubt))
        if wish.intent == "human":
            return False
        asks = "?" in wish.text or "how much" in wish.text
        tells_variant = wish.intent == "product_info" and not seeks_information(words)
        if tells_variant and not asks and filling.swaps_for(about, wish.text, self.memory):
            return True
        alone = self.last is not None and len(self.last.wishes) == 1
        if filled and alone and not asks:
            return True
        return not (wish.has_cue or wish.likely >= (0.45 if asks else CLEAR))

    def wishes_for_both(self, told: Message) -> list[Wish] | None:
        """One address for an order and for the profile, which are two changes."""
        wishes = shared_wishes(told, self.open)
        if wishes is None:
            return None
        if self.declined and self.about is not None and self.about.intent not in ADDRESSES:
            self.drop(self.about)
        self.unwanted.clear()
        return wishes

    def replaces(self, about: Task, wish: Wish) -> bool:
        """Whether the same things are to be exchanged and not returned, or the other way round."""
        both = about.intent in _GIVEN_BACK and wish.intent in _GIVEN_BACK
        return both and not self.find_named(wish.text)

    def hand_on(self, about: Task, wish: Wish) -> None:
        """Another change instead of the one at hand is about the same things unless it says."""
        self.focus = self.focus or next(iter(about.chosen.values()), None)
        if not self.find_named(wish.text):
            named = [each.id for text in about.words for each in self.find_named(text)]
            about.items = about.items or named

    def reopen(self, told: Message) -> bool:
        """By "it must be another order", what was refused of the one is looked for in all.

        So is what was refused for a limit, where the customer says that they set none.
        """
        last = self.requests[-1] if self.requests else None
        if last is None or last.outcome != "refused" or last.intent not in ACTS:
            return False
        if last.limit is not None and tells(told.words, "set no limit"):
            last.limit = None
        elif has(told.words, "another order", "other order", "different order", "wrong order"):
            last.chosen["order"] = "any"
            last.notes.append(told.text)
        else:
            return False
        last.closed, last.outcome = False, ""
        return True

    def refine(self, wishes: list[Wish], told: Message) -> list[Wish]:
        """The wishes, each address where it belongs, less mere details of how money goes."""
        kept = []
        wishes = without_mere_moves(wishes, told)
        last = next((each.intent for each in reversed(self.requests) if each.intent), None)
        for wish in wishes:
            others = any(each.intent in _GIVEN_BACK for each in wishes if each is not wish)
            if others and wish.intent in _DETAILS and paying.only_pays(wish.text):
                told.loose.append(wish.text)
                told.otherwise += wish.otherwise
                continue
            if wish.intent == "change_payment" and not wish.has_cue and len(tokens(wish.text)) <= 4:
                wish.intent, wish.likely = "chat", 1.0
            kept.append(which_address(wish, last))
        return kept

    def same(self, task: Task, intent: str, wish: Wish) -> bool:
        """Whether no other order is named than in the task."""
        ids, known = order_ids(wish.text), order_ids(task.all_words)
        return not (ids and known and ids != known)

    def names_another(self, about: Task, wish: Wish) -> bool:
        """Whether a wish names an order or a thing, and not the task's."""
        named = zip(self._named(wish.text), self._named(about.all_words), strict=True)
        return any(mine and theirs and mine.isdisjoint(theirs) for mine, theirs in named)

    def _named(self, text: str) -> tuple[set[str], ...]:
        """The orders and the things that words name."""
        words = set(tokens(text)) & set(tokens(" ".join(name_data()["things"])))
        return {*order_ids(text)}, {each.id for each in self.find_named(text)}, words

    def point_back(self, task: Task) -> None:
        """By "cancel it" the order or the items that were spoken of last are meant.

        By "and in green?" it is the product that was spoken of last, or one to be had.
        """
        words, before = tokens(task.text), [*reversed(self.requests)]
        if task.intent in {"product_info", "product_count"}:
            alike = (each for each in before if each.intent in {task.intent, "product_count"})
            open_one = self.about if self.about is not None and not self.about.closed else None
            earlier = open_one or next(alike, None)
            if earlier is not None:
                task.context = [*earlier.context, *earlier.words][-4:]
            return
        if task.intent in ACTS and has(words, "it", "them", "this", "those", "that", "one"):
            task.context = self.typed[-4:-1]
        if self.find_named(task.all_words) or order_ids(task.all_words) or not self.memory.orders:
            return
        earlier = next((each for each in before if each.intent in ACTS), None)
        if earlier is not None and earlier.outcome in {"dropped", "refused"}:
            said = [earlier.words, earlier.context]
            named = ([e.id for text in texts for e in self.find_named(text)] for texts in said)
            known = next(filter(None, named), [])
            task.items = earlier.items or known
            if not known:
                return
        if self.focus in self.memory.orders and tells(words, "pointing"):
            task.chosen.setdefault("order", str(self.focus))


def _only_introduces(text: str) -> bool:
    """Whether a sentence that asks for nothing clear is about who speaks, or says very little."""
    told = identity(text)
    return bool(told.emails or told.names or told.zips) or len(tokens(text)) < _SAYS_LITTLE


def _drop_limits_only_asked(told: Message) -> None:
    """Take back the limits that a message was read to set where it only asks about the price."""
    if _ASKS_PRICE.search(told.text) and not tells(told.words, "hangs on it"):
        places: list[Message | Wish] = [told, *told.wishes]
        for each in places:
            each.limit = each.limit or None
