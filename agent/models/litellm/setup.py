"""Importing litellm so that it neither calls out, prints, nor reads a ``.env`` that lies about."""

from __future__ import annotations

import contextlib
import functools
import importlib
import logging
import os
import threading
import warnings
from typing import Any

_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else the price list is downloaded at import
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",  # else a list of headers is, later
    "LITELLM_MODE": "PRODUCTION",  # else a .env in the working folder is loaded
    "HF_HUB_OFFLINE": "1",  # else counting tokens waits for a tokenizer's download
}
_OTHER_LINES = ("LITELLM_HTTP2", "DISABLE_AIOHTTP_TRANSPORT")
"""What would have litellm take transports of another kind, past the rules of the line."""

_PUT_OFF = (
    "openai.resources",
    "litellm.proxy._types",
    "litellm.litellm_core_utils.default_encoding",
    "anyio._backends._asyncio",
)
"""What the first request would import, and hold up the screen for."""

_LOGGERS = ("litellm", "LiteLLM", "LiteLLM Proxy", "LiteLLM Router")


@functools.cache
def import_litellm() -> Any:
    """The litellm module, quiet and offline but for the calls it is asked to make (seconds)."""
    os.environ.update(_ENVIRONMENT)
    for name in _OTHER_LINES:
        os.environ.pop(name, None)
    import litellm

    from agent.models.litellm.transport import guard

    for name in _PUT_OFF:
        with contextlib.suppress(ImportError):  # not every version has every one
            importlib.import_module(name)
    litellm.get_supported_openai_params("gpt-4o", custom_llm_provider="openai")
    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    litellm.telemetry = False
    # A request without tools whose history has calls, or that begins with the agent's greeting,
    # is refused by some providers unless litellm may fit it to their rules.
    litellm.modify_params = True
    litellm.disable_aiohttp_transport = False
    guard(_transports())
    _silence()
    return litellm


def _transports() -> Any:
    """The class that every provider's transport is made by."""
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    return AsyncHTTPHandler


def warm() -> threading.Thread:
    """Import litellm in a thread, to be called once the first frame is on the screen."""
    thread = threading.Thread(target=_import_or_leave_it, name="import-litellm", daemon=True)
    thread.start()
    return thread


def _import_or_leave_it() -> None:
    """Import ahead of need; a failure is told when a model is asked, where it has a sentence."""
    try:
        import_litellm()
    except Exception as error:
        logging.getLogger(__name__).warning("litellm cannot be imported yet: %s", error)


def _silence() -> None:
    """Take litellm's handlers off the terminal, where a screen may be drawn."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
        logger.setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
    # Of a request that is stopped before litellm got round to sending it.
    warnings.filterwarnings("ignore", message=r"coroutine 'OpenAI\w+\.async_streaming' was never")
