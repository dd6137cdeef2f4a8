"""Entries and changes of memories, as anybody might write them."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from agent.memory.change import Change, Origin
from agent.memory.entry import Entry, Gap, make_entry

names = st.from_regex(r"[a-z][a-z0-9_]{0,10}", fullmatch=True)
texts = st.text(max_size=60) | st.sampled_from(
    ["# a heading", "## Check", "- an item", "\\", "\\# both", "- Tool: x", "“quoted”", "a\n\nb"]
)
said = texts.filter(lambda text: any(c.isalnum() or c in "#-\\" for c in text))
_lists = st.lists(texts, max_size=3)
_checks = st.none() | st.fixed_dictionaries(
    {"name": said, "effect": st.sampled_from(["relaxes", "tightens"]), "condition": said}
)

entries: st.SearchStrategy[Entry] = st.fixed_dictionaries(
    {
        "capability": names, "tool": names, "trigger": said, "preconditions": _lists,
        "eligibility": _lists, "action": texts, "key_insight": texts, "policy_lines": _lists,
        "gap": st.sampled_from(get_args(Gap)), "check": _checks,
    }
).map(make_entry)  # fmt: skip


def entry(capability: str = "cancel", **more: Any) -> Entry:
    return make_entry({"capability": capability, "tool": "cancel", "trigger": "asked", **more})


def change(
    does: Any, of: Entry | None = None, capability: str = "cancel", proposal: int | None = None
) -> Change:
    """``proposal`` is the revision of the one that is decided."""
    return Change(
        does=does, capability=of.capability if of else capability, entry=of, by="person",
        origin=Origin(kind="person"), of=proposal,
    )  # fmt: skip
