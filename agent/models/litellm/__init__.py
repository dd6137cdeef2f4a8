"""Models reached over the network through litellm.

``model`` is the way in, ``setup`` imports litellm, ``transport`` and ``line`` restrict what it
sends and receives, ``stream`` reads its answers, and ``faults`` explains its exceptions.
"""

from __future__ import annotations
