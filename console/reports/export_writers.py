"""Write each format of ``saber export``, and say what was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.commands.options import Refused

if TYPE_CHECKING:
    from sessions.events import Logged
    from sessions.exporting.gathering import Gathered
    from sessions.exporting.redacting import Redact, Redaction
    from sessions.views.writes import WriteCard

NOT_MADE = "writes that nobody was asked about, whose cards cannot be made here; see --data"

_THINGS = {"preference": "pair", "sft": "conversation"}


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What the command line asks for."""

    out: Path
    force: bool
    licence: str
    redaction: Redaction | None


def _confirmations(gathered: Gathered, wanted: ExportRequest) -> Iterator[str]:
    """Write the dataset in the format of the file's extension, and its README beside it."""
    from domains.text.quantity import quantity
    from sessions.exporting.dataset_card import Counts
    from sessions.exporting.writing import refuse_existing, write_jsonl, write_text

    refuse_existing(wanted.out, force=wanted.force)
    ending = wanted.out.suffix.lower()
    if ending not in (*_TABLES, *_LINES):
        raise Refused(
            f"There is no format for files ending in {ending}: --out must end in .jsonl, "
            f"{' or '.join(_TABLES)}."
        )
    write = _TABLES[ending]() if ending in _TABLES else write_jsonl
    readme = wanted.out.with_name("README.md")
    write_card = wanted.force or not (readme.exists() or readme.is_symlink())
    counts = Counts()
    cards = _require_rows(_cards(gathered, wanted), "card", gathered)
    count = write(counts.counting(cards), wanted.out, force=wanted.force)
    yield f"{quantity(count, 'card')} written to {wanted.out}."
    if write_card:
        write_text(_readme(gathered, wanted, counts), readme, force=wanted.force)
        yield f"{readme} describes its content."
    else:
        yield f"{readme} already exists and was left as it is; --force replaces it."


def _cards(gathered: Gathered, wanted: ExportRequest) -> Iterable[dict[str, Any]]:
    """The rows of the dataset, without secrets and, if requested, without personal data.

    Rows of cards that were shown need the session's records only for redaction.
    """
    from agent.models.redaction import redact
    from sessions.exporting.confirmations import cached, rows_of
    from sessions.json_strings import map_strings

    def count_and_write(log: Any, left_out: Counter[str]) -> Iterator[dict[str, Any]]:
        found = list(rows_of(log, _cards_made_afterwards(gathered, log)))
        if not found:
            left_out["sessions without a card"] += 1
        return iter(found)

    if wanted.redaction:
        return gathered.rows(
            lambda log, _, left: count_and_write(log, left), wanted.redaction, redact
        )
    logs = (count_and_write(log, gathered.left_out) for log in gathered.logs())
    hidden = cached(redact)
    return (map_strings(row, hidden) for rows in logs for row in rows)


def _cards_made_afterwards(gathered: Gathered, log: Sequence[Logged]) -> Sequence[WriteCard]:
    """The cards of writes that no one was asked about, if the original records are here."""
    from console.reports.evidence import cards_of
    from domains.core.domain import DomainError
    from sessions.views.writes import own_writes

    unasked = sum(each.origin == "recorded" for each in own_writes(log))
    domain = gathered.domain_of(log) if unasked else None
    try:
        found = cards_of(domain, log) if domain else []
    except DomainError:
        found = []
    missing = unasked - sum(each.write.origin == "recorded" for each in found)
    gathered.left_out.update({NOT_MADE: missing} if missing else {})
    return found


def _readme(gathered: Gathered, wanted: ExportRequest, counts: Any) -> str:
    from agent.session.beginning import program_version
    from sessions.exporting import dataset_card

    told = (
        "names, e-mail addresses, streets, cities and postal codes, birth dates, card digits and "
        "user ids that are in the records were replaced, each by the same stand-in throughout, "
        "and so was whoever labelled or reviewed a card. Anything else that people typed was not."
        if wanted.redaction
        else "keys and passwords were taken out; nothing else was."
    )
    return dataset_card.card(
        wanted.out,
        counts,
        program=program_version(),
        left_out=gathered.left_out,
        redaction=told,
        licence=wanted.licence,
    )


def _csv() -> Any:
    from sessions.exporting.tables import write_csv

    return write_csv


def _parquet() -> Any:
    from sessions.exporting.tables import write_parquet

    return write_parquet


_TABLES: dict[str, Callable[[], Any]] = {".csv": _csv, ".parquet": _parquet}
_LINES = (".jsonl", ".json", "")


def _require_rows(rows: Iterable[Any], thing: str, gathered: Gathered) -> Iterator[Any]:
    """Yield the rows; raises ExportError at the end if there were none."""
    from sessions.exporting.writing import no_rows
    from sessions.store.errors import ExportError

    empty = True
    for row in rows:
        empty = False
        yield row
    if empty:
        raise ExportError(no_rows(thing, gathered.left_out))


