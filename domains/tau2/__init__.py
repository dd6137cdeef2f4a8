"""τ²-bench's data: its records and tasks, and the acceptable ends of the tasks.

``data`` finds its files and computes its hash; ``tasks`` reads tasks as scenarios, with ``roles``
for the texts, ``editions`` for the edition they come from and ``acceptable_ends`` for ends beyond
the published ones; ``wording`` asks the installed package for its prompt.
"""

from __future__ import annotations
