"""How the agent of a coupled session is told to work, and what it is asked before a change.

Reason, speak, act: a message, a look-up and a change are all steps of equal right, so that a
conflict is talked about before anything is written (difficulty-routed control, section 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.history import NOTE
from sessions.events import ProposedCall

REASON_SPEAK_ACT = f"""## How to work in this conversation

What this customer wants hangs together, so that one step can spoil another. Think before every
step, and take one step at a time. A step is one of three, and none of them ranks above another:

- **Say something.** Ask where it is open what is wanted; where two wishes cannot both be had; where
  the records do not fit what was said. Such a conflict is told before anything is changed.
- **Look something up.** Read what the next change rests on before you propose it: the very order,
  item, booking, flight, person or way to pay.
- **Make a change.** One call for each, in an order in which none closes the way to a later one.

Before every step go through what was asked for and is still open, what was set as a condition, a
limit or a fallback, and what the records say to it. Keep a fallback in mind until it is known
whether the first wish can be had. What the customer has agreed to is to be done, not asked again.

A message that begins "{NOTE}" comes from the console. Heed it, and do not answer or mention it."""

VERIFY = f"""{NOTE} you are about to make the following change, and nothing of it is done yet. What
is changed is hard to take back, so hold it against the whole conversation, the records that were
looked up and the policy first:

- The requests: can every one that is still open be met once this is done?
- The order: does it close the way to something that is to come after it? Then that comes first.
- The arguments: is each id, option, number, person and way to pay the very one that the policy and
  the customer's own words lead to, as the records have it?
- What they said before: is every condition and limit kept that they set and did not take back?

Where all of it holds, make the very same call again. Where another call is right, or another has to
come first, make that one instead. Where no call can be right yet, make none: ask the customer for
what is missing, or tell them which record stands against it. Never ask for a yes to a change that
is right as it stands.

{{calls}}"""


def question(candidates: Sequence[ProposedCall]) -> str:
    """What the model is asked before these calls, in the order in which it proposed them."""
    calls = (
        f"{place}. {each.name}({each.arguments})" for place, each in enumerate(candidates, start=1)
    )
    return VERIFY.format(calls="\n".join(calls))
