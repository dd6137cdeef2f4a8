"""A request of which nobody knows yet what it asks: only a reservation is named, or words."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.locating import meant
from agent.clerk.airline.requests import Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import trip
from agent.clerk.offers import offer
from agent.clerk.quoting import quoted
from agent.clerk.steps import Ask

OFFERS = {
    "book_flight": "book a flight", "cancel_reservation": "cancel a reservation",
    "change_flights": "change the flights of a reservation",
    "change_cabin": "change the cabin of a reservation",
    "change_passengers": "correct or change a passenger", "add_bags": "add checked bags",
    "search_flights": "see which flights there are", "flight_status": "know how a flight stands",
    "reservation_info": "know something about a reservation",
    "reservations": "see your reservations", "balance": "see your gift cards and certificates",
    "membership": "see your membership", "profile": "see your profile",
    "methods": "see your payment methods", "compensation": "get something for a delay",
    "complaint": "tell of a delay or a cancelled flight", "insurance": "insure a reservation",
    "price": "know what a change would cost", "outcome": "know what you pay or get back",
    "hypothetical": "know what a change would come to", "paid": "know what you have paid",
    "count": "know how many reservations you have",
    "policy_question": "know the airline's rules", "allowance": "know how many bags are free",
    "human": "talk to a human agent", "other": "something else that I can't do myself",
    "nothing_changes": "leave everything as it is",
}  # fmt: skip
_ABOUT_IT = "What would you like me to do about it: change it, cancel it, or something else?"
_OPEN = "Would you like to book a flight, change or cancel a reservation, or ask something?"


def ask_about(request: Request, talk: Talk) -> Ask:
    """What is to be done, with what was understood: the reservation, or else the words alone."""
    found = meant(request, talk) if not (request.guesses and request.trip.empty) else []
    lead = ""
    if len(found) == 1:
        lead = f"You wrote about reservation {trip(found[0])}."
    if request.guesses:
        return replace(offer(request, request.guesses, OFFERS), lead=lead)
    if len(found) == 1:
        return Ask(_ABOUT_IT, "intent", request, focus=found[0]["reservation_id"], lead=lead)
    if not found:
        lead = f"You wrote {quoted(request.text)}. I don't find a reservation like that."
        return Ask(_OPEN, "intent", request, lead=lead)
    if request.trip.empty and len(found) > 1:
        return Ask(_OPEN, "intent", request)
    return Ask(_ABOUT_IT, "intent", request)
