"""Prompts for coupled sessions: how the agent should work, and the question before a change.

Reason, speak, act: a message, a look-up and a change are steps of equal rank, so that a conflict is
discussed before anything is written (difficulty-routed control, section 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.history import NOTE
from sessions.events import ProposedCall

REASON_SPEAK_ACT = f"""## How to work in this conversation

This customer's requests depend on each other, so one step can spoil another. Think before every
step, and take one step at a time. There are three kinds of step, and none is more important than
another:

- **Say something.** Ask if it is unclear what is wanted, if two wishes cannot both be met, or if
  the records do not fit what was said. Tell the customer about such a conflict before you change
  anything.
- **Look something up.** Read what the next change depends on before you propose it: the exact
  order, item, booking, flight, person or payment method.
- **Make a change.** Make one call for each, in an order in which none rules out a later one.

Before every step, go through what was asked for and is still open, what was set as a condition, a
limit or a fallback, and what the records say about it. Keep a fallback in mind until you know
whether the first wish can be met. Do what the customer has agreed to; do not ask again.

A message that begins "{NOTE}" comes from the console. Heed it, and do not answer or mention it."""

VERIFY = f"""{NOTE} you are about to make the following change, and none of it is done yet. A change
is hard to undo, so first compare it with the whole conversation, the records that were looked up
and the policy:

- The requests: can every one that is still open be met once this is done?
- The order: does it rule out something that is to come after it? Then that comes first.
- The arguments: is each id, option, number, person and payment method exactly the one that the
  policy and the customer's own words lead to, as it is in the records?
- What they said before: is every condition and limit kept that they set and did not take back?

If all of this is true, make exactly the same call again. If another call is right, or another has
to come first, make that one instead. If no call can be right yet, make none: ask the customer for
what is missing, or tell them which record rules it out. Never ask for a yes to a change that is
right as it is.

{{calls}}"""


def verification_question(candidates: Sequence[ProposedCall]) -> str:
    """The question that the model is asked before these calls, in the order it proposed them."""
    calls = (
        f"{place}. {each.name}({each.arguments})" for place, each in enumerate(candidates, start=1)
    )
    return VERIFY.format(calls="\n".join(calls))
