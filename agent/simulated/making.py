"""The customer that was chosen by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.models.choosing import make_model
from agent.models.protocol import ChatModel
from agent.simulated.careful import CAREFUL, CarefulCustomer
from agent.simulated.customer import Customer
from agent.simulated.modelled import ModelCustomer
from agent.simulated.scripted import SCRIPTED, ScriptedCustomer
from agent.simulated.speaking import split_manner
from domains.core.domain import Domain, Scenario
from domains.core.ends import changes_of
from sessions.events import Record

BY_CODE = frozenset({SCRIPTED, CAREFUL})
"""The customers that are no models."""


def make_customer(
    name: str,
    domain: Domain,
    scenario: Scenario,
    record: Record,
    *,
    model_of: Callable[[str], ChatModel] = make_model,
    sees_cards: bool = True,
) -> Customer:
    """``scripted``, ``careful``, or a model of that name playing the scenario's role.

    ``+react``, ``+verify`` or ``+reflection`` after a model's name tells how it finds its words.

    ``record`` is told what a model was asked for and what that cost. ``sees_cards`` tells whether
    every change is put to the customer before it is made. Raises ModelFault ``unknown_model`` for
    what cannot be a name.
    """
    if name == SCRIPTED:
        return ScriptedCustomer(with_wishes(domain, scenario), sees_cards=sees_cards)
    if name == CAREFUL:
        return CarefulCustomer(scenario)
    model, manner = split_manner(name)
    return ModelCustomer(model_of(model), scenario, record, sees_cards=sees_cards, manner=manner)


def with_wishes(domain: Domain, scenario: Scenario) -> Scenario:
    """A scenario whose ends list only what a customer can wish for: changes that can be made.

    A published task lists the agent's look-ups beside them, and now and then a call that fails.
    """
    ends = (changes_of(domain, end) for end in scenario.ends)
    return replace(scenario, ends=tuple(ends))
