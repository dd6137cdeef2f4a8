"""Changing where a pending order goes, or a customer's default address: two tools, their cards."""

from __future__ import annotations

from typing import Annotated

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import Arguments, Check, Effect, Finding, ToolError, WriteDeclaration, writes
from domains.retail import checks, effects, evidence, store, wording
from domains.retail.look_ups import OrderId, UserId

Address1 = Annotated[str, "First line, such as '12 Elm Street'."]
Address2 = Annotated[str, "Second line, such as 'Flat 3'; may be empty."]
City = Annotated[str, "City, such as 'Boise'."]
State = Annotated[str, "State, in two letters, such as 'ID'."]
Country = Annotated[str, "Country, such as 'USA'."]
Zip = Annotated[str, "ZIP code, such as '83702'."]

FIELDS = ("address1", "address2", "city", "country", "state", "zip")


def _address(**lines: str) -> Record:
    """The lines as a record; raises pydantic.ValidationError if one is not text."""
    from domains.retail.schema import UserAddress

    return UserAddress(**lines).model_dump()


def _new(arguments: Arguments) -> Record:
    return {field: arguments[field] for field in FIELDS}


def _is_text(draft: Draft, arguments: Arguments) -> Finding:
    new = _new(arguments)
    whole = all(isinstance(line, str) for line in new.values())
    return Finding(whole, wording.address(new) if whole else "a line of it is not text")


def _user(draft: Draft, arguments: Arguments) -> Record:
    return store.get_user(draft, arguments["user_id"])


def _user_exists(draft: Draft, arguments: Arguments) -> Finding:
    return Finding(True, wording.full_name(_user(draft, arguments)["name"]))


def _order_sentence(draft: Draft, arguments: Arguments) -> str:
    order = checks.order_of(draft, arguments)
    place = wording.address(_new(arguments))
    default = checks.owner_of(draft, arguments)["address"] == _new(arguments)
    other = ", your default address" if default else "; your default address stays the same"
    return f"Ship {wording.order_and_items(order)} to {place}{other}."


def _user_sentence(draft: Draft, arguments: Arguments) -> str:
    place = wording.address(_new(arguments))
    customer = wording.full_name(_user(draft, arguments)["name"])
    return f"Make {place} the default address of {customer}; orders already placed keep theirs."


def _order_effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return list(effects.address(changes, "orders", "ship to"))


def _user_effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return list(effects.address(changes, "users", "default address"))


TEXT = Check("Every line of the address is text", "tool", _is_text)


@writes(
    WriteDeclaration(
        sentence=_order_sentence,
        effects=_order_effects,
        checks=(
            checks.PENDING,
            TEXT,
            checks.NOT_MODIFIED,
        ),
        guards=evidence.OF_ORDER,
    )
)
def modify_pending_order_address(
    draft: Draft,
    order_id: OrderId,
    address1: Address1,
    address2: Address2,
    city: City,
    state: State,
    country: Country,
    zip: Zip,
) -> Record:
    """Send a pending order to another address.

    The customer must have confirmed the address beforehand.
    """
    if "pending" not in store.get_order(draft, order_id)["status"]:
        raise ToolError("Non-pending order cannot be modified")
    order = draft.edit("orders", order_id)
    order["address"] = _address(
        address1=address1, address2=address2, city=city, state=state, country=country, zip=zip
    )
    return order


@writes(
    WriteDeclaration(
        sentence=_user_sentence,
        effects=_user_effects,
        checks=(
            Check("The customer has an account", "tool", _user_exists),
            TEXT,
        ),
        guards=evidence.OF_PROFILE,
    )
)
def modify_user_address(
    draft: Draft,
    user_id: UserId,
    address1: Address1,
    address2: Address2,
    city: City,
    state: State,
    country: Country,
    zip: Zip,
) -> Record:
    """Replace a customer's default address; orders already placed keep theirs.

    The customer must have confirmed the address beforehand.
    """
    store.get_user(draft, user_id)
    user = draft.edit("users", user_id)
    user["address"] = _address(
        address1=address1, address2=address2, city=city, state=state, country=country, zip=zip
    )
    return user
