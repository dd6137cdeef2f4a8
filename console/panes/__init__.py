"""The side panes: reflection, context, record, trace, policy, scenario and memory.

One module per pane. ``pane`` holds what they share, ``session_view`` is the protocol of the
session they read, and ``side`` shows one pane at a time under tabs; ``routing`` and
``verifying`` are parts of the Reflection pane.
"""

from __future__ import annotations
