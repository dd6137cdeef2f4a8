"""A question in other words: how it is put where the customer's answer did not settle it."""

from __future__ import annotations

from agent.clerk.airline.particulars import Person
from agent.clerk.airline.wording import choices
from agent.clerk.steps import Ask

_WHO = 'Who is to fly? For example "just me", or "me and Anna Berg, born 1990-02-14".'
_PAY = 'How should it be paid? For example "with my Visa", or "gift card first, the rest by card".'
_FLIGHT = 'Which flight suits you? For example "the first one", "the cheapest" or "after 3 pm".'

_IN_OTHER_WORDS = {
    "route": 'I need both ends of the trip, for example "from Boston to Denver".',
    "origin": 'Which city does the trip begin in? For example "from Boston".',
    "destination": 'Which city is the trip to? For example "to Denver".',
    "type": 'Do you fly only there, or back as well? For example "one way", or "back on May 26".',
    "out_date": 'I need a day for that flight, for example "May 24" or "next Friday".',
    "back_date": 'I need a day for the flight back, for example "May 26" or "the same day".',
    "out_flight": _FLIGHT,
    "back_flight": _FLIGHT,
    "cabin": 'I need the cabin before I can look for flights: for example "economy".',
    "bags": 'A number is enough for the checked bags: for example "none", or "2".',
    "insurance": 'Yes or no to the insurance? For example "no insurance".',
    "people": _WHO,
    "people_more": _WHO,
    "person": 'I need the whole name and the date of birth: for example "Anna Berg, 1990-02-14".',
    "payment": _PAY,
    "payment_rest": 'What pays for the rest? For example "my credit card".',
    "payment_which": 'Which one exactly? For example "the larger one".',
    "reason": 'I have to note a reason: "my plans changed", "you cancelled my flight", "I\'m ill".',
    "covered": 'Is it because of illness, or of the weather? For example "my plans changed".',
    "whole": 'Shall it be for everybody, on all flights? Say "yes", or "leave it".',
    "reservation": (
        'I need to know which one it is: for example "the first one", "the Denver one" or its '
        'code. If it is none of them, say "a new booking".'
    ),
    "legs": 'When would you rather fly? For example "a day later", "May 24" or "in the evening".',
    "way": 'Is it about the flight out, or the flight back? For example "only the way back".',
    "intent": (
        "I can change it, cancel it, add bags to it or tell you about it: for example "
        '"move it to May 24".'
    ),
    "revise": 'What should be different? For example "another day", "my other card", "leave it".',
    "go": 'Do you want me to make that change? Say "yes", or "leave it".',
    "transfer": 'A number is enough: "1" for a human agent, "2" to leave it.',
    "renames": 'What is the correct name? For example "Petra Holm is now Petra Lind".',
    "passenger": "Whose name is it about? The first name is enough.",
    "dob": 'I need the date of birth, for example "1990-02-14".',
}
_WAY_OUT = 'Or say "never mind", if you need something else.'


def in_other_words(ask: Ask) -> str:
    """A question as it is put the second time: with an example, and with a way out of it."""
    listed = choices(each.words for each in ask.choices) if len(ask.choices) > 1 else ""
    slot = "person" if isinstance(ask.thing, Person) and ask.slot == "people" else ask.slot
    if slot not in _IN_OTHER_WORDS:
        return f"I can go on once I know this: {ask.text}"
    question = f"{_IN_OTHER_WORDS[slot]} {_WAY_OUT}"
    return f"{question}\n\n{listed}" if listed else question
