"""Sentences about changes to the airline's records that several writes share."""

from __future__ import annotations

from collections.abc import Iterator

from domains.airline import fares, flight_effects, store, wording
from domains.airline.flight_effects import flights
from domains.core.changes import Change, FieldChange, Record
from domains.core.draft import Draft
from domains.core.effects import Changes, about, balances, changed_records, under
from domains.core.tool import Effect
from domains.text.paying import not_used, original_method_clause

__all__ = [
    "Changes",
    "about",
    "bags",
    "bags_allowed",
    "booking_effects",
    "cabin",
    "certificate_effects",
    "changed_records",
    "flights",
    "gift_cards",
    "not_paid_with",
    "passengers",
    "payments",
    "reservation_lists",
    "route",
    "seats",
    "settlement_effects",
    "status",
    "under",
]


def booking_effects(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """Yield the parts of a new reservation, one line each."""
    for change in changes:
        if change.collection == "reservations" and change.before is None and change.after:
            for words in _new(draft, change.key, change.after):
                yield Effect(words, ("",))


def _new(draft: Draft, key: str, reservation: Record) -> Iterator[str]:
    kind = wording.trip_type(reservation["flight_type"])
    yield f"new reservation {wording.value(key)}: {kind}, {wording.route(reservation)}"
    for flight in reservation["flights"]:
        each = " each" if len(reservation["passengers"]) > 1 else ""
        price = f"{wording.cabin(reservation['cabin'])}, {wording.money(flight['price'])}{each}"
        yield f"{flight_effects.name_of_flight(draft, flight)}: {price}"
    yield f"passengers: {wording.listing(_people(reservation['passengers']))}"
    yield wording.bags(reservation["total_baggages"], reservation["nonfree_baggages"])
    yield "travel insurance" if reservation["insurance"] == "yes" else "no travel insurance"
    for row in reservation["payment_history"]:
        yield payment(draft, reservation["user_id"], row)


def payment(draft: Draft, user_id: str, row: Record) -> str:
    """A payment or a refund in words: ``pay $12.00 with Visa ending 1234``."""
    user = store.get_user(draft, user_id)
    method, amount = wording.by_method(user, row["payment_id"]), wording.money(abs(row["amount"]))
    if row["amount"] < 0:
        return f"refund {amount} to {method}"
    return f"pay {amount} with {method}"


def payments(draft: Draft, changes: Changes, when: str = "") -> Iterator[Effect]:
    """Yield a sentence for each row that was added to a reservation's payments.

    ``when`` says when a refund arrives; it is added to refunds only.
    """
    for _, before, after in changed_records(changes, "reservations"):
        old, new = before["payment_history"], after["payment_history"]
        for index, row in enumerate(new[len(old) :], start=len(old)):
            words = payment(draft, after["user_id"], row)
            words = f"{words}, {when}" if when and row["amount"] < 0 else words
            yield Effect(words, (f"payment_history.{index}",))


def settlement_effects(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """Yield what a change charges or refunds, with which method, and which methods are not used.

    Travel certificates are not listed as unused, because no change can be settled with one.
    """
    for _, before, after in changed_records(changes, "reservations"):
        user, old = store.get_user(draft, after["user_id"]), before["payment_history"]
        payers = dict.fromkeys(row["payment_id"] for row in old if row["amount"] > 0)
        for index, row in enumerate(after["payment_history"][len(old) :], start=len(old)):
            paid = original_method_clause(user, row["payment_id"], payers)
            words = f"{payment(draft, after['user_id'], row)}{paid}"
            yield Effect(words, (f"payment_history.{index}",))
            yield from not_used(user, (row["payment_id"],), but=("certificate",))


def gift_cards(changes: Changes) -> Iterator[Effect]:
    """Yield each gift card balance that changed: ``gift card balance: $20.00 → $34.50``."""
    return balances(changes, "amount")


def certificate_effects(changes: Changes) -> Iterator[Effect]:
    """Yield each travel certificate that a booking uses up.

    ``the travel certificate is used up; the $38.00 left on it is lost``.
    """
    paid = {row["payment_id"]: row["amount"] for row in _new_payments(changes)}
    for change, before, after in changed_records(changes, "users"):
        for method_id, method in before["payment_methods"].items():
            if method_id not in after["payment_methods"]:
                left = method["amount"] - paid.get(method_id, 0)
                lost = f"; the {wording.money(left)} left on it is lost" if left else ""
                words = f"{wording.by_method(before, method_id)} is used up{lost}"
                yield about(change, words, "payment_methods")


def not_paid_with(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """Yield the customer's payment methods that a booking does not use."""
    for change in changes:
        if change.collection == "reservations" and change.before is None and change.after:
            used = [row["payment_id"] for row in change.after["payment_history"]]
            yield from not_used(store.get_user(draft, change.after["user_id"]), used)


def _new_payments(changes: Changes) -> Iterator[Record]:
    for change in changes:
        if change.collection == "reservations" and change.before is None and change.after:
            yield from change.after["payment_history"]


def reservation_lists(changes: Changes) -> Iterator[Effect]:
    """Yield each reservation that was added to a customer's profile."""
    for change, before, after in changed_records(changes, "users"):
        for index in range(len(before["reservations"]), len(after["reservations"])):
            called = wording.value(after["reservations"][index])
            words = f"reservation {called} is on the customer's profile"
            yield about(change, words, f"reservations.{index}")


def seats(changes: Changes) -> Iterator[Effect]:
    """Yield each seat count that changed: ``seats on HAT136 on 20 May, economy: 12 → 10``."""
    for change, _, _ in changed_records(changes, "flights"):
        for each in change.fields:
            yield Effect(_seats(change, each), (each.label,))


def _seats(change: Change, field: FieldChange) -> str:
    _, date, _, cabin = field.path
    where = f"{wording.value(change.key)} on {wording.day(str(date))}, {wording.cabin(cabin)}"
    return f"seats on {where}: {wording.value(field.before)} → {wording.value(field.after)}"


def status(changes: Changes) -> Iterator[Effect]:
    """Yield each status that changed: ``reservation 4WQ150: cancelled``."""
    for change, _, after in changed_records(changes, "reservations"):
        covers = under(change, "status")
        if covers:
            yield Effect(
                f"reservation {wording.value(change.key)}: {wording.value(after['status'])}", covers
            )


def cabin(changes: Changes) -> Iterator[Effect]:
    """Yield each cabin that changed: ``cabin: economy → business, for Mia Li and Omar Rossi``."""
    for change, before, after in changed_records(changes, "reservations"):
        covers = under(change, "cabin")
        if covers:
            cabins = f"{wording.cabin(before['cabin'])} → {wording.cabin(after['cabin'])}"
            yield Effect(f"cabin: {cabins}, for {_names(after['passengers'])}", covers)


def bags_allowed(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """Yield a line if a reservation has more bags than its new cabin includes for free.

    ``checked bags: 3 as before, but 2 free in economy``.
    """
    for _, before, after in changed_records(changes, "reservations"):
        cabin, bags = after["cabin"], after["total_baggages"]
        if cabin == before["cabin"] or cabin not in fares.CABINS or not isinstance(bags, int):
            continue
        membership = store.get_user(draft, after["user_id"])["membership"]
        free = fares.free_bags(membership, cabin, len(after["passengers"]))
        if bags > free:
            words = f"{bags} as before, but {free} free in {wording.cabin(cabin)}"
            yield Effect(f"checked bags: {words}")


def route(changes: Changes) -> Iterator[Effect]:
    """Yield each trip whose flights now lead elsewhere.

    ``trip: Seattle (SEA) → Boston (BOS); previously …``.
    """
    for change, before, after in changed_records(changes, "reservations"):
        covers = under(change, "origin", "destination")
        if covers:
            words = f"trip: {wording.route(after)}; previously {wording.route(before)}"
            yield Effect(words, covers)


def bags(changes: Changes) -> Iterator[Effect]:
    """Yield each bag count that changed.

    ``1 checked bag → 2 checked bags (1 of them paid for)``.
    """
    for change, before, after in changed_records(changes, "reservations"):
        covers = under(change, "total_baggages", "nonfree_baggages")
        if covers:
            old = wording.bags(before["total_baggages"], before["nonfree_baggages"])
            new = wording.bags(after["total_baggages"], after["nonfree_baggages"])
            yield Effect(f"{old} → {new}", covers)


def passengers(changes: Changes) -> Iterator[Effect]:
    """Yield the passengers that differ, as they were and as they are now."""
    for change, before, after in changed_records(changes, "reservations"):
        covers = under(change, "passengers")
        if covers:
            pairs = zip(_people(before["passengers"]), _people(after["passengers"]), strict=True)
            words = [f"{old} → {new}" for old, new in pairs if old != new]
            yield Effect(f"passengers: {wording.listing(words)}", covers)


def _names(records: list[Record]) -> str:
    return wording.listing([each.split(", born")[0] for each in _people(records)])


def _people(records: list[Record]) -> list[str]:
    return [wording.passenger(each) for each in records]
