"""What something may cost at the most: "only if it's under $200"."""

from __future__ import annotations

from agent.clerk.airline.requests import Request
from agent.clerk.airline.wording import money
from agent.clerk.steps import Settled, Tell


def within(request: Request, due: float, people: int, lead: str) -> None:
    """Settled with a refusal where a change costs more than the customer allows.

    ``due`` is in dollars for all passengers, ``lead`` how the sentence about it begins.
    """
    over = next((each for each in request.otherwise if each.when == "over"), None)
    limit = request.limit
    if limit is not None:
        cost = due / max(people, 1) if limit.of == "each" else due
        if (cost <= limit.amount) if limit.over else (cost > limit.amount):
            more = "not more" if limit.over else "more"
            text = f"{lead} {money(cost)}, {more} than the {money(limit.amount)} you named."
            raise Settled(Tell(text, "refused"))
    if over is not None and over.amount is not None and due > over.amount:
        text = f"{lead} {money(due)}, more than the {money(over.amount)} you named."
        raise Settled(Tell(text, "refused"))
