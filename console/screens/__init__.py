"""The screens and modal dialogs of the app, about one module each.

``start`` comes first, ``conversation`` holds a session, and ``outcome`` and ``remember`` follow its
end. ``browser``, ``tree``, ``compare``, ``replay`` and ``review`` work on recorded sessions. The
widgets they are composed of are in ``console.widgets``.
"""

from __future__ import annotations
