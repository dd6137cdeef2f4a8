"""Every change that a scenario of the demo domains expects, tried on the records as they stand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import domains
from domains.core.changes import patch_of
from domains.core.domain import Domain
from domains.core.facts import Facts
from domains.core.records import Preview, Records
from domains.core.tool import ToolCall


class Trial:
    """A change that would succeed; no dataclass, so that a test that fails tells its call alone."""

    def __init__(self, domain: Domain, records: Records, preview: Preview, facts: Facts) -> None:
        self.domain = domain
        self.records = records
        self.preview = preview
        self.facts = facts

    @property
    def call(self) -> ToolCall:
        """The call that makes it."""
        return self.preview.call

    def __repr__(self) -> str:
        return f"{self.call.name}({dict(self.call.arguments)})"


@cache
def trials() -> tuple[Trial, ...]:
    """The changes of both domains, in the order of their scenarios."""
    return tuple(each for name in ("retail", "airline") for each in _trials(domains.load(name)))


def _trials(domain: Domain) -> Iterator[Trial]:
    for scenario in domain.scenarios:
        records = domain.records()
        for number, call in enumerate(scenario.ends[0]):
            kept = _as_they_are(records)
            preview = kept.preview(call)
            if domain.tools.mutates(call.name) and not preview.result.error:
                facts = domain.facts(kept.draft(), preview)
                assert facts is not None, call
                yield Trial(domain, kept, preview, facts)
                _go_on(records, f"k{number}", preview)


def _go_on(records: Records, card: str, preview: Preview) -> None:
    records.replay_write(card, patch_of(preview.changes), records.digest_with(preview.changes))


def _as_they_are(records: Records) -> Records:
    """A copy that stays when the records go on."""
    kept = Records(records.base, records.tools)
    kept.restore(records.snapshot())
    return kept
