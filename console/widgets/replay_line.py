"""The position of a replay: a track with a mark, and the current event."""

from __future__ import annotations

from datetime import datetime

from textual.content import Content

from agent.session.replay import Replay
from console.panes.trace import event_gist
from console.widgets.plain import MUTED, PlainText

_GIST = 160
"""The most characters of an event's gist to show."""


class ReplayLine(PlainText):
    """Shows the place, the time, the event and the speed."""

    def __init__(self) -> None:
        """Start empty, until :meth:`tell` is called."""
        super().__init__(id="replay")

    def tell(self, replay: Replay, *, playing: bool, speed: int) -> None:
        """Show where the replay is."""
        now = replay.now
        when = datetime.fromisoformat(now.at).astimezone().strftime("%H:%M:%S")
        gist = " ".join(event_gist(now.event).split())[:_GIST]
        self.show(
            Content.assemble(
                _track(replay.place, replay.length, max(10, self.content_region.width)),
                "\n",
                (f"{'▶' if playing else '⏸'} ×{speed} ", "bold $primary" if playing else MUTED),
                (f" {replay.place}/{replay.length} ", "bold"),
                (f" {when} ", MUTED),
                (f" {now.event.type.replace('_', ' ')} ", "bold"),
                (f" {gist}", MUTED),
            ),
            layout=False,
        )


def _track(place: int, length: int, width: int) -> Content:
    """A track with a mark on it, from the first event to the last."""
    behind = round((place - 1) / max(1, length - 1) * (width - 1))
    return Content.assemble(
        ("━" * behind, "$primary"), ("●", "bold $primary"), ("─" * (width - 1 - behind), MUTED)
    )
