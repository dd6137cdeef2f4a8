"""What writes to orders assume, to be compared with what the session has seen.

(Difficulty-routed control, section 3.2, evidence guard.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domains.core.draft import Draft
from domains.core.evidence import must_be_customers_own, must_be_seen
from domains.retail import checks


def _owner(draft: Draft, arguments: Mapping[str, Any]) -> str:
    return str(checks.order_of(draft, arguments)["user_id"])


def _last_digits(draft: Draft, arguments: Mapping[str, Any], method: str) -> str | None:
    """The last four digits by which people name a card of the order's customer, or None."""
    user = draft.get("users", _owner(draft, arguments)) or {}
    found: str | None = user.get("payment_methods", {}).get(method, {}).get("last_four")
    return found


OF_ORDER = (
    must_be_seen("The order was looked up or named", "order_id"),
    must_be_customers_own(_owner),
)
"""Guards for a change to an order."""

OF_ITEMS = (*OF_ORDER, must_be_seen("Its items were looked up or named", "item_ids"))
OF_SWAP = (*OF_ITEMS, must_be_seen("The new items were looked up or named", "new_item_ids"))
PAID = (
    must_be_seen(
        "The payment method was looked up or named", "payment_method_id", spoken=_last_digits
    ),
)
OF_PROFILE = (must_be_customers_own(lambda _, arguments: str(arguments["user_id"])),)
"""Guards for a change to the customer's own record."""
