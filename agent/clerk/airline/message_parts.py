"""Corrects how a traveller's message was cut: side questions, "the same for", and sums."""

from __future__ import annotations

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.side_questions import split_asides
from agent.clerk.airline.vocabulary import ACTS
from agent.clerk.airline.wording import worth
from agent.clerk.understanding.parsed_message import ParsedMessage


def take_asides(dialogue: AirlineState, text: str, message: ParsedMessage) -> None:
    """Turn side questions into requests, and parse the rest of the message without them."""
    asked, rest = split_asides(text, dialogue)
    if asked and rest:
        again = dialogue.reader.read(dialogue.preprocess(rest), dialogue.asked)
        message.text, message.requests = rest, again.requests
        message.detail_sentences = again.detail_sentences
    elif asked:
        message.requests, message.detail_sentences = [], []
    message.requests += asked


def join_same_for(dialogue: AirlineState, message: ParsedMessage) -> None:
    """Join "and the same for the Seattle trip" to what is wanted of that trip in the message.

    Alone it wants of that trip what was wanted last.
    """
    for each in [e for e in message.requests if _is_same_for(dialogue, e.text)]:
        place = message.requests.index(each)
        after = message.requests[place + 1 : place + 2]
        last = next((e for e in reversed(dialogue.tasks) if e.intent in ACTS), None)
        if after and after[0].intent in ACTS:
            after[0].text = f"{each.text} , {after[0].text}"
            message.requests.remove(each)
        elif last is not None:
            each.become(str(last.intent))


def _is_same_for(dialogue: AirlineState, text: str) -> bool:
    said = dialogue.parse(text)
    return said.has_phrase_of("same for another") and said.names_trip


def drop_balances(dialogue: AirlineState, text: str, message: ParsedMessage) -> None:
    """Take back a limit that is the sum of a method: "the $65 gift card before the others"."""
    limits = [each for each in (message, *message.requests) if each.limit]
    sums = {each.number for each in payments(dialogue.parse(text))} if limits else set()
    if dialogue.question is not None and dialogue.question.slot.startswith("payment"):
        sums |= {f"{worth(each):g}" for each in dialogue.records.methods.values()}
    for each in limits:
        each.limit = None if f"{each.limit:g}" in sums else each.limit
