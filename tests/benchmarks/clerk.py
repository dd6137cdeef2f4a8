"""How many sentences the clerk understands: at once, by an offer, not at all, or wrongly.

``python -m tests.benchmarks.clerk [FILE.json ...]`` puts each sentence of the files as the first
wish of a demo customer who is known, on the real tools, with everything that is proposed declined.
A file is a list of ``{"text", "intents", "about", "has"}``: what the writer wanted; ``"also"`` are
intents that an intelligent reader could take it for just as well.

- *at once*: the clerk took up one of the intents that were wanted (all of them, where the writer
  wanted several: shown apart as *whole*). A change that was denied or only asked about is taken up
  where it was told to be that, whatever the change.
- *by an offer*: it asked, and one of the numbered choices was one that was wanted.
- *wrong act*: a call that changes records was proposed for what nobody asked for: of another
  intent than those wanted, or of one that was denied or only asked about.

A file with "airline" in its name is said to the airline's clerk, any other to the store's.

Which of ``exchange_items`` and ``modify_items`` it is follows from the status of the order, so the
two count as one.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import domains
from agent.clerk.clerk import domain_of
from agent.clerk.rebuilding import rebuild_dialogue
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.identity import identity
from agent.models.protocol import ModelRequest
from domains.core.domain import Domain
from domains.core.tool import ToolCall
from tests.agent.clerk.driver import Driver

HERE = Path(__file__).parent.parent / "agent" / "clerk" / "sentences"
FILES = tuple(
    path
    for trade in ("retail", "airline")
    for path in sorted(HERE.glob(f"strangers_{trade}*.json"))
)
CUSTOMERS = {
    "retail": ("yusuf rossi, 19122", "kwame asante, 43206"),
    "airline": ("hyejin_baek_9939", "ivo_petrov_2519"),
}
"""In retail one whose last order was delivered and one whose order is pending; two travellers."""

SAME = {"modify_items": "exchange_items"}
ACTS = {
    "cancel_pending_order": "cancel_order",
    "return_delivered_order_items": "return_items",
    "exchange_delivered_order_items": "exchange_items",
    "modify_pending_order_items": "exchange_items",
    "modify_pending_order_address": "change_order_address",
    "modify_pending_order_payment": "change_payment",
    "modify_user_address": "change_default_address",
    "book_reservation": "book_flight",
    "cancel_reservation": "cancel_reservation",
    "update_reservation_passengers": "change_passengers",
    "update_reservation_baggages": "add_bags",
    "send_certificate": "compensation",
}
"""The intents by the tool; ``update_reservation_flights`` changes flights, cabin, or both."""

REPORTED = {
    "tracking": "order_status", "order_total": "order_status", "refund_amount": "order_status",
    "orders": "account_info", "gift_balance": "account_info", "profile": "account_info",
    "product_count": "product_info", "about_clerk": "smalltalk", "greeting": "smalltalk",
    "chat": "smalltalk", "farewell": "smalltalk", "add_item": "other", "place_order": "other",
    "advice": "other", "other_person": "other", "reservations": "account_info",
    "balance": "account_info", "membership": "account_info", "methods": "account_info",
    "count": "account_info", "allowance": "policy_question", "complaint": "compensation",
    "paid": "reservation_info", "price": "hypothetical", "outcome": "hypothetical",
    "insurance": "other", "undo": "other", "seat": "other",
}  # fmt: skip
"""The wider intents that finer ones are kinds of, as sentences are labelled."""

MOODS = {"denied": "nothing_changes", "what_if": "hypothetical"}
UPDATE = "update_reservation_flights"


@dataclass
class Outcome:
    """What became of one sentence."""

    text: str
    wanted: frozenset[str]
    taken: frozenset[str]
    offered: frozenset[str]
    acts: frozenset[str]
    also: frozenset[str] = frozenset()
    """What it may be taken for as well, where the writer saw two meanings."""

    @property
    def at_once(self) -> bool:
        """Whether something that was wanted was taken up."""
        return bool((self.wanted | self.also) & self.taken)

    @property
    def whole(self) -> bool:
        """Whether all that was wanted was taken up, and nothing else."""
        return self.wanted == self.taken

    @property
    def reached(self) -> bool:
        """Whether it was taken up or offered."""
        return self.at_once or bool((self.wanted | self.also) & self.offered)

    @property
    def wrong_act(self) -> bool:
        """Whether a change was proposed that nobody asked for."""
        return not self.acts <= self.wanted | self.also


@dataclass
class Count:
    """How often."""

    all: int = 0
    at_once: int = 0
    whole: int = 0
    reached: int = 0
    wrong: int = 0
    missed: list[Outcome] = field(default_factory=list)

    def add(self, each: Outcome) -> None:
        """Count one more."""
        self.all += 1
        self.at_once += each.at_once
        self.whole += each.whole
        self.reached += each.reached
        self.wrong += each.wrong_act
        if not each.reached or each.wrong_act:
            self.missed.append(each)


def plain(names: Iterable[str]) -> frozenset[str]:
    """Intents, those that are one skill under one name."""
    return frozenset(SAME.get(each, each) for each in names)


def judge(row: dict[str, Any], domain: Domain, customer: str) -> Outcome:
    """Say one sentence to the clerk, decline whatever it proposes, and look what it took up."""
    driver = Driver(domain, decisions=["reject"] * 20)
    driver.say(customer)
    before = len(driver.proposed)
    start = len(driver.messages)
    reply = driver.say(row["text"])
    heard = next(
        n for n in range(start, len(driver.messages)) if driver.messages[n]["role"] == "user"
    )
    request = ModelRequest(driver.messages[: heard + 1], domain.tools.schemas)
    talk = rebuild_dialogue(request.messages, domain_of(request))
    acts = {_act(call, domain) for call in driver.proposed[before:]}
    taken, offered = _taken(talk), _offered(talk, reply)
    also = plain(row.get("also", ()))
    return Outcome(
        row["text"], plain(row["intents"]), plain(taken), plain(offered), plain(acts), also
    )


def _taken(talk: Dialogue) -> set[str]:
    """What the last message was taken for."""
    told = talk.last
    assert told is not None
    tasks = [each for each in talk.tasks if each.message == told.text]
    sure = [each for each in told.requests if not each.is_uncertain]
    names = {MOODS.get(each.modality, _wide(each.intent)) for each in sure}
    taken = [each for each in tasks if each.intent is not None]
    if taken:
        names &= {MOODS["denied"]}
        names |= {MOODS["what_if"] if e.what_if else _wide(str(e.intent)) for e in taken}
    who = identity(told.text)
    introduced = who.user_ids or who.emails or who.names or who.zips
    if who.user_ids or who.emails or (introduced and not told.requests):
        names.add("identify")
    open_ = [each for each in tasks if not each.closed]
    if told.requests or any(each.intents_to_offer(talk.offers) for each in open_):
        return names
    return {_wide(each) for each in told.aside_intents if each}


def _offered(talk: Dialogue, reply: str) -> set[str]:
    """What stands in the reply among its choices as what the last message may have meant."""
    tasks = [each for each in talk.open_tasks if talk.last and each.message == talk.last.text]
    names = {name for each in tasks for name in each.intents_to_offer(talk.offers)}
    return {_wide(name) for name in names if f". {talk.offers[name]}\n" in f"{reply}\n"}


def _wide(intent: str) -> str:
    return REPORTED.get(intent, intent)


def _act(call: ToolCall, domain: Domain) -> str:
    """The intent that a proposed write carries out."""
    if call.name != UPDATE:
        return ACTS[call.name]
    look_up = ToolCall(
        "get_reservation_details", {"reservation_id": call.arguments["reservation_id"]}
    )
    record = json.loads(domain.records().look_up(look_up).text)
    wanted = {(each["flight_number"], each["date"]) for each in call.arguments["flights"]}
    known = {(each["flight_number"], each["date"]) for each in record["flights"]}
    return "change_cabin" if wanted == known else "change_flights"


def measured(path: Path, step: int = 1) -> tuple[Count, dict[str, Count]]:
    """One in ``step`` of a file's sentences: all, and by the first intent that was wanted."""
    name = "airline" if "airline" in path.stem else "retail"
    domain = domains.load(name)
    total: Count = Count()
    by_intent: dict[str, Count] = defaultdict(Count)
    for row in json.loads(path.read_text(encoding="utf-8"))[::step]:
        outcomes = [judge(row, domain, customer) for customer in CUSTOMERS[name]]
        worst = next((each for each in outcomes if each.wrong_act), outcomes[0])
        total.add(worst)
        by_intent[row["intents"][0]].add(worst)
    return total, by_intent


def main(paths: list[Path]) -> None:
    """Print the table for each file."""
    for path in paths:
        total, by_intent = measured(path)
        print(
            f"{path.name}\n{'':26}{'all':>5}{'at once':>9}{'whole':>7}{'reached':>9}"
            f"{'wrong act':>11}"
        )
        for name, each in [*sorted(by_intent.items()), ("all", total)]:
            print(
                f"{name:26}{each.all:5}{each.at_once:9}{each.whole:7}{each.reached:9}{each.wrong:11}"
            )
        for missed in total.missed:
            said = ", ".join(sorted(missed.taken)) or "nothing"
            acted = f"; proposed {', '.join(missed.acts)}" if missed.wrong_act else ""
            print(f"- {', '.join(sorted(missed.wanted))} ≠ {said}{acted}: {missed.text}")


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]] or list(FILES))
