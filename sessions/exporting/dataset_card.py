"""Write the dataset card that accompanies an export, in the format that Hugging Face reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sessions.exporting.confirmations import Row
from sessions.exporting.tables import COLUMNS

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))

FIELDS: Mapping[str, str] = {
    "session, seq": "which session's log, and the card's place in it",
    "turn, shown_at": "the customer's turn, and when the card was shown (UTC)",
    "origin": "`live`, a card that was shown; or `recorded`, one that was made afterwards for a "
    "write that nobody was asked about, from the records and the conversation at that time: it "
    "was never shown or decided, and the write was carried out",
    "domain, source, scenario": "what was played, on which records, in which role",
    "model": "who the agent was",
    "policy_digest, tools_digest": "which policy and tools it had",
    "call": "the change that was proposed: tool and arguments",
    "card": "what the person was shown: the sentence, what they asked for in their own words, what "
    "stays as it is, what it closes, odd characters",
    "disagreements": "where the change does not fit what was said: what it does, the words, and "
    "whose they are",
    "learned": "what the agent's memory said about a check, with the words on the card, and "
    "whether the agent had read it",
    "preconditions": "what must be true before, each with a verdict, the value that was read and, "
    "for what only the person can tell (`judge`), their words on it",
    "effects": "what would be different after, found by trying it on a copy",
    "reflection": "what the agent was reminded of before it proposed the change",
    "retrieved": "which blocks of the conversation the agent was sent, and near misses",
    "questions": "what was asked about the card while it waited",
    "decision, reason, by": "approve, reject, change or withdrawn, and in attention checks only, "
    "which a question ends, also ask; the words, except those of a question; by whom",
    "time_to_decide_ms": "from the card being readable to the decision",
    "overrode": "failing policy checks that were approved with a second key",
    "next_call": "after a rejection, the next change that was proposed",
    "consented, applied": "whether the approval was used, and what the change gave back",
    "attention_check": "true for a deliberately wrong card, which was never carried out; leave "
    "these rows out to count decisions on the agent's own cards",
    "meant, altered, caught": "for such a card: the arguments that were meant, what was swapped, "
    "and whether the person declined it (null if it was not decided)",
    "labels": "what people said about the card afterwards: right, wrong or unclear; tags, note, "
    "by whom; only the last of each person",
    "reviews": "what others decided who were shown the card but not its decision: by whom, "
    "decision, words, milliseconds, and whether they were shown the card or the raw call",
    "outcome": "how the session was scored, if it was",
    "hashes": "the hashes of the card's, the decision's and the last event in the session's chain",
}


_CAUGHT = {True: "caught", False: "missed", None: "undecided"}


@dataclass(slots=True)
class Counts:
    """The counts of what an export contains."""

    cards: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    """How many attention checks were caught, missed or left undecided."""

    sessions: set[str] = field(default_factory=set)
    by: dict[str, Counter[str]] = field(default_factory=dict)

    def counting(self, rows: Iterable[Row]) -> Iterable[Row]:
        """Yield the same rows and count each as it passes."""
        for row in rows:
            self.cards += 1
            self.sessions.add(row["session"])
            if row["attention_check"]:
                self.checks[_CAUGHT[row["caught"]]] += 1
                yield row
                continue
            for name in ("origin", "domain", "source", "model", "decision", "by"):
                told = str(row[name]) if row[name] is not None else "none"
                self.by.setdefault(name, Counter())[told] += 1
            yield row


def card(
    data: Path,
    counts: Counts,
    *,
    program: str,
    left_out: Counter[str],
    redaction: str,
    licence: str,
) -> str:
    """The text of README.md: a machine-readable header, then what a reader has to know."""
    return "\n".join(
        [*_head(data, counts, licence), *_body(data, counts, program),
         *_counts(counts), *_making(left_out, redaction), ""]
    )  # fmt: skip


def _head(data: Path, counts: Counts, licence: str) -> list[str]:
    size = next((name for most, name in SIZES if counts.cards < most), "n>1M")
    return [
        "---",
        f"license: {_yaml_scalar(licence)}",
        "language:",
        "- en",
        f"pretty_name: {_yaml_scalar('Confirmations of an agent’s changes')}",
        "task_categories:",
        "- text-classification",
        "tags:",
        "- human-in-the-loop",
        "- tool-use",
        "size_categories:",
        f"- {size}",
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: train",
        f"    path: {_yaml_scalar(data.name)}",
        "---",
    ]


def _body(data: Path, counts: Counts, program: str) -> list[str]:
    table = data.suffix != ".jsonl"
    note = (
        [f"Columns: {', '.join(COLUMNS)}. Values with parts are JSON text."]
        if table
        else ["One JSON object per line."]
    )
    return [
        "# Confirmations of an agent's changes",
        "",
        "A service agent proposed changes to a customer's records. Before each, the person who "
        "played the customer was shown a card and decided; in imported conversations nobody was, "
        "and the cards are made afterwards (`origin`). One row is one card.",
        "",
        f"Written by saber-console {program}: {counts.cards} cards from "
        f"{len(counts.sessions)} sessions, in `{_code(data.name)}`.",
        "",
        "## Fields",
        "",
        *note,
        "",
        *(f"- `{name}`: {what}" for name, what in FIELDS.items()),
    ]


def _counts(counts: Counts) -> list[str]:
    lines = ["", "## Counts", ""]
    for name, found in sorted(counts.by.items()):
        told = ", ".join(f"{_code(each)} {number}" for each, number in sorted(found.items()))
        lines.append(f"- by {name}: {told}")
    if counts.checks:
        told = ", ".join(f"{each} {number}" for each, number in sorted(counts.checks.items()))
        lines.append(f"- attention checks, left out of the lines above: {told}")
    return lines


def _making(left_out: Counter[str], redaction: str) -> list[str]:
    omitted = [f"- {number} {what}" for what, number in sorted(left_out.items()) if number]
    return [
        "",
        "## How it was made",
        "",
        "Every value is read from an append-only log whose events are chained by SHA-256; "
        "`hashes` are its links. Preconditions are read by code, effects are the difference that "
        "the change makes on a copy of the records. `by` says who decided: only `person` is a "
        "human decision. Split by `scenario`, not by row: cards of one session belong together.",
        "",
        f"Redaction: {redaction}",
        "",
        "## What was left out",
        "",
        *(omitted or ["- nothing"]),
        "",
        "## Known biases",
        "",
        "People approve most cards; read `time_to_decide_ms` beside `decision`. The customers "
        "play roles, so their patience and their mistakes are acted.",
    ]


def _yaml_scalar(text: str) -> str:
    """A YAML scalar; every JSON string is also a YAML string."""
    return json.dumps(text, ensure_ascii=False)


def _code(text: str) -> str:
    """Untrusted text with all characters replaced that could act as markup."""
    return "".join(each if each.isalnum() or each in " _-.:/,()'’" else "·" for each in text)[:200]
