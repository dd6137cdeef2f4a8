"""Changing the checked bags of a reservation: the tool, and what its card says."""

from __future__ import annotations

from typing import Annotated

from domains.airline import checks, effects, evidence, fares, money, store, wording
from domains.airline.look_ups import ReservationId
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Effect, Finding, Tool, WriteDeclaration, writes
from domains.text.paying import times


def tool(quirks: Quirks) -> Tool:
    """The tool ``update_reservation_baggages``."""

    @writes(_notes(quirks))
    def update_reservation_baggages(
        draft: Draft,
        reservation_id: ReservationId,
        total_baggages: Annotated[int, "Checked bags in all, those there were included."],
        nonfree_baggages: Annotated[int, "Of these, the ones that must be paid for."],
        payment_id: Annotated[str, "The customer's credit or gift card that pays."],
    ) -> Record:
        """Change how many checked bags a reservation has; each more to pay for costs 50 dollars.

        The customer must have confirmed the bags and the price beforehand.
        """
        reservation = store.get_reservation(draft, reservation_id)
        store.get_user(draft, reservation["user_id"])
        quirks.check_standing(reservation)
        quirks.check_bags(total_baggages, nonfree_baggages)
        reservation = draft.edit("reservations", reservation_id)
        money.settle(draft, reservation, payment_id, _fee(reservation, nonfree_baggages))
        reservation["total_baggages"] = total_baggages
        reservation["nonfree_baggages"] = nonfree_baggages
        return reservation

    return update_reservation_baggages


def _fee(reservation: Record, nonfree: int) -> int:
    """The fee in dollars for paid bags beyond those that were already paid for."""
    more: int = max(0, nonfree - reservation["nonfree_baggages"])
    return fares.EXTRA_BAG * more


def _due(draft: Draft, arguments: Arguments) -> int:
    return _fee(checks.reservation_of(draft, arguments), arguments["nonfree_baggages"])


def _notes(quirks: Quirks) -> WriteDeclaration:
    def counts(draft: Draft, arguments: Arguments) -> Finding:
        total, nonfree = arguments["total_baggages"], arguments["nonfree_baggages"]
        quirks.check_bags(total, nonfree)
        _due(draft, arguments)
        return Finding(True, wording.bags(total, nonfree))

    return WriteDeclaration(
        sentence=_sentence,
        effects=_effects,
        checks=(
            checks.RESERVATION_EXISTS,
            checks.not_cancelled(quirks),
            Check("The bag counts are valid", "tool", counts),
            checks.METHOD_ON_FILE,
            checks.gift_card_covers(_due),
            Check("Bags are added, not removed", "policy", _bags_are_added),
            Check(
                "Bags beyond the free ones are paid for, and only those", "policy", _paid_bags_stay
            ),
        ),
        closes=lambda *_: ("bags cannot be removed again",),
        guards=(*evidence.OF_RESERVATION, *evidence.PAID),
    )


def _bags_are_added(draft: Draft, arguments: Arguments) -> Finding:
    now, new = (
        checks.reservation_of(draft, arguments)["total_baggages"],
        arguments["total_baggages"],
    )
    return Finding(new > now, f"{wording.value(now)} → {wording.value(new)}")


def _paid_bags_stay(draft: Draft, arguments: Arguments) -> Finding:
    """Check that exactly the bags beyond the free ones are paid for.

    Bags that were paid for may stay so, even if a better cabin would now include them for free.
    """
    reservation, user = checks.reservation_of(draft, arguments), checks.owner_of(draft, arguments)
    due, words = checks.free_bags(
        user,
        reservation["cabin"],
        len(reservation["passengers"]),
        arguments["total_baggages"],
    )
    nonfree = arguments["nonfree_baggages"]
    right = nonfree in (due, max(due, reservation["nonfree_baggages"]))
    return Finding(right, words if right else f"{words}, not {wording.value(nonfree)}")


def _sentence(draft: Draft, arguments: Arguments) -> str:
    reservation, user = checks.reservation_of(draft, arguments), checks.owner_of(draft, arguments)
    old = wording.bags(reservation["total_baggages"], reservation["nonfree_baggages"])
    new = wording.bags(arguments["total_baggages"], arguments["nonfree_baggages"])
    method = wording.by_method(user, arguments["payment_id"], balance=True)
    fee = _due(draft, arguments)
    bags, odd = divmod(fee, fares.EXTRA_BAG)
    price = wording.money(fee) if odd else times(bags, fares.EXTRA_BAG)
    paid = f"{price} from {method}" if fee else "at no charge"
    called = wording.value(reservation["reservation_id"])
    return (
        f"Have {new} on reservation {called}, {wording.route(reservation)}, "
        f"instead of {old}; {paid}."
    )


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        *effects.bags(changes),
        *effects.settlement_effects(draft, changes),
        *effects.gift_cards(changes),
    ]
