"""Tools: plain typed functions with a docstring, and what else they declare.

The JSON schema that a model is given is derived from the function's signature, so that the two
cannot drift apart. A tool declares whether it changes records; one that does not is treated as if
it did (law 5). A write also declares, beside its code, its preconditions and how to say in plain
words what it does.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from domains.core.call import Arguments as Arguments
from domains.core.call import ToolCall as ToolCall
from domains.core.call import ToolError as ToolError
from domains.core.call import ToolResult as ToolResult
from domains.text.one_line import value

if TYPE_CHECKING:
    from domains.core.changes import Change
    from domains.core.draft import Draft
    from domains.core.evidence import EvidenceGuard
    from domains.core.protocol_guards import ProtocolGuard


class ToolKind(StrEnum):
    """Whether running a tool can change records."""

    READ = "read"
    WRITE = "write"
    GENERIC = "generic"
    UNDECLARED = "undeclared"
    """Undeclared; treated as a write unless an auxiliary model says otherwise (law 5)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check read in the records, and whether its precondition holds."""

    holds: bool
    value: str
    """The value that was read, in words for the card: ``status is delivered``."""


UNREADABLE = "could not be read from this call"
"""The finding for arguments that cannot be looked up."""


@dataclass(frozen=True, slots=True)
class Check:
    """A precondition that code can verify: a short name and a function that reads the records.

    ``source`` says who requires it. A ``tool`` check mirrors what the tool's own code enforces:
    while one fails, the call fails. A ``policy`` check is required by the policy alone: it appears
    on the card and never changes what the tool does.
    """

    name: str
    source: Literal["tool", "policy"]
    evaluate: Callable[[Draft, Arguments], Finding]

    def run(self, draft: Draft, arguments: Arguments) -> Finding:
        """Run the check; it fails, and never raises, on arguments that cannot be looked up."""
        try:
            return self.evaluate(draft, arguments)
        except (LookupError, TypeError, ValueError, AttributeError, ToolError):
            return Finding(False, UNREADABLE)


@dataclass(frozen=True, slots=True)
class Effect:
    """One difference that a change makes, in plain words, and the record paths it covers."""

    text: str
    covers: tuple[str, ...] = ()
    """The ``FieldChange.label`` values that the sentence accounts for.

    Changes that no sentence covers are shown as they are, so that a card never hides one.
    """


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a change that only the customer can answer, shown on the card."""

    text: str
    """The question, in the second person, about this very change and with its values."""

    about: tuple[str, ...] = ()
    """Words and phrases that find the customer's own sentences about it."""

    decisive: bool = False
    """Whether the answer decides if the change is right."""


def _none(draft: Draft, arguments: Arguments) -> tuple[()]:
    """The default for a write that declares nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class WriteDeclaration:
    """What a write declares beside its code, for the card that asks about it."""

    sentence: Callable[[Draft, Arguments], str]
    """Returns one plain sentence that says what is about to happen, in the customer's terms."""

    effects: Callable[[Draft, Arguments, tuple[Change, ...]], list[Effect]]
    """Returns the observed changes in words; the draft has the records *after* the call."""

    checks: tuple[Check, ...] = ()
    questions: Callable[[Draft, Arguments], Iterable[Question]] = _none
    """Returns what the policy asks and no check can read.

    The draft has the records before the call.
    """

    stays: Callable[[Draft, Arguments], Iterable[str]] = _none
    """Returns what will stay as it is, for a change that can be made only once."""

    closes: Callable[[Draft, Arguments], Iterable[str]] = _none
    """Returns what the call makes impossible, that is, why it cannot be undone."""

    guards: tuple[EvidenceGuard, ...] = ()
    """What the write assumes the session has seen; verified once the session is coupled."""


