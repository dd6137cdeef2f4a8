"""Answers what has been done in this conversation, and what is still to be done."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts


def tell_done(dialogue: Dialogue, report: Callable[[Task], str]) -> str:
    """The changes that were made, each as it was reported, and those that still wait."""
    done = dict.fromkeys(report(each) for each in dialogue.tasks if each.written)
    waiting = [
        dialogue.offers[str(each.intent)]
        for each in dialogue.open_tasks
        if dialogue.changes_records(each) and not each.written and each.intent in dialogue.offers
    ]
    told = [*filter(None, done)] or ["Nothing has been changed so far."]
    rest = ["Nothing else has been changed."] if any(done) else []
    open_ = [f"Still to do: {join_parts(dict.fromkeys(waiting))}."] if waiting else []
    return "\n\n".join([*told, " ".join([*rest, *open_])]).strip()
