"""The native engine, if it is installed and supports this plan format."""

from __future__ import annotations

import os
import warnings
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Literal

from messagegen_kafka._runtime import PLAN_FORMAT


@cache
def native_engine() -> ModuleType | None:
    """``messagegen_native``, or ``None`` if Python does its work, more slowly and with the same result.

    A non-empty ``MESSAGEGEN_PURE`` in the environment disables the engine, as for generated classes. It is read once per process. Warns
    with a ``RuntimeWarning`` if an engine is installed but cannot be used.
    """
    if os.environ.get("MESSAGEGEN_PURE"):
        return None
    try:
        module = import_module("messagegen_native")
    except ModuleNotFoundError:
        return None
    except ImportError as error:
        _warn(f"cannot be loaded ({error})")
        return None
    if module.PLAN_FORMAT != PLAN_FORMAT:
        _warn(f"has plan format {module.PLAN_FORMAT}, and format {PLAN_FORMAT} is needed")
        return None
    if not hasattr(module, "record_groups"):
        _warn("is too old: it has no record_groups")
        return None
    return module


def _warn(reason: str) -> None:
    advice = "install the version of messagegen-native that messagegen-pipeline has"
    warnings.warn(
        f"messagegen-native {reason}; {advice}. Until then, columns are made in Python", RuntimeWarning, stacklevel=3
    )


def engine_name() -> Literal["native", "python"]:
    """The engine that decodes in this process; for logs and reports."""
    return "python" if native_engine() is None else "native"
