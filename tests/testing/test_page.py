"""The files on the page about faults run, and its tables are complete."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path
from typing import Final

import pytest

from messagegen_testing import KafkaFaults, Rule
from tests.broker.cluster import Cluster
from tests.oracle.jars import compiled_classes, kafka_jars
from tests.testing.support.page import PAGE, run_file, write_files

_JARS: Final = ("kafka-clients-*.jar", "slf4j-*.jar")
"""The jars for Java's client, which starts more slowly with all of Kafka's jars."""

_QUICK_START: Final = "-XX:TieredStopAtLevel=1 -Xshare:auto"


_FIRST_COLUMN: Final = re.compile(r"^\|([^|]*)\|", re.MULTILINE)
_NAME: Final = re.compile(r"(?:`|, )(\w+)[=(]")

_FAULTS: Final = 20
"""The number of tests on the page: four clients with five faults."""


def names(table: str) -> set[str]:
    """Return the names in the first column of the page's table whose first column has this heading."""
    _, _, text = PAGE.read_text(encoding="utf-8").partition(f"\n| {table} |")
    rows, _, _ = text.partition("\n\n")
    return {name for cell in _FIRST_COLUMN.findall(rows) for name in _NAME.findall(cell)}


def test_the_page_lists_all_faults() -> None:
    methods = {name: method for name, method in vars(Rule).items() if not name.startswith("_") and callable(method)}
    faults = {name for name, method in methods.items() if inspect.signature(method).return_annotation == "Self"}
    assert names("method") == faults


def test_the_page_lists_all_selectors() -> None:
    assert names("selector") == inspect.signature(KafkaFaults.when).parameters.keys() - {"self", "event_class"}


@pytest.mark.slow
def test_the_examples_with_scripted_brokers_need_no_kafka(tmp_path: Path) -> None:
    assert run_file("test_orders.py", tmp_path).passed == 1
    assert run_file("test_without_kafka.py", tmp_path).passed == 7


@pytest.mark.slow
def test_clients_connect_with_tls(tmp_path: Path) -> None:
    assert run_file("test_tls.py", tmp_path).passed == 1


def test_answers_are_edited(tmp_path: Path, broker: Cluster) -> None:
    assert run_file("test_edits.py", tmp_path, broker=broker.bootstrap()).passed == 3


def _java(folder: Path) -> dict[str, str]:
    """Return the environment variables of the page's Java client."""
    classes = compiled_classes("round-trip", [folder / "RoundTrip.java"])
    jars = [jar for pattern in _JARS for jar in sorted(kafka_jars().glob(pattern))]
    return {"CLASSPATH": os.pathsep.join(map(str, [classes, *jars])), "JAVA_TOOL_OPTIONS": _QUICK_START}


@pytest.mark.slow
def test_the_fault_tests_on_the_page_pass(tmp_path: Path, broker: Cluster) -> None:
    write_files(tmp_path)
    outcome = run_file("test_faults.py", tmp_path, broker=broker.bootstrap(), variables=_java(tmp_path))
    assert outcome.passed == _FAULTS


@pytest.mark.slow
def test_the_fault_tests_on_the_page_fail_without_faults(tmp_path: Path, broker: Cluster) -> None:
    """The page's tests check that a client noticed its fault: they fail if rules are never applied."""
    write_files(tmp_path)
    text = (tmp_path / "test_faults.py").read_text(encoding="utf-8")
    disabled = text.replace("times=1)", "after=10_000)")
    assert disabled != text
    outcome = run_file("test_faults.py", tmp_path, text=disabled, broker=broker.bootstrap(), variables=_java(tmp_path))
    assert f"{_FAULTS} failed" in outcome.printed