def _rows(form: str) -> Callable[[Gathered, ExportRequest], Iterator[str]]:
    """Return the writer of a format in which every session has rows of its own."""

    def write(gathered: Gathered, wanted: ExportRequest) -> Iterator[str]:
        from agent.models.redaction import redact
        from domains.text.quantity import quantity
        from sessions.exporting import preference, sft
        from sessions.exporting.writing import write_jsonl

        make = {"preference": preference.rows_of, "sft": sft.rows_of}[form]
        found = gathered.rows(make, wanted.redaction, redact)
        some = _require_rows(found, _THINGS[form], gathered)
        count = write_jsonl(some, wanted.out, force=wanted.force)
        yield f"{quantity(count, _THINGS[form])} written to {wanted.out}."

    return write


def _tau2(gathered: Gathered, wanted: ExportRequest) -> Iterator[str]:
    from sessions.exporting import tau2
    from sessions.exporting.writing import atomic_write

    with atomic_write(wanted.out, force=wanted.force) as stream:
        for part in tau2.parts(gathered):
            stream.write(part.encode("ascii"))
    if (wanted.out.parent / "simulations").is_dir():
        yield "There is a folder named simulations beside it: tau2 view would read that instead."
    yield f"Results written to {wanted.out}; tau2 view --file {wanted.out} opens them."


def _sessions(gathered: Gathered, wanted: ExportRequest) -> Iterator[str]:
    from domains.text.quantity import quantity
    from sessions.exporting import raw
    from sessions.exporting.writing import write_jsonl

    lines = raw.lines(gathered.store, gathered.sessions)
    write_jsonl(lines, wanted.out, force=wanted.force)
    yield f"{quantity(len(gathered.sessions), 'session')} written to {wanted.out}."


def _agentack(gathered: Gathered, wanted: ExportRequest) -> Iterator[str]:
    from domains.text.quantity import quantity
    from sessions.exporting import agentack
    from sessions.exporting.attention import leave_out
    from sessions.exporting.writing import write_jsonl

    for log, out, hide in _session_files(gathered, wanted, ".jsonl"):
        leave_out(log, gathered.left_out)
        count = write_jsonl(hide(agentack.rows(log)), out, force=wanted.force)
        yield f"{quantity(count, 'event')} written to {out}."


def _html(gathered: Gathered, wanted: ExportRequest) -> Iterator[str]:
    from sessions.exporting.page import page
    from sessions.exporting.writing import write_text

    for log, out, hide in _session_files(gathered, wanted, ".html"):
        write_text("".join(page(list(hide(log)))), out, force=wanted.force)
        yield f"A page of session {log[0].session} written to {out}."


def _session_files(
    gathered: Gathered, wanted: ExportRequest, ending: str
) -> Iterator[tuple[Any, Path, Callable[[Any], Any]]]:
    """Yield each session with its file: the named one, or one named by its id in that folder."""
    many = len(gathered.sessions) != 1
    if many and wanted.out.suffix == ending:
        raise Refused(
            f"A file holds one session, but {len(gathered.sessions)} match: name one with "
            "--session, or a folder with --out."
        )
    folder = wanted.out if many or wanted.out.is_dir() else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for log in gathered.logs():
        out = wanted.out if folder is None else folder / f"{log[0].session}{ending}"
        told = wanted.redaction.without_judge_names(log) if wanted.redaction else log
        yield told, out, _make_hider(gathered, wanted, log)


def _make_hider(gathered: Gathered, wanted: ExportRequest, log: Any) -> Callable[[Any], Any]:
    """Return a function that hides secrets, and if requested personal data, in rows or events."""
    from agent.models.redaction import redact
    from sessions.events import Logged
    from sessions.json_strings import map_strings

    domain = gathered.domain_of(log) if wanted.redaction else None
    personal: Redact | None = (
        wanted.redaction.redactor_for(log, domain) if wanted.redaction and domain else None
    )

    def both(text: str) -> str:
        hidden = redact(text)
        return personal(hidden) if personal else hidden

    def hide(found: Iterable[Any]) -> Iterator[Any]:
        for each in found:
            if isinstance(each, Logged):
                kind = each.event.type
                event = {**map_strings(each.event.model_dump(mode="json"), both), "type": kind}
                yield each.model_copy(update={"event": type(each.event).model_validate(event)})
            else:
                yield map_strings(each, both)

    return hide


WRITERS: dict[str, Callable[[Gathered, ExportRequest], Iterator[str]]] = {
    "confirmations": _confirmations,
    "preference": _rows("preference"),
    "sft": _rows("sft"),
    "tau2": _tau2,
    "sessions": _sessions,
    "agentack": _agentack,
    "html": _html,
}
"""The writer of each format; it yields lines for the user."""
