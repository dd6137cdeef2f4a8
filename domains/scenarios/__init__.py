"""Our own scenario files: reading and searching them.

``files`` reads a file of scenarios, ``gaps`` a file of policy gaps and the scenarios about them,
and ``fields`` checks single values. ``search`` finds scenarios by words, whatever their source.
"""

from __future__ import annotations
