"""The reminder that the agent is given before a change (SABER, section 4.1).

``reflection`` selects what it says, ``reminding`` hands it over with the next request, and
``agent.loop`` decides when; an auxiliary model may put it into words (``agent.auxiliary``).
"""

from __future__ import annotations
