"""LangGraph and LangChain at the gate, each built the way its own documentation shows.

In the cheapest durable form: the graph ends with the tool, so no further model turn is timed, and
the tool changes a small dictionary and checks nothing, so no weight is carried that is ours alone.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from tests.benchmarks.gate_side import (
    REQUEST,
    TOOL,
    Stamps,
    Times,
    arguments,
    call_id,
    cancel,
    chat,
    order_id,
    small_orders,
)


class LangGraph:
    """A graph of two nodes with `interrupt` in the second, and a `SqliteSaver` (WAL, FULL)."""

    name = "LangGraph interrupt + SqliteSaver"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "langgraph.db"
        self.stamps = Stamps()
        self.orders = small_orders()
        self.number = 0
        self._connection = sqlite3.connect(self.path, check_same_thread=False)
        saver = SqliteSaver(self._connection)
        saver.setup()  # switches to WAL
        self._connection.execute("PRAGMA synchronous=FULL")
        self.graph: Any = self._compiled(saver)

    def _compiled(self, saver: SqliteSaver) -> Any:
        graph = StateGraph(MessagesState)
        graph.add_node("model", self._model)
        graph.add_node("tools", self._tools)
        graph.add_edge(START, "model")
        graph.add_edge("model", "tools")
        graph.add_edge("tools", END)
        return graph.compile(checkpointer=saver)

    def _model(self, state: Any) -> dict[str, Any]:
        message = _proposal(self.number)
        self.stamps.output()
        return {"messages": [message]}

    def _tools(self, state: Any) -> dict[str, Any]:
        call = state["messages"][-1].tool_calls[0]
        if interrupt({"tool": call["name"], "arguments": call["args"]}) != "approve":
            raise RuntimeError("nobody rejects here")
        self.stamps.entered()
        result = cancel(self.orders, **call["args"])
        return {"messages": [ToolMessage(result, tool_call_id=call["id"])]}

    _answer: Any = "approve"
    _last_node = "tools"

    def seed(self, thread: str, messages: int) -> None:
        """Give a conversation its earlier messages."""
        if messages:
            self.graph.update_state(
                _thread(thread), {"messages": chat(messages)}, as_node=self._last_node
            )

    def turn(self, thread: str, number: int = 0) -> Times:
        """One gated write, from the customer's words to the result."""
        self.orders, self.number = small_orders(), number
        paused = self.graph.invoke(
            {"messages": [("user", REQUEST)]}, _thread(thread), durability="sync"
        )
        self.stamps.ready()
        if not paused["__interrupt__"]:
            raise RuntimeError("LangGraph did not pause")
        self.stamps.approved()
        self.graph.invoke(Command(resume=self._answer), _thread(thread), durability="sync")
        self.stamps.durable()
        if self.orders[order_id(number)]["status"] != "cancelled":
            raise RuntimeError("LangGraph did not run the call")
        return self.stamps.times()

    def size(self) -> int:
        """Bytes on disk, with the write-ahead log folded in."""
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return self.path.stat().st_size

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()


class CreateAgent(LangGraph):
    """LangChain's `create_agent` with `HumanInTheLoopMiddleware`, on the same saver."""

    name = "create_agent + HITL middleware"

    def _compiled(self, saver: SqliteSaver) -> Any:
        side = self

        @tool(return_direct=True)
        def cancel_pending_order(order_id: str, reason: str) -> str:
            """Cancel a pending order."""
            side.stamps.entered()
            return cancel(side.orders, order_id, reason)

        return create_agent(
            _ChatModel(side=self),
            [cancel_pending_order],
            middleware=[HumanInTheLoopMiddleware({TOOL: True})],
            checkpointer=saver,
        )

    _answer: Any = {"decisions": [{"type": "approve"}]}  # noqa: RUF012 - never changed
    _last_node = "model"


class _ChatModel(BaseChatModel):
    """The fake model in LangChain's form."""

    side: Any

    @property
    def _llm_type(self) -> str:
        return "fake"

    def bind_tools(self, *_: Any, **__: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        message = _proposal(self.side.number)
        self.side.stamps.output()
        return ChatResult(generations=[ChatGeneration(message=message)])


def _proposal(number: int) -> AIMessage:
    call = {"id": call_id(number), "name": TOOL, "args": arguments(number)}
    return AIMessage("", tool_calls=[call])


def _thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}
