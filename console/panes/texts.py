"""The Policy and Scenario panes: what the agent must keep to, and whom the person plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from console.panes.pane import HEADING, Pane, Part, hanging
from console.widgets.plain import MUTED, PlainText
from console.widgets.prose import styled
from domains.domain import Role


class PolicyPane(Pane):
    """The policy as the agent is sent it."""

    TITLE = "Policy"
    HELP = "## Policy\n\nWhat the agent must keep to, word for word as it is sent to the model."

    def draw(self) -> None:
        """The whole policy, laid out."""
        self.query_one("#pane-text", PlainText).show(
            styled(self.conversation.domain.policy, line_break=" ")
        )


class ScenarioPane(Pane):
    """Whom the person plays, what they know, and what they want."""

    TITLE = "Scenario"
    EMPTY = (
        "Free play: there is no script. Open Record after the agent has found you to see what "
        "the customer has, and ask for anything you like."
    )
    HELP = "## Scenario\n\nWhom you play, what you know and do not know, and what you want."

    def parts(self) -> Sequence[Part]:
        """The role, in the order in which one needs it while talking."""
        scenario = self.conversation.scenario
        if scenario is None:
            return ()
        return [(f"{scenario.title}\n", HEADING), *_told(scenario.role, self.room)]


def _told(role: Role, room: int) -> Iterator[Part]:
    yield f"{role.who}\n", ""
    yield from _list("You want", role.wants, room)
    yield from _list("You know", role.knows, room)
    yield from _list("You do not know", role.does_not_know, room)
    if role.manner:
        yield "\nHow you talk\n", "bold"
        yield f"{role.manner}\n", MUTED


def _list(heading: str, entries: tuple[str, ...], room: int) -> Iterator[Part]:
    if entries:
        yield f"\n{heading}\n", "bold"
        for entry in entries:
            yield "• ", "$primary"
            yield f"{hanging(entry, room, indent=2)}\n", ""
