"""Human judgements about recorded sessions: labels, and cards decided a second time.

``desk`` hands recorded cards to a reviewer one by one, and ``labelling`` adds labels to sessions.
"""

from __future__ import annotations
