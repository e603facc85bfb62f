"""Runs the tests of aiokafka and kafka-python on generated classes, through the adapters in docs/adapters.

``python -m tests.adapters.own_tests aiokafka CHECKOUT`` needs a checkout,
because neither library's distributions contain the tests. It also needs the packages that the tests import:
for aiokafka, cramjam, docker, pytest-asyncio and pytest-mock.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from messagegen.config import Settings
from messagegen.generation.package import build_package
from tests.adapters.aiokafka_classes import replace_classes

_ROOT: Final = Path(__file__).resolve().parents[2]
_RELEASES: Final = "kafka:2.4..4.4"
PACKAGE: Final = "kafka_merged"

EXPECTED_FAILURES: Final = {
    # In aiokafka, the classes of two versions are equal if they share a schema. Generated classes always differ.
    "aiokafka": ("aiokafka_tests/test_requests.py::test_api_request_prepare[ProduceRequest-(0, 2)-ProduceRequest_v0]",),
    "kafka-python": (),
}
_ADAPTING: Final = f"""\
import importlib, pkgutil
import kafka.protocol, {PACKAGE}
from kafka.protocol.api_message import ApiMessage
from docs.adapters.kafka_python_codecs import adapt

for module in pkgutil.walk_packages(kafka.protocol.__path__, "kafka.protocol."):
    if ".old" not in module.name and not module.name.endswith("generate_stubs"):
        importlib.import_module(module.name)
for cls in ApiMessage.__subclasses__():
    if hasattr({PACKAGE}, cls.__name__):
        adapt(cls, getattr({PACKAGE}, cls.__name__))
"""


def run_aiokafka(checkout: Path, folder: Path) -> int:
    """Run the unit tests of an aiokafka checkout against a copy of the installed aiokafka with replaced classes."""
    spec = find_spec("aiokafka")
    assert spec is not None
    assert spec.origin is not None
    shutil.copytree(Path(spec.origin).parent, folder / "aiokafka")
    assert replace_classes(folder / "aiokafka" / "protocol", PACKAGE) > 0
    # The copy is not named `tests`, because the adapter's tables are in a package of that name.
    shutil.copytree(checkout / "tests", folder / "aiokafka_tests")
    shutil.copy(checkout / "pyproject.toml", folder)
    return _pytest(folder, ["aiokafka_tests"], EXPECTED_FAILURES["aiokafka"])


def run_kafka_python(checkout: Path, folder: Path) -> int:
    """Run the protocol tests of a kafka-python checkout against the checkout's own code."""
    for name in ("kafka", "test"):
        shutil.copytree(checkout / name, folder / name)
    (folder / "adapting.py").write_text(_ADAPTING, encoding="utf-8")
    return _pytest(folder, ["test/protocol", "-p", "adapting"], EXPECTED_FAILURES["kafka-python"])


def _pytest(folder: Path, arguments: list[str], expected_failures: tuple[str, ...]) -> int:
    """Write a package of all Kafka messages to a folder, and run pytest there. Return its exit code."""
    for name, text in build_package(Settings((Path(_RELEASES),))).files.items():
        file = folder / PACKAGE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    options = [
        "-q",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore",
        "-o",
        "addopts=",
        "-o",
        "filterwarnings=",
    ]
    for test in expected_failures:
        options += ["--deselect", test]
    path = os.pathsep.join([str(folder), str(_ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", *arguments, *options]
    return subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=False).returncode


RUNS: Final = {"aiokafka": run_aiokafka, "kafka-python": run_kafka_python}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        sys.exit(RUNS[sys.argv[1]](Path(sys.argv[2]).resolve(), Path(made)))
