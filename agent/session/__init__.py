"""One conversation: starting, resuming, forking, limiting, re-asking and replaying it.

``conversation`` is what a screen or a script drives, and ``turn_context`` is what the loop works
with during a turn.
"""

from __future__ import annotations
