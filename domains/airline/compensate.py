"""Giving a certificate for a cancelled or delayed flight: the tool, and what its card says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from domains.airline import checks, claims, effects, evidence, store, wording
from domains.airline.claims import Claim
from domains.airline.look_ups import UserId
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import (
    Arguments,
    Check,
    Effect,
    Finding,
    Question,
    Tool,
    ToolError,
    WriteDeclaration,
    writes,
)

NEW_IDS = ("certificate_3221322", "certificate_3221323", "certificate_3221324")
"""The ids of new certificates, in the order in which a customer is given them."""

ABOUT_THE_COMPLAINT = (
    *("compensation", "compensate", "make up for", "certificate", "voucher", "complain"),
    *("delay", "delayed", "late", "cancelled", "canceled", "inconvenience", "frustrated"),
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
    """The record of a new certificate.

    Raises pydantic.ValidationError if the amount is not a number. Raises ToolError if it is zero or
    less, unless the quirks allow that.
    """
    from domains.airline.schema import Certificate

    certificate = Certificate(id=certificate_id, amount=amount, source="certificate").model_dump()
    quirks.check_money([certificate["amount"]])
    return certificate


def _notes(quirks: Quirks) -> WriteDeclaration:
    def is_amount(draft: Draft, arguments: Arguments) -> Finding:
        certificate = _certificate(quirks, "new", arguments["amount"])
        return Finding(True, wording.money(certificate["amount"]))

    def sentence(draft: Draft, arguments: Arguments) -> str:
        user = store.get_user(draft, arguments["user_id"])
        amount = _certificate(quirks, "new", arguments["amount"])["amount"]
        name = wording.full_name(user["name"])
        because = " or ".join(f"{each.price}, {each.cause}" for each in _fitting(draft, arguments))
        certificate = f"a travel certificate worth {wording.money(amount)}"
        return f"Give {name} {certificate}{f' ({because})' if because else ''}."

    return WriteDeclaration(
        sentence=sentence,
        effects=_effects,
        checks=(
            checks.USER_EXISTS,
            Check("There is an id left for a new certificate", "tool", _id_left),
            Check("The amount is a valid number of dollars", "tool", is_amount),
            Check("Silver or gold member, insured, or in business", "policy", _is_entitled),
            Check(
                "$100 a passenger for a cancelled flight, or $50 for a delayed one",
                "policy",
                _amount_fits,
            ),
            Check("For a delay, the reservation was changed or cancelled", "policy", _was_acted_on),
            Check("It has not already been given in this conversation", "policy", _not_given),
        ),
        questions=_questions,
        guards=evidence.OF_PROFILE,
    )


def _id_left(draft: Draft, arguments: Arguments) -> Finding:
    return Finding(True, _free_id(store.get_user(draft, arguments["user_id"])))


def _is_entitled(draft: Draft, arguments: Arguments) -> Finding:
    user = store.get_user(draft, arguments["user_id"])
    grounds = (
        claims.ground_for_compensation(user, each) for each in claims.reservations(draft, user)
    )
    ground = next(filter(None, grounds), "")
    none = f"{wording.value(user['membership'])} member, nothing insured, nothing in business"
    return Finding(bool(ground), ground or none)


def _fitting(draft: Draft, arguments: Arguments) -> list[Claim]:
    """The customer's claims to exactly this amount.

    If any of them is for a cancelled flight, or for a reservation that was changed or cancelled in
    this session, only such claims are returned.
    """
    user = store.get_user(draft, arguments["user_id"])
    fitting = [each for each in claims.claims(draft, user) if each.amount == arguments["amount"]]
    ready = [each for each in fitting if each.changed or each.state == "cancelled"]
    return ready or fitting


def _amount_fits(draft: Draft, arguments: Arguments) -> Finding:
    user, fitting = store.get_user(draft, arguments["user_id"]), _fitting(draft, arguments)
    told = [f"{each.price}, {each.cause}" for each in fitting or claims.claims(draft, user)]
    none = "no flight on file was cancelled or delayed with a right to compensation"
    return Finding(bool(fitting), "; ".join(told) or none)


def _was_acted_on(draft: Draft, arguments: Arguments) -> Finding:
    """Check that the reservation was changed or cancelled, as the policy requires for a delay."""
    fitting = _fitting(draft, arguments)
    if not fitting or any(each.state == "cancelled" for each in fitting):
        return Finding(True, "it does not compensate for a delay")
    acted = [wording.value(each.reservation_id) for each in fitting if each.changed]
    still = wording.listing([wording.value(each.reservation_id) for each in fitting])
    words = f"{wording.listing(acted)} was" if acted else f"{still} was not"
    return Finding(bool(acted), words)


def _not_given(draft: Draft, arguments: Arguments) -> Finding:
    """Check that this session has not given all the certificates of this amount that are due."""
    user, amount = store.get_user(draft, arguments["user_id"]), arguments["amount"]
    before = draft.original("users", arguments["user_id"]) or user
    given = [
        key
        for key, method in user["payment_methods"].items()
        if key not in before["payment_methods"] and method.get("amount") == amount
    ]
    fresh = len(given) < max(1, len(_fitting(draft, arguments)))
    told = wording.listing([wording.value(each) for each in given])
    return Finding(fresh, f"{told} has" if given else "it has not")


def _questions(draft: Draft, arguments: Arguments) -> Iterator[Question]:
    fitting = _fitting(draft, arguments)
    if fitting:
        flights = " or ".join(each.flight for each in fitting)
        about = (*ABOUT_THE_COMPLAINT, *(word for each in fitting for word in _claim_key(each)))
        text = f"Did you complain about {flights}, and ask to be compensated?"
        yield Question(text, about, decisive=True)


def _claim_key(claim: Claim) -> tuple[str, str]:
    return claim.flight.split()[0], claim.reservation_id


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        effects.about(
            change,
            f"new travel certificate {key}: {wording.money(method['amount'])}",
            f"payment_methods.{key}",
        )
        for change, before, after in effects.changed_records(changes, "users")
        for key, method in after["payment_methods"].items()
        if key not in before["payment_methods"]
    ]
