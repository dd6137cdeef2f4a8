"""The cost of what models used up, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessions.views import RoleExpenses

WHOSE = {
    "agent": "the agent's model",
    "auxiliary": "its auxiliary model",
    "customer": "the model that played the customer",
    "judge": "the model that judged",
    "learner": "the model that said what is to be remembered",
}


def price(spent: RoleExpenses) -> str:
    """``$0.0123``, ``at least $0.0123`` if a price is missing, ``price unknown`` or ``nothing``."""
    if spent.cost is None:
        return "price unknown" if spent.tokens else "nothing"
    least = "at least " if spent.unpriced else ""
    return f"{least}${spent.cost:.4f}"
