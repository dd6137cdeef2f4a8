"""Sequences of calls on one customer's records: valid, nearly valid and absurd, writes repeated."""

from __future__ import annotations

import inspect
from typing import Any

from hypothesis import strategies as st

from domains.core.domain import Domain
from domains.core.tool import Tool, ToolCall
from tests.domains.airline import airline_calls
from tests.domains.retail import retail_calls

NOT_IN_THE_PEER = frozenset({"get_item_details"})
"""Tools of τ²-bench that its release on PyPI does not have yet."""

EXPRESSIONS = [
    *("1 + 1", "(2 + 3) * 1.25", "7 // 2", "2 ** 3", "-(-3)", "0.1 + 0.2", "9**20", "  3"),
    *("1/0", "", "a", "1 2", "01", "1.5.2", "(", "2**-1", "1e3"),
]


def sequences(name: str, domain: Domain) -> st.SearchStrategy[list[ToolCall]]:
    """Three to ten calls, two thirds of them writes."""
    return _retail(domain) if name == "retail" else _airline(domain)


@st.composite
def _retail(draw: st.DrawFn, domain: Domain) -> list[ToolCall]:
    order_id = draw(retail_calls.order_ids(domain))
    return draw(_mixed(domain, retail_calls.writes(domain, order_id)))


@st.composite
def _airline(draw: st.DrawFn, domain: Domain) -> list[ToolCall]:
    user_id = draw(airline_calls.user_ids(domain))
    return draw(_mixed(domain, airline_calls.writes(domain, user_id)))


@st.composite
def _mixed(draw: st.DrawFn, domain: Domain, writes: Any) -> list[ToolCall]:
    calls: list[ToolCall] = []
    for _ in range(draw(st.integers(3, 10))):
        kind = draw(st.integers(0, 11))
        if kind < 7 or not calls:
            calls.append(draw(writes))
        elif kind < 9:
            calls.append(draw(st.sampled_from(calls)))
        elif kind < 11:
            calls.append(draw(_look_ups(domain)))
        else:
            calls.append(draw(_misspelled(draw(writes))))
    return calls


@st.composite
def _misspelled(draw: st.DrawFn, call: ToolCall) -> ToolCall:
    """The call with a wrong name, an argument missing, or one too many."""
    arguments = dict(call.arguments)
    match draw(st.sampled_from(["name", "missing", "extra"])):
        case "name":
            return ToolCall(f"{call.name}s", arguments)
        case "missing":
            del arguments[draw(st.sampled_from(sorted(arguments)))]
        case _:
            arguments["priority"] = "high"
    return ToolCall(call.name, arguments)


@st.composite
def _look_ups(draw: st.DrawFn, domain: Domain) -> ToolCall:
    """A call that reads, its arguments from the data, or now and then from nowhere."""
    tools = [each for each in domain.tools if not each.mutates and each.name not in NOT_IN_THE_PEER]
    tool: Tool = draw(st.sampled_from(tools))
    names = list(inspect.signature(tool.function).parameters)[1:]
    return ToolCall(tool.name, {name: draw(_values(domain, name)) for name in names})


def _values(domain: Domain, name: str) -> st.SearchStrategy[Any]:
    strange: st.SearchStrategy[Any] = st.sampled_from(["", "nowhere", None, 7, ["x"], {}])
    known = _known(domain, name)
    return st.integers(0, 9).flatmap(lambda n: known if n else strange)


def _known(domain: Domain, name: str) -> st.SearchStrategy[Any]:
    """What an argument of that name can be, from the data."""
    if name == "expression":
        return st.sampled_from(EXPRESSIONS)
    if name == "date":
        return st.integers(1, 31).map(lambda day: f"2024-05-{day:02d}")
    collection = f"{name.removesuffix('_id').removesuffix('_number')}s"
    if collection in domain.base.collections:
        return st.sampled_from(list(domain.base.collections[collection]))
    field = {"origin": "flights", "destination": "flights"}.get(name, "users")
    records = list(domain.base.collections[field].values())
    flat = [
        {**each, **each["name"], **each["address"]} if field == "users" else each
        for each in records
    ]
    values = [each[name] for each in flat if name in each]
    return st.sampled_from(values or ["something"])
