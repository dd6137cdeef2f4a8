"""Asking any language model: requests, streamed answers, retries, and the ways it can fail.

``protocol`` defines what a model is to the rest of the program, ``asking`` sends requests and logs
them, ``assembly`` reads the answer, and ``litellm`` reaches the providers.
"""

from __future__ import annotations
