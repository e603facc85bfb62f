"""The native engine, where it is installed and for this form of plans."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Literal

from messagegen_kafka._runtime import PLAN_FORMAT


@cache
def native_engine() -> ModuleType | None:
    """``messagegen_native``, or ``None`` where Python has to do its work, slowly and with the same result.

    ``MESSAGEGEN_PURE`` in the environment (not empty) keeps the engine out, as it does for generated classes. It is read when a
    process first asks.
    """
    if os.environ.get("MESSAGEGEN_PURE"):
        return None
    try:
        module = import_module("messagegen_native")
    except ImportError:
        return None
    fits = module.PLAN_FORMAT == PLAN_FORMAT and hasattr(module, "ColumnDecoder")
    return module if fits else None


def engine_name() -> Literal["native", "python"]:
    """Which of both decodes in this process; for logs and reports."""
    return "python" if native_engine() is None else "native"
