from __future__ import annotations

import pytest

import domains
from domains.core.domain import Domain
from tests.shared_data import TAU2, TAU2_AIRLINE, TAU2_RETAIL


@pytest.fixture(scope="session")
def demo() -> Domain:
    return domains.load("retail")


@pytest.fixture(scope="session")
def tau2() -> Domain:
    if not TAU2_RETAIL.is_dir():
        pytest.skip("τ²-bench's records are not here")
    return domains.load("retail", TAU2)


@pytest.fixture(scope="session", params=["demo", "tau2"])
def retail(request: pytest.FixtureRequest) -> Domain:
    domain: Domain = request.getfixturevalue(request.param)
    return domain


@pytest.fixture(scope="session")
def airline_demo() -> Domain:
    return domains.load("airline")


@pytest.fixture(scope="session")
def airline_tau2() -> Domain:
    if not TAU2_AIRLINE.is_dir():
        pytest.skip("τ²-bench's records are not here")
    return domains.load("airline", TAU2)


@pytest.fixture(scope="session", params=["airline_demo", "airline_tau2"])
def airline(request: pytest.FixtureRequest) -> Domain:
    domain: Domain = request.getfixturevalue(request.param)
    return domain