@dataclass(frozen=True)
class Tool:
    """A function that the agent may call, with what it declares about itself."""

    function: Callable[..., Any]
    kind: ToolKind
    notes: WriteDeclaration | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.kind is ToolKind.UNDECLARED and self.notes is None:
            plain = WriteDeclaration(
                lambda _, arguments: self.generic_sentence(arguments), lambda *_: []
            )
            object.__setattr__(self, "notes", plain)
        if self.mutates != (self.notes is not None):
            raise TypeError(f"{self.name}: a write, and only a write, declares WriteDeclaration")

    @property
    def name(self) -> str:
        """The name by which an agent calls the tool."""
        return self.function.__name__

    @property
    def description(self) -> str:
        """The function's docstring, as the model reads it."""
        return inspect.getdoc(self.function) or ""

    @property
    def mutates(self) -> bool:
        """Whether a call has to pass the gate."""
        return self.kind in (ToolKind.WRITE, ToolKind.UNDECLARED)

    def generic_sentence(self, arguments: Arguments) -> str:
        """The call in words, for a tool that declares none."""
        given = ", ".join(f"{value(name)}: {value(each)}" for name, each in arguments.items())
        what = self.name.replace("_", " ")
        return f"{what[:1].upper()}{what[1:]} ({given})." if given else f"{what.capitalize()}."

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The tool's schema in OpenAI's function-calling format, which models are given."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": _parameters(self.function),
            },
        }


class Toolset:
    """The tools of a domain by name, and the one place where a call is dispatched."""

    def __init__(
        self, owner: str, tools: tuple[Tool, ...], protocol: tuple[ProtocolGuard, ...] = ()
    ) -> None:
        """Register the tools of a domain.

        ``owner`` is the class that argument errors mention, as in ``RetailTools.f()``.
        """
        self.protocol = protocol
        """Guards that send back calls that their tool could not handle."""

        self._owner = owner
        self._tools = {tool.name: tool for tool in tools}
        for tool in tools:
            tool.function.__qualname__ = f"{owner}.{tool.name}"

    def with_tool(self, tool: Tool) -> Toolset:
        """The same tools and one more."""
        return Toolset(self._owner, (*self, tool), self.protocol)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def get(self, name: str) -> Tool | None:
        """The tool with that name, or None."""
        return self._tools.get(name)

    def mutates(self, name: str) -> bool:
        """Whether a call must pass the gate; a call of an unknown tool must."""
        tool = self._tools.get(name)
        return tool is None or tool.mutates

    @cached_property
    def schemas(self) -> list[dict[str, Any]]:
        """The schema of every tool, in the order of declaration."""
        return [tool.schema for tool in self]

    def run(self, call: ToolCall, draft: Draft) -> ToolResult:
        """Run a call on a draft of the records; a failure is returned as a result, never raised.

        Arguments are passed to the function as they are, so a missing, unknown or wrongly typed one
        fails in the function and is reported the way τ²-bench reports it.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult(f"Error: Tool '{call.name}' not found.", error=True)
        try:
            return ToolResult(_as_text(tool.function(draft, **call.arguments)))
        except Exception as error:  # a model may pass a tool any arguments
            return ToolResult(f"Error: {error}", error=True)


def reads(function: Callable[..., Any]) -> Tool:
    """Declare a tool that only looks up records."""
    return Tool(function, ToolKind.READ)


def undeclared_tool(function: Callable[..., Any]) -> Tool:
    """Declare a tool that does not say whether it changes records, such as another program's."""
    return Tool(function, ToolKind.UNDECLARED)


def generic(function: Callable[..., Any]) -> Tool:
    """Declare a tool that neither reads nor changes records."""
    return Tool(function, ToolKind.GENERIC)


def writes(notes: WriteDeclaration) -> Callable[[Callable[..., Any]], Tool]:
    """Declare a tool that changes records, with what its card needs."""
    return lambda function: Tool(function, ToolKind.WRITE, notes)


def _as_text(value: Any) -> str:
    """A result as the agent reads it: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The JSON schema of a function's parameters; ``Annotated[T, "text"]`` describes one."""
    from pydantic import Field, create_model

    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        hint, description = _describe(hints[name])
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[name] = (hint, Field(default, description=description))
    schema = create_model(function.__name__, **fields).model_json_schema()
    return {**_without_titles(schema)}


def _describe(hint: Any) -> tuple[Any, str | None]:
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        return inner, next((note for note in notes if isinstance(note, str)), None)
    return hint, None


def _without_titles(schema: Any) -> Any:
    """The schema without pydantic's titles, which repeat field names and cost a model tokens."""
    if isinstance(schema, dict):
        return {
            key: _without_titles(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str))
        }
    if isinstance(schema, list):
        return [_without_titles(value) for value in schema]
    return schema
