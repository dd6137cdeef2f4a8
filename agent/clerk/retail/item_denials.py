"""What a message takes out of a change of items, and what it asks for instead of that."""

from __future__ import annotations

from agent.clerk.retail.item_mentions import found_by, mentions
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.state.task import Task
from agent.clerk.understanding.sentence_kinds import says_also
from agent.clerk.understanding.tokens import has, tokens


def take_out(task: Task, text: str, records: RetailRecords) -> bool:
    """Take out of a task the items that a denial names; returns whether it did and any is left.

    "Forget the bottle, only the planter" tells which ones these are.
    """
    out, rest = _named(text, records)
    own = _items_of(task, records)
    if not out & own or not (own | rest) - out:
        return False
    if rest:
        task.note(text)
    else:
        task.excepted.append(text)
    return True


def names_only_others(task: Task, text: str, records: RetailRecords) -> bool:
    """Whether a text names items, none of which a task is about, and not in addition to it."""
    words, own = tokens(text), _items_of(task, records)
    _, wanted = _named(text, records)
    beside = says_also(words) or has(words, "both", "add", "also", "and")
    return bool(own and wanted) and own.isdisjoint(wanted) and not beside


def _items_of(task: Task, records: RetailRecords) -> set[str]:
    """The ids of the items that a task speaks of, or that were proposed for it."""
    return {each.id for each in records.find_named(task.all_words)} | {*task.items}


def _named(text: str, records: RetailRecords) -> tuple[set[str], set[str]]:
    """The ids of the items that a text wants left alone, and of the others that it names."""
    named = mentions(text, records.things)
    out, rest = ([one for one in named if one.is_excluded is so] for so in (True, False))
    return {each.id for each in found_by(out)}, {each.id for each in found_by(rest)}
