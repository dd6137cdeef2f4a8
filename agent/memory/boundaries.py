"""What was learned and what is learned now, as one entry: neither of two sources is dropped.

(PolicyBank, section 6: a conflict with later evidence becomes a distinction.)
"""

from __future__ import annotations

from agent.memory.entry import CheckChange, Entry, make_entry
from sessions.events.memory import BOUNDARY, KEPT_BOUNDARY
from sessions.store.memory import MemoryRefused


def join_texts(earlier: str, later: str, word: str = "but") -> str:
    """Both, as one sentence with one boundary at its end; one alone where it holds the other.

    A later boundary takes the place of an earlier one, which ``keep_what_was_learned`` keeps among
    what has to hold: three of them in a row are read by nobody.
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
    """A check read differently for two reasons: in the earlier way, within both conditions.

    Raises MemoryRefused where they are two checks: an entry reads one differently, and the card
    must not lose sight of the other. How long both conditions are is looked at with the entry.
    """
    if earlier is None or later is None:
        return later or earlier
    if earlier.name != later.name:
        raise MemoryRefused(
            f"This entry reads “{earlier.name}” differently already; another check needs a "
            "capability of its own."
        )
    condition = join_texts(earlier.condition, later.condition, _word(earlier, later))
    return earlier.model_copy(update={"condition": condition})


def keep_what_was_learned(earlier: Entry, later: Entry) -> Entry:
    """A revised entry in which what the earlier one had learned still stands.

    Its insight, its check and the clauses that it interprets are kept, word for word, and so are
    boundaries that have another now, among its conditions; all else is as the later one has it.
    Raises MemoryRefused where both together are too long.
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
    """The conditions, with every earlier boundary that the sentences no longer have."""
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
    """Whether two that were learned limit each other, or both widen or narrow one check."""
    alike = earlier is not None and later is not None and earlier.effect == later.effect
    return "also" if alike else "but"
