"""Combines an earlier lesson and a later one in one entry, so that neither source is dropped.

PolicyBank, section 6: a conflict with later evidence becomes a distinction.
"""

from __future__ import annotations

from agent.memory.entry import CheckChange, Entry, make_entry
from sessions.events.memory import BOUNDARY, KEPT_BOUNDARY
from sessions.store.memory import MemoryRefused


def join_texts(earlier: str, later: str, word: str = "but") -> str:
    """Join both as one sentence with one boundary at its end.

    If one contains the other, it is returned alone.

    A later boundary replaces an earlier one, which ``keep_what_was_learned`` keeps among the
    conditions: no one reads three boundaries in a row.
    """
    if later in earlier:
        return earlier
    if earlier in later:
        return later
    known, between, boundary = earlier.partition(BOUNDARY)
    if word == "but":
        return f"{known}{BOUNDARY}{later}"
    return f"{known} – {word}: {later}{between}{boundary}"


def join_checks(earlier: CheckChange | None, later: CheckChange | None) -> CheckChange | None:
    """Combine two readings of one check: the earlier effect, under both conditions.

    Raises MemoryRefused if they are two checks: an entry reads one differently, and the card must
    not lose sight of the other. The length of both conditions is validated with the entry.
    """
    if earlier is None or later is None:
        return later or earlier
    if earlier.name != later.name:
        raise MemoryRefused(
            f"This entry already changes how “{earlier.name}” is read; another check needs a "
            "capability of its own."
        )
    condition = join_texts(earlier.condition, later.condition, _word(earlier, later))
    return earlier.model_copy(update={"condition": condition})


def keep_what_was_learned(earlier: Entry, later: Entry) -> Entry:
    """A revised entry that still contains what the earlier one had learned.

    Its insight, its check and the clauses that it interprets are kept word for word. A boundary
    that was replaced is kept among the conditions; everything else is taken from the later entry.
    Raises MemoryRefused if both together are too long.
    """
    check = join_checks(earlier.check, later.check)
    insight = join_texts(earlier.key_insight, later.key_insight, _word(earlier.check, later.check))
    told = (insight, check.condition if check else "")
    return make_entry(
        {
            **later.model_dump(),
            "key_insight": insight,
            "eligibility": _with_boundaries(earlier, later.eligibility, told),
            "policy_lines": tuple(dict.fromkeys((*earlier.policy_lines, *later.policy_lines))),
            "gap": later.gap or earlier.gap,
            "check": None if check is None else check.model_dump(),
        }
    )


def _with_boundaries(
    earlier: Entry, eligibility: tuple[str, ...], told: tuple[str, ...]
) -> tuple[str, ...]:
    """The conditions, with every earlier boundary that the sentences no longer contain."""
    texts = (earlier.key_insight, earlier.check.condition if earlier.check else "")
    ended = [text.partition(BOUNDARY)[2] for text in texts]
    before = [
        each.removeprefix(KEPT_BOUNDARY)
        for each in earlier.eligibility
        if each.startswith(KEPT_BOUNDARY)
    ]
    kept = [each for each in (*before, *ended) if each and not any(each in text for text in told)]
    plain = [each for each in eligibility if each.removeprefix(KEPT_BOUNDARY) not in kept]
    return (*plain, *(f"{KEPT_BOUNDARY}{each}" for each in dict.fromkeys(kept)))


def _word(earlier: CheckChange | None, later: CheckChange | None) -> str:
    """How two lessons are joined: *also* if both widen or both narrow a check, else *but*."""
    alike = earlier is not None and later is not None and earlier.effect == later.effect
    return "also" if alike else "but"
