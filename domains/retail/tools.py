"""The store's toolset, with the tools in the order in which they are declared to a model."""

from __future__ import annotations

from domains.core.generic_tools import generic_tools
from domains.core.tool import Toolset
from domains.retail import cancel, exchange, modify_items
from domains.retail.addresses import modify_pending_order_address, modify_user_address
from domains.retail.look_ups import LOOK_UPS
from domains.retail.modify_payment import modify_pending_order_payment
from domains.retail.protocol_guards import PROTOCOL
from domains.retail.quirks import Quirks
from domains.retail.returns import return_delivered_order_items


def toolset(quirks: Quirks) -> Toolset:
    """All sixteen tools, with the given defects."""
    return Toolset(
        "RetailTools",
        (
            *generic_tools(),
            *LOOK_UPS,
            cancel.tool(quirks),
            exchange.tool(quirks),
            modify_pending_order_address,
            modify_items.tool(quirks),
            modify_pending_order_payment,
            modify_user_address,
            return_delivered_order_items,
        ),
        PROTOCOL,
    )
