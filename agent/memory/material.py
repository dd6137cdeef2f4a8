"""Assembles what a model learns from: all of it data, as one JSON object without secret keys.

PolicyBank, appendix B. A speaker's words, a tool's result and an entry are strings in it, so that
none can pass for another's or for an instruction. The lines of the policy have numbers by which an
answer refers to them, so that no clause can be invented.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agent.memory.bank import Bank, Capability, Version
from agent.memory.entry import LONGEST_TEXT
from agent.memory.feedback import Feedback
from agent.memory.record_shapes import record_shapes
from agent.models.redaction import without_secrets_json
from agent.reflection.policy_lines import lines_of
from domains.core.domain import Domain
from domains.core.tool import Tool
from sessions.cleaning import clean, clean_json
from sessions.events import Logged
from sessions.json_strings import map_strings
from sessions.scoring.judging import conversation

LONGEST_RESULT = 2_000
"""The maximum length of one string, in characters: a search may have returned a whole catalogue."""

MOST_WHOLE = 60
"""How many entries are included whole; of the others a model sees what they are about."""

Json = dict[str, Any]


def of_domain(domain: Domain) -> Json:
    """The policy, the tools and the structure of the records."""
    return {
        "policy": [
            {"line": number, "text": text} for number, text in enumerate(policy_texts(domain), 1)
        ],
        "tools": [_tool(tool) for tool in domain.tools],
        "records": record_shapes(domain.base.collections),
    }


def of_session(log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain) -> Json:
    """Everything that the review of a session is based on."""
    about = {each.tool for each in feedback.evidence}
    return {
        **of_domain(domain),
        "bank": list(_bank(bank, about)),
        "conversation": shorten_strings(without_secrets_json(conversation(log))),
        "feedback": {
            "reward": feedback.reward,
            "evidence": [
                {
                    "number": number,
                    "kind": each.kind,
                    "words": each.words,
                    "about the tool": each.tool,
                    "policy checks that spoke against the change": list(each.failing),
                }
                for number, each in enumerate(feedback.evidence_with_words(), 1)
            ],
        },
    }


def as_message(material: Json) -> str:
    """The material as it is sent: clean, and without any known secret key."""
    return json.dumps(without_secrets_json(clean_json(material)), ensure_ascii=False)


def policy_texts(domain: Domain) -> list[str]:
    """The lines of the policy, each after its heading, as entries quote them."""
    return [
        " ".join(clean(f"{each.section}: {each.text}").split())[:LONGEST_TEXT]
        for each in lines_of(domain.policy)
    ]


def is_taught(version: Version) -> bool:
    """Whether something was learned from a session that was recorded here."""
    return version.origin.kind == "session" and not version.origin.file


def version_to_build_on(found: Capability) -> Version | None:
    """The version to build on: the newest waiting one from a session, else the one in force.

    A waiting one that comes from a file is a stranger's, and stays unread until someone accepts it.
    """
    learned = [*found.versions[-1:], *filter(is_taught, found.waiting)]
    return learned[-1] if learned else None


def _tool(tool: Tool) -> Json:
    checks = tool.notes.checks if tool.notes is not None else ()
    return {
        "name": tool.name,
        "changes records": tool.mutates,
        "description": tool.description,
        "parameters": tool.schema["function"]["parameters"].get("properties", {}),
        "policy checks": [each.name for each in checks if each.source == "policy"],
        "checks of the tool itself": [each.name for each in checks if each.source == "tool"],
    }


def _bank(bank: Bank, about: Iterable[str]) -> Iterator[Json]:
    """Yield the entries with their sources, those of the given tools first."""
    held = [
        (each, version)
        for each in bank.capabilities.values()
        if (version := version_to_build_on(each))
    ]
    held.sort(key=lambda pair: pair[1].entry.tool not in about)
    for place, (each, version) in enumerate(held):
        entry = version.entry
        if place >= MOST_WHOLE:
            yield {"capability": entry.capability, "tool": entry.tool, "trigger": entry.trigger}
            continue
        yield {
            **entry.model_dump(mode="json", exclude_defaults=True),
            "accepted": version not in each.waiting,
            "sources": [_source(one) for one in (*each.versions, *filter(is_taught, each.waiting))],
        }


def _source(version: Version) -> Json:
    origin = version.origin
    told = {"by": version.by, "kind": origin.kind, "words": origin.words}
    return {name: text for name, text in told.items() if text}


def shorten_strings(told: Any) -> Any:
    """The same JSON with long strings cut and their length stated."""
    return map_strings(told, _cut)


def _cut(text: str) -> str:
    if len(text) <= LONGEST_RESULT:
        return text
    return f"{text[:LONGEST_RESULT]}… ({len(text):,} characters in all)"
