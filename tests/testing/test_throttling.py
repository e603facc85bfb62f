"""Each client reads a rule's throttle time; docs/testing.md contains the test with librdkafka."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import kafka  # type: ignore[import-untyped]
import pytest

from messagegen_kafka import FetchRequest, ProduceRequest
from messagegen_testing import scripted_broker
from tests.oracle.jars import compiled_classes, java_command

_QUIET: Final = ("-Dorg.slf4j.simpleLogger.defaultLogLevel=error",)
_SOURCE: Final = Path(__file__).parent / "java" / "Throttled.java"
_SECONDS: Final = 120


@pytest.mark.slow
@pytest.mark.java
def test_java_clients_report_throttle_times_in_metrics() -> None:
    classes = [compiled_classes("throttled", [_SOURCE])]
    with scripted_broker({"orders": 1}) as broker:
        broker.when(ProduceRequest).throttle(70)
        broker.when(ProduceRequest).error("NONE")
        broker.when(FetchRequest).throttle(90)
        broker.when(FetchRequest).error("NONE")
        command = java_command("Throttled", broker.bootstrap, "orders", classes=classes, options=_QUIET)
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=_SECONDS)
    assert [float(line) for line in done.stdout.split()] == [70, 90]


def test_kafka_python_logs_throttle_times(caplog: pytest.LogCaptureFixture) -> None:
    with scripted_broker({"orders": 1}) as broker:
        broker.when(ProduceRequest).throttle(70)
        broker.when(ProduceRequest).error("NONE")
        producer = kafka.KafkaProducer(bootstrap_servers=broker.bootstrap)
        producer.send("orders", b"one", partition=0).get(60)
        producer.close()
    assert "throttled by broker (70 ms)" in caplog.text
