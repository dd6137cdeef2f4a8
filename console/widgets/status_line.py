"""The status of the session on one line, and a second line with counts for hidden panes."""

from __future__ import annotations

from textual.content import Content

from console.widgets.plain import MUTED, PlainText
from sessions.views import SessionStatus


class StatusLine(PlainText):
    """Shows domain, model, turn, writes, share of turns with a card, tokens and cost."""

    def __init__(self) -> None:
        """Start empty, until :meth:`tell` is called."""
        super().__init__(id="status")
        self._shown = Content("")

    def tell(self, now: SessionStatus, *, offline: bool, counts: str = "") -> None:
        """Show the status; `counts` is given if the panes are hidden."""
        off = _off(now)
        standing = [
            (now.domain, "bold"),
            (now.model, ""),
            (f"turn {now.turn}/{now.max_turns}", ""),
            *_route(now),
            (f"writes {now.writes}", ""),
            (f"turns with a card {now.interrupted_share:.0%}", ""),
        ]
        spent = [
            *_expenses(now, offline=offline),
            *([(f"off: {off}", "$text-warning")] if off else []),
        ]
        narrow = [standing, [(counts, MUTED), *spent]]
        lines = narrow if counts else [[*standing, *spent]]
        text = Content("\n").join(_join_with_dots(line) for line in lines)
        if not text.is_same(self._shown):
            self._shown = text
            self.show(text, layout=False)  # the style sheet sets the height


def _join_with_dots(parts: list[tuple[str, str]]) -> Content:
    return Content(" · ").join(Content.styled(text, style) for text, style in parts)


def _expenses(now: SessionStatus, *, offline: bool) -> list[tuple[str, str]]:
    if offline:
        return [("offline", "$text-success")]
    cost = "cost unknown" if now.cost is None else f"${now.cost:.4f}"
    return [(f"{now.tokens:,} tokens", ""), (cost, "")]


def _route(now: SessionStatus) -> list[tuple[str, str]]:
    """Whether the session is routine or coupled, and since when."""
    if now.coupled_since is not None:
        since = f"since turn {now.coupled_since}" if now.coupled_since else "from the start"
        return [(f"coupled {since}", "$text-accent")]
    return [("routine", "")] if now.safeguards.control == "routed" else []


def _off(now: SessionStatus) -> str:
    """The safeguards that are switched off, as a reminder to the user."""
    guards = now.safeguards
    switches = {"gate": guards.gate, "reflection": guards.reflection, "context": guards.context}
    return ", ".join(name for name, on in switches.items() if not on)
