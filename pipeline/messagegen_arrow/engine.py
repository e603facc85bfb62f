"""The native engine, which creates all columns."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType

from messagegen_arrow.wheels import how_to_install
from messagegen_kafka._runtime import PLAN_FORMAT


class EngineError(ImportError):
    """Raised when columns are first used, if ``messagegen-native`` is missing or has a different version."""


@cache
def native_engine() -> ModuleType:
    """Return the module ``messagegen_native``. Raises ``EngineError``."""
    try:
        module = import_module("messagegen_native")
    except ModuleNotFoundError:
        raise _error("is not installed") from None
    except ImportError as error:
        raise _error(f"cannot be loaded ({error})") from None
    if module.PLAN_FORMAT != PLAN_FORMAT or not hasattr(module, "record_groups"):
        raise _error("has a different version from messagegen-pipeline")
    return module


def _error(reason: str) -> EngineError:
    return EngineError(f"messagegen-native {reason}: {how_to_install('messagegen-native')}")
