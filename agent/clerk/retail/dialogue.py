"""The retail dialogue state, with the retail rules for matching utterances to tasks and slots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from agent.clerk.retail.address_parts import parse_address
from agent.clerk.retail.addresses import (
    ADDRESSES,
    OF_ORDER,
    OF_PROFILE,
    names_address_of,
    shared_wishes,
)
from agent.clerk.retail.intent_data import ACTS, OF_ITEMS, OFFERS, SWAPS, TOOLS, reader, tells
from agent.clerk.retail.item_denials import names_only_others, take_out
from agent.clerk.retail.item_mentions import (
    found_by,
    is_of_another,
    items_meant,
    mentions,
    says_only,
)
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.payment_slots import ids_in, names_method
from agent.clerk.retail.request_readings import refined
from agent.clerk.retail.slot_answers import (
    ENOUGH,
    accepted_variant,
    fills,
    refused_variant,
    swaps_for,
    takes_another,
)
from agent.clerk.retail.subjects import (
    OTHER_PERSON,
    PRODUCTS,
    goes_on_about_another,
    inherit_context,
)
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.identity import EMAIL, ZIP, correct_identity, identity
from agent.clerk.state.records import RecordedCall
from agent.clerk.state.steps import Choice, Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import CLEAR, SURE, ParsedMessage, ParsedRequest
from agent.clerk.understanding.picking import any_will_do, beside_shrug
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.tokens import has, tokens

_ADDED = ("add_item", "return_items")
"""What is said of a thing that is to go back too, and of what: "add the planter too"."""


@dataclass
class RetailDialogue(Dialogue):
    """The state of a retail dialogue, rebuilt from the messages."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    record_argument: ClassVar[str] = "order_id"
    offers: ClassVar[Mapping[str, str]] = OFFERS

    records: RetailRecords = field(default_factory=RetailRecords)

    @property
    def reader(self) -> Reader:
        """The reader that parses customer messages."""
        return reader()

    def names_something(self, text: str) -> bool:
        """Whether a text mentions an item, an order or a payment method."""
        return bool(self.records.find_named(text) or order_ids(text) or names_method(text))

    def names_things(self, text: str) -> bool:
        """Whether a text names items for themselves."""
        return bool(items_meant(text, self.records.things))

    def kept_things(self, text: str) -> list[str]:
        """The names of the items that a text speaks of, or else the address or profile it does."""
        of_profile = not order_ids(text) and names_address_of(OF_PROFILE, text)
        what = "default address" if "address" in text.lower() else "profile"
        place = [f"your {what}"] if of_profile and what.split()[-1] in text.lower() else []
        named = mentions(text, self.records.things)
        out = [one for one in named if one.is_excluded]  # "forget the lamp, only the desk"
        told = found_by(out or named)
        return [*dict.fromkeys(f"the {each.item['name']}" for each in told)] or place

    def has_changed(self, text: str) -> bool:
        """Whether an item that a text speaks of was given back already."""
        given = {each for made in self.changes for each in ids_in(made, "item_ids")}
        return any(each.id in given for each in self.records.find_named(text))

    def tells_of(self, task: Task, text: str) -> bool:
        """Whether a text gives a detail of a task: something it names, or the variant wanted."""
        return super().tells_of(task, text) or swaps_for(task, text, self.records)

    def preprocess(self, text: str) -> str:
        """The message to parse, with the customer's introduction split off as a separate sentence.

        An email becomes a sentence break.
        """
        text = re.sub(rf"[\s,;:(-]*{EMAIL.pattern}[\s,;:)-]*", " . ", text)
        found, named = ZIP.search(text), identity(text).names
        if self.records.user is not None or found is None or not named:
            return text
        return f"{text[: found.end()]} . {text[found.end() :].lstrip(' ,.;:-')}"

    def identify_customer(self, text: str, message: ParsedMessage) -> None:
        """Take in the customer's identity and drop requests that only introduce the customer.

        Someone else's order, or another email once the customer is known, replaces all requests
        with one about another person.
        """
        told_now, other = identity(text), is_of_another(message.words)
        if self.records.user is None:
            right = correct_identity(self.identity, text)
            told_now = right or told_now
            if right is not None:
                message.requests = [e for e in message.requests if not e.is_uncertain]
            self.gave_identity = bool(told_now.emails or told_now.names or told_now.zips)
            self.identity.add(told_now)
        else:
            known = str(self.records.user.get("email", "")).lower()
            other |= any(each != known for each in told_now.emails)
            other |= goes_on_about_another(text, self.tasks)
        own = [each for each in message.requests if each.intent != OTHER_PERSON]
        if other or (message.requests and not own):
            own = [ParsedRequest(OTHER_PERSON, text, 1.0, message.guesses)]
        said = message.text
        clear = any(not each.is_uncertain for each in own) or self.names_something(said)
        if any_will_do(said) and not (
            clear or self.question or self.declined or beside_shrug(said)
        ):
            own, message.aside_intents = [], ["yes"]  # nothing was left to choose
        message.requests = own

    def answer_sentence(self, task: Task, text: str) -> str:
        """The sentence that a text stands for as an answer or revision; empty if it is neither."""
        slot = self.question.slot if self.question is not None and not self.declined else "revise"
        for each in self.last.requests if self.last else ():
            asks = each.intent not in ACTS if slot == "revise" else each.intent in PRODUCTS
            asks &= (each.intent, task.intent) != _ADDED
            least = ENOUGH if task.intent in SWAPS else SURE
            if asks and each.probability >= least:
                text = text.replace(each.text, " ")  # a question about a thing brings in nothing
        no = self.last is not None and "no" in self.last.aside_intents
        yes = self.last is not None and "yes" in self.last.aside_intents and not no
        refused = refused_variant(self.question, text, self.records) if no else ""
        refused = refused or (accepted_variant(self.question, text, self.records) if yes else "")
        return refused or (text if fills(task, slot, text, self.records) else "")

    def pick(self, task: Task, question: Question, choice: Choice) -> str:
        """Store the picked choice; the sentence it stands for is empty, or names what was picked.

        A variant and a payment method are only named, so that what is told later may change them.
        A pick between a return and an exchange drops the tasks of the other kind.
        """
        slot, _, item_id = question.slot.partition(":")
        if slot == "variant":
            return f"{item_id} {choice.value}"
        if slot == "payment":
            return choice.value
        task.chosen[question.slot] = choice.value
        if question.slot == "either":
            for each in self.open_tasks:
                returns = each.intent == "return_items"
                if each.intent in OF_ITEMS and returns != (choice.value == "return"):
                    self.drop(each)
        return ""

    def adds_detail_to(self, request: ParsedRequest, task: Task, *, filled: bool) -> bool:
        """Whether a request only adds details to the current task."""
        words = tokens(request.text)
        if request.intent in {"remove_item", "add_item"} and says_only(request.text):
            return self.names_things(request.text) and not self.names_another(task, request)
        if request.intent == "change_payment" and filled and not has(words, "my order"):
            return True
        if (request.intent, task.intent) == _ADDED:
            no = self.last is not None and "no" in self.last.aside_intents
            return not no and bool(self.records.find_named(request.text))
        if {request.intent, task.intent} == ADDRESSES:
            points = filled and task.intent == OF_ORDER and tells(words, "as in the profile")
            alone = points and not has(words, "change", "update", "too", "also", "new")
            return alone or not names_address_of(request.intent, request.text)
        if request.intent in ACTS:
            same = request.intent == task.intent or {request.intent, str(task.intent)} <= SWAPS
            doubt = CLEAR if filled or self.records.find_named(request.text) else SURE
            return same or request.probability < (ENOUGH if filled else doubt)
        asks = "?" in request.text or "how much" in request.text
        alone = self.last is not None and len(self.last.requests) == 1
        return (filled and alone and not asks) or request.probability < (SURE if asks else CLEAR)

    def requests_for_both(self, message: ParsedMessage) -> list[ParsedRequest] | None:
        """The two changes, if a message gives one address for an order and the profile, or None."""
        wishes = shared_wishes(message, self.open_tasks)
        if wishes is None:
            return None
        current = self.current_task if self.declined else None
        if current is not None and current.intent not in ADDRESSES:
            self.drop(current)
        self.declined_calls.clear()
        return wishes

    def lets_go_of(self, task: Task, text: str) -> bool:
        """Whether a denial is of a task: it names no items, or all that the task is about.

        A denial of the reasons that were offered answers the question for one.
        """
        slot = self.question.slot if self.question is not None else ""
        if slot == "reason" and tells(tokens(text), "no such reason"):
            return False
        named = {each.id for each in self.records.find_named(text)}
        own = {each.id for each in self.records.find_named(task.all_words)} | {*task.items}
        if says_only(text) and own & named:  # "only the lamp, the bedding stays with me"
            return False
        return (bool(own) and named >= own) if named else not order_ids(text)

    def implied_request(
        self, message: ParsedMessage, task: Task | None = None
    ) -> ParsedRequest | None:
        """The exchange that picks a variant just told of a thing bought: "the fiber one then"."""
        last = self.tasks[-1] if self.tasks else None
        if last is None or (last.intent, last.outcome) != ("product_info", "answered"):
            return None
        both = f"{last.text} . {message.text}"
        exchange = Task("exchange_items", last.all_words)
        picks = tells(message.words, "picks") and "?" not in message.text
        if not picks or not swaps_for(exchange, message.text, self.records):
            return None
        return ParsedRequest("exchange_items", both, 1.0, ())

    def starts_over(self, task: Task, request: ParsedRequest, message: ParsedMessage) -> bool:
        """Whether a message that asks for the same kind of change names only other items."""
        return names_only_others(task, message.text, self.records)

    def leaves_part_of(self, task: Task, text: str) -> bool:
        """Take out of a change of items those that a denial names, if others are left."""
        return task.intent in OF_ITEMS and take_out(task, text, self.records)

    def reopen(self, message: ParsedMessage) -> bool:
        """Reopen the change that was refused last if the customer lifts what it was refused for.

        *It must be another order* widens the search, *I never set a limit* removes it, *then the
        bare one* takes another variant, and another street is another address.
        """
        last = self.tasks[-1] if self.tasks else None
        if last is None or last.outcome != "refused" or last.intent not in ACTS:
            return False
        if last.limit is not None and tells(message.words, "set no limit"):
            last.limit = None
        elif has(message.words, "another order", "other order", "different order", "wrong order"):
            last.chosen["order"] = "any"
            last.notes.append(message.text)
        elif last.intent in ADDRESSES and "address1" in parse_address(message.text):
            last.notes.append(message.text)
        elif takes_another(last, message, self.records):
            last.notes.append(message.text)
            last.chosen["again"] = "yes"
        else:
            return False
        last.closed, last.outcome = False, ""
        return True

    def refine_requests(
        self, wishes: list[ParsedRequest], message: ParsedMessage
    ) -> list[ParsedRequest]:
        """The requests of a message, corrected by each other and by what is spoken of."""
        return refined(self, wishes, message)

    def continues_task(self, task: Task, intent: str, request: ParsedRequest) -> bool:
        """Whether a request names no other order than the task does."""
        ids, known = order_ids(request.text), order_ids(task.all_words)
        return not (ids and known and ids != known)

    def names_another(self, task: Task, request: ParsedRequest) -> bool:
        """Whether a request mentions orders or items, and none of those of the task."""
        named, own = self._named(request.text), self._named(task.all_words)
        return bool(named and own) and named.isdisjoint(own)

    def _named(self, text: str) -> set[str]:
        """The ids of the orders and items that a text mentions."""
        return {*order_ids(text), *(each.id for each in self.records.find_named(text))}

    def items_in(self, call: RecordedCall | None) -> list[str]:
        """The ids of the items that a call gives back or changes."""
        return ids_in(call, "item_ids") if call is not None else []

    def record_named(self, text: str) -> str:
        """The id of the one order that a text names, or that holds the items it names."""
        held = {str(each.order["order_id"]) for each in self.records.find_named(text)}
        ids = [*{*order_ids(text)} & self.records.orders.keys()] or [*held]
        return ids[0] if len(ids) == 1 else ""

    def inherit_context(self, task: Task) -> None:
        """Give a new task the context that its words refer back to."""
        inherit_context(self, self.records, task)
