"""What every domain is built from.

``tool`` and ``call`` define tools and their calls; ``records``, ``draft`` and ``changes`` hold the
data, try calls on it and compare states; ``consent`` is what a write needs; ``facts`` and
``effects`` describe what a change does; ``evidence`` and ``protocol`` are the guards; ``domain``
puts all of it together.
"""

from __future__ import annotations
