"""Imports litellm so that it does not call out, print, or read a stray ``.env`` file."""

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
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",  # else a list of headers is downloaded later
    "LITELLM_MODE": "PRODUCTION",  # else a .env in the working folder is loaded
    "HF_HUB_OFFLINE": "1",  # else counting tokens waits for a tokenizer's download
}
_OTHER_LINES = ("LITELLM_HTTP2", "DISABLE_AIOHTTP_TRANSPORT")
"""Variables that would make litellm use other transports, which bypass the rules of the line."""

_PUT_OFF = (
    "openai.resources",
    "litellm.proxy._types",
    "litellm.litellm_core_utils.default_encoding",
    "anyio._backends._asyncio",
)
"""Modules that the first request would import otherwise, freezing the screen meanwhile."""

_LOGGERS = ("litellm", "LiteLLM", "LiteLLM Proxy", "LiteLLM Router")


@functools.cache
def import_litellm() -> Any:
    """The litellm module, silenced and offline except for requested calls (takes seconds)."""
    os.environ.update(_ENVIRONMENT)
    for name in _OTHER_LINES:
        os.environ.pop(name, None)
    import litellm

    from agent.models.litellm.guarded_transport import guard

    for name in _PUT_OFF:
        with contextlib.suppress(ImportError):  # not every version has every one
            importlib.import_module(name)
    litellm.get_supported_openai_params("gpt-4o", custom_llm_provider="openai")
    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    litellm.telemetry = False
    # Some providers reject a request that has calls in its history but no tools, or that begins
    # with the agent's greeting, unless litellm may adapt it to their rules.
    litellm.modify_params = True
    litellm.disable_aiohttp_transport = False
    guard(_transports())
    _silence()
    return litellm


def _transports() -> Any:
    """The class that creates every provider's transport."""
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    return AsyncHTTPHandler


def warm() -> threading.Thread:
    """Import litellm in a background thread; call this once the first frame is on the screen."""
    thread = threading.Thread(target=_import_or_leave_it, name="import-litellm", daemon=True)
    thread.start()
    return thread


def _import_or_leave_it() -> None:
    """Import litellm early; log a failure, which is reported properly when a model is asked."""
    try:
        import_litellm()
    except Exception as error:
        logging.getLogger(__name__).warning("litellm cannot be imported yet: %s", error)


def _silence() -> None:
    """Remove litellm's handlers, which would write over the screen."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
        logger.setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
    # Raised by a request that is stopped before litellm has sent it.
    warnings.filterwarnings("ignore", message=r"coroutine 'OpenAI\w+\.async_streaming' was never")
