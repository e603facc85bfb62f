"""The quickstart's proxy in front of two brokers, which several modules share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.e2e.proxy.setting import Proxied, proxied
from tests.oracle import KAFKA_RELEASE


@pytest.fixture(scope="session")
def kafka_messages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """Kafka's own messages, generated as in ``docs/quickstart/proxy.md``."""
    folder = tmp_path_factory.mktemp("packages")
    arguments = ["generate", "--specs", f"kafka:{KAFKA_RELEASE}", "--output", "kafka_messages"]
    subprocess.run([sys.executable, "-m", "messagegen.cli", *arguments], cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    yield import_module("kafka_messages")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "kafka_messages"]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def proxy(tmp_path_factory: pytest.TempPathFactory, kafka_messages: ModuleType) -> Iterator[Proxied]:
    """The running proxy. At the end, check that no client has bypassed it."""
    packages = Path(str(kafka_messages.__file__)).parents[1]
    with proxied(tmp_path_factory.mktemp("cluster"), kafka_messages, packages) as running:
        yield running
        assert running.connections_past_it() == 0
