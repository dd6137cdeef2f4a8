"""The customer that was chosen by name."""

from __future__ import annotations

from collections.abc import Callable

from agent.models.choosing import make_model
from agent.models.protocol import ChatModel
from agent.simulated.customer import Customer
from agent.simulated.modelled import ModelCustomer
from agent.simulated.scripted import SCRIPTED, ScriptedCustomer
from domains.core.domain import Scenario
from sessions.events import Record


def make_customer(
    name: str,
    scenario: Scenario,
    record: Record,
    *,
    model_of: Callable[[str], ChatModel] = make_model,
    sees_cards: bool = True,
) -> Customer:
    """``scripted``, or a model of that name playing the scenario's role.

    ``record`` is told what a model was asked for and what that cost. ``sees_cards`` tells whether
    every change is put to the customer before it is made. Raises ModelFault ``unknown_model`` for
    what cannot be a name.
    """
    if name == SCRIPTED:
        return ScriptedCustomer(scenario, sees_cards=sees_cards)
    return ModelCustomer(model_of(name), scenario, record, sees_cards=sees_cards)
