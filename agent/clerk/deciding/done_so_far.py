"""Answers what has been done in this conversation, and what is still to be done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.wording import join_parts


def tell_done(dialogue: Dialogue, words: Mapping[str, str]) -> str:
    """The changes that were made, in words given by tool, and those that still wait."""
    done = [
        words[each.name].format_map(defaultdict(str, each.arguments))
        for each in dialogue.changes
        if each.name in words
    ]
    waiting = [
        dialogue.offers[str(each.intent)]
        for each in dialogue.open_tasks
        if dialogue.changes_records(each) and not each.written and each.intent in dialogue.offers
    ]
    told = f"So far I have {join_parts(done)}." if done else "Nothing has been changed so far."
    rest = " Nothing else has been changed." if done else ""
    open_ = f" Still to do: {join_parts(dict.fromkeys(waiting))}." if waiting else ""
    return f"{told}{rest}{open_}"
