"""Faults between Kafka clients and brokers, for tests.

``kafka_faults`` is a proxy in front of a broker, ``scripted_broker`` a broker whose answers a test defines. Both are
context managers, and pytest fixtures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from messagegen_testing.problems import UnansweredRequestError as UnansweredRequestError
    from messagegen_testing.problems import UnreadableRequestWarning as UnreadableRequestWarning
    from messagegen_testing.problems import UnusedRuleError as UnusedRuleError
    from messagegen_testing.proxy import KafkaFaults as KafkaFaults
    from messagegen_testing.proxy import kafka_faults as kafka_faults
    from messagegen_testing.rules import Rule as Rule
    from messagegen_testing.scripted import ScriptedBroker as ScriptedBroker
    from messagegen_testing.scripted import scripted_broker as scripted_broker
    from messagegen_testing.seen import Connection as Connection
    from messagegen_testing.seen import SeenRequest as SeenRequest

_MODULES: Final = {
    "Connection": "seen",
    "KafkaFaults": "proxy",
    "Rule": "rules",
    "ScriptedBroker": "scripted",
    "SeenRequest": "seen",
    "UnansweredRequestError": "problems",
    "UnreadableRequestWarning": "problems",
    "UnusedRuleError": "problems",
    "kafka_faults": "proxy",
    "scripted_broker": "scripted",
}
"""The module of each name, imported on first use. pytest loads the plugin in every run, so it must import little."""


def __getattr__(name: str) -> Any:
    if name == "__all__":
        # `from messagegen_testing import *` reads it.
        return sorted(_MODULES)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"messagegen_testing.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]
