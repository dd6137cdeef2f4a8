"""The Policy pane: what the agent must keep to."""

from __future__ import annotations

from console.panes.pane import Pane
from console.widgets.plain import PlainText
from console.widgets.prose import style_markdown


class PolicyPane(Pane):
    """The policy as the agent is sent it."""

    TITLE = "Policy"
    HELP = "## Policy\n\nWhat the agent must keep to, word for word as it is sent to the model."

    def draw(self) -> None:
        """The whole policy, laid out."""
        self.query_one("#pane-text", PlainText).show(
            style_markdown(self.conversation.domain.policy, line_break=" ")
        )
