"""The Policy pane: the policy that the agent must follow."""

from __future__ import annotations

from console.panes.pane import Pane
from console.widgets.plain import PlainText
from console.widgets.prose import style_markdown


class PolicyPane(Pane):
    """Shows the policy exactly as it is sent to the agent."""

    TITLE = "Policy"
    HELP = "## Policy\n\nThe rules the agent must follow, word for word as sent to the model."

    def draw(self) -> None:
        """Show the whole policy with its Markdown laid out."""
        self.query_one("#pane-text", PlainText).show(
            style_markdown(self.conversation.domain.policy, line_break=" ")
        )
