"""Making up for a cancelled or delayed flight with a certificate: the tool and its card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from domains.airline import checks, effects, store, wording
from domains.airline.look_ups import UserId
from domains.airline.quirks import Quirks
from domains.records import Draft, Record
from domains.tool import Arguments, Check, Effect, Finding, Tool, ToolError, WriteNotes, writes

NEW_IDS = ("certificate_3221322", "certificate_3221323", "certificate_3221324")
"""The ids of new certificates, in the order they are given out to a customer."""

FOR_CANCELLED, FOR_DELAYED = 100, 50
"""Dollars for each passenger."""

JUDGED = (
    checks.YOU_WERE_IDENTIFIED,
    "You complained about this flight, and asked to be compensated.",
    "For a delayed flight: you have changed or cancelled the reservation because of it.",
)


def tool(quirks: Quirks) -> Tool:
    """The tool ``send_certificate``."""

    @writes(_notes(quirks))
    def send_certificate(
        draft: Draft,
        user_id: UserId,
        amount: Annotated[int, "Dollars that the certificate is worth."],
    ) -> str:
        """Give a customer a travel certificate, to make up for a cancelled or delayed flight.

        Nothing is checked of whether the policy lets it be given. It cannot be taken back.
        """
        certificate_id = _free_id(store.get_user(draft, user_id))
        certificate = _certificate(quirks, certificate_id, amount)
        draft.edit("users", user_id)["payment_methods"][certificate_id] = certificate
        return f"Certificate {certificate_id} added to user {user_id} with amount {amount}."

    return send_certificate


def _free_id(user: Record) -> str:
    for certificate_id in NEW_IDS:
        if certificate_id not in user["payment_methods"]:
            return certificate_id
    raise ToolError("Too many certificates")


def _certificate(quirks: Quirks, certificate_id: str, amount: float) -> Record:
    """The new record; raises pydantic.ValidationError where the amount is no number."""
    from domains.airline.schema import Certificate

    certificate = Certificate(id=certificate_id, amount=amount, source="certificate").model_dump()
    quirks.check_money([certificate["amount"]])
    return certificate


def _notes(quirks: Quirks) -> WriteNotes:
    def is_amount(draft: Draft, arguments: Arguments) -> Finding:
        certificate = _certificate(quirks, "new", arguments["amount"])
        return Finding(True, wording.money(certificate["amount"]))

    def sentence(draft: Draft, arguments: Arguments) -> str:
        user = store.get_user(draft, arguments["user_id"])
        amount = _certificate(quirks, "new", arguments["amount"])["amount"]
        name = wording.full_name(user["name"])
        return f"Give {name} a travel certificate worth {wording.money(amount)}."

    return WriteNotes(
        sentence=sentence,
        effects=_effects,
        checks=(
            checks.USER_EXISTS,
            Check("There is an id left for a new certificate", "tool", _id_left),
            Check("The amount is one in dollars", "tool", is_amount),
            Check("Silver or gold member, insured, or in business", "policy", _is_entitled),
            Check(
                "$100 a passenger for a cancelled flight, or $50 for a delayed one",
                "policy",
                _amount_fits,
            ),
        ),
        judged=JUDGED,
        closes=("The certificate cannot be taken back.",),
    )


def _id_left(draft: Draft, arguments: Arguments) -> Finding:
    return Finding(True, _free_id(store.get_user(draft, arguments["user_id"])))


def _reservations(draft: Draft, user: Record) -> Iterator[Record]:
    for reservation_id in user["reservations"]:
        reservation = draft.get("reservations", reservation_id)
        if reservation is not None:
            yield reservation


def _entitles(user: Record, reservation: Record) -> str:
    """Why there can be compensation for a reservation, in words; empty where there can be none."""
    if user["membership"] != "regular":
        return f"{user['membership']} member"
    if reservation["insurance"] == "yes":
        return f"{reservation['reservation_id']} is insured"
    if reservation["cabin"] == "business":
        return f"{reservation['reservation_id']} is business"
    return ""


def _is_entitled(draft: Draft, arguments: Arguments) -> Finding:
    user = store.get_user(draft, arguments["user_id"])
    grounds = (_entitles(user, each) for each in _reservations(draft, user))
    ground = next(filter(None, grounds), "")
    none = f"{user['membership']} member, nothing insured, nothing in business"
    return Finding(bool(ground), ground or none)


def _amount_fits(draft: Draft, arguments: Arguments) -> Finding:
    user = store.get_user(draft, arguments["user_id"])
    claims = [claim for each in _reservations(draft, user) for claim in _claims(draft, user, each)]
    fitting = [words for amount, words in claims if amount == arguments["amount"]]
    none = "; ".join(f"{wording.money(amount)} {words}" for amount, words in claims)
    return Finding(bool(fitting), "; ".join(fitting) or none or "no flight calls for any")


def _claims(draft: Draft, user: Record, reservation: Record) -> Iterator[tuple[int, str]]:
    """Dollars that a reservation may bring, each with the reason in words.

    A flight that was delayed and has since been changed for another has left no trace but what
    was paid or paid back for the change.
    """
    if not _entitles(user, reservation):
        return
    passengers, key = len(reservation["passengers"]), reservation["reservation_id"]
    people = wording.count(passengers, "passenger")
    states = {store.status_of(draft, flight) for flight in reservation["flights"]}
    if "cancelled" in states:
        yield FOR_CANCELLED * passengers, f"for a cancelled flight of {key}, {people}"
    if "delayed" in states:
        yield FOR_DELAYED * passengers, f"for a delayed flight of {key}, {people}"
    elif len(reservation["payment_history"]) > 1:
        words = f"for {key}, {people}, which was changed, if a flight of it was delayed"
        yield FOR_DELAYED * passengers, words


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        effects.about(
            change,
            f"new travel certificate {key}: {wording.money(method['amount'])}",
            f"payment_methods.{key}",
        )
        for change, before, after in effects.changed(changes, "users")
        for key, method in after["payment_methods"].items()
        if key not in before["payment_methods"]
    ]
