"""Creates the customer that was chosen by name."""

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
from domains.core.ends import effective_writes
from sessions.events import Record

BY_CODE = frozenset({SCRIPTED, CAREFUL})
"""The customers that are not models."""


def make_customer(
    name: str,
    domain: Domain,
    scenario: Scenario,
    record: Record,
    *,
    model_of: Callable[[str], ChatModel] = make_model,
    sees_cards: bool = True,
) -> Customer:
    """``scripted``, ``careful``, or the model with that name, playing the scenario's role.

    The suffix ``+react``, ``+verify`` or ``+reflection`` says how a model finds its words.

    ``record`` is called with each request to a model and its cost. ``sees_cards`` says whether
    every change is shown to the customer before it is made. Raises ModelFault ``unknown_model`` for
    text that cannot be a model's name.
    """
    if name == SCRIPTED:
        return ScriptedCustomer(with_wishes(domain, scenario), sees_cards=sees_cards)
    if name == CAREFUL:
        return CarefulCustomer(scenario)
    model, manner = split_manner(name)
    return ModelCustomer(model_of(model), scenario, record, sees_cards=sees_cards, manner=manner)


def with_wishes(domain: Domain, scenario: Scenario) -> Scenario:
    """The scenario with only those calls in its ends that a customer can ask for: real changes.

    A published task also lists the agent's look-ups, and sometimes a call that fails.
    """
    ends = (effective_writes(domain, end) for end in scenario.ends)
    return replace(scenario, ends=tuple(ends))
