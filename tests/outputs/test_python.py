"""A generated package contains the runtime modules that its messages and settings need."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen.findings import UsageError
from messagegen.outputs import Inputs
from messagegen.outputs.python import PARTS, PYTHON
from messagegen.outputs.python.runtime import EVERY_MODULE, SharedRuntime
from messagegen.plan.ops import MessagePlan
from messagegen_kafka import ControlRecord, EndTxnMarker
from tests.support.specs import OWN, PURPOSE_MADE, field, plan_of, plans

PLAIN: Final = plan_of(field("Sensor", "string"), field("Celsius", "float64"), flexibleVersions="0+")
"""The first message in README.md."""


def files(*messages: MessagePlan, **options: object) -> set[str]:
    return set(PYTHON.files(Inputs(messages), options))


def modules(*messages: MessagePlan, **options: object) -> set[str]:
    """Return the runtime modules and subpackages that a package of ``messages`` contains."""
    found = (path.split("/") for path in files(*messages, **options))
    return {parts[1].removesuffix(".py") for parts in found if parts[0] == "_runtime"}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that writes a package of the plain message with options, and imports it."""
    monkeypatch.syspath_prepend(tmp_path)

    def written(**options: object) -> Any:
        name = f"parts_{len(list(tmp_path.iterdir()))}"
        for path, file in PYTHON.files(Inputs((PLAIN,)), options).items():
            target = tmp_path / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(file.render(), encoding="utf-8")
        return importlib.import_module(name)

    yield written
    for name in [name for name in sys.modules if name.startswith("parts_")]:
        del sys.modules[name]


class TestModules:
    def test_a_plain_message_needs_only_basic_modules(self) -> None:
        always = {"__init__", "base", "errors", "fields", "plan", "structs", "walk", "wire"}
        assert modules(PLAIN) == always | PARTS["json"] | PARTS["native"]
        assert modules(PLAIN, parts=[]) == always

    def test_a_plain_message_has_few_files(self) -> None:
        python = {path for path in files(PLAIN) if path.endswith(".py")}
        assert len(python) == 12, sorted(python)

    @pytest.mark.parametrize(
        ("type_", "others", "more"),
        [
            ("uuid", {}, {"uuids"}),
            ("[]int32", {}, {"arrays"}),
            ("int32", {"encoding": "packed32"}, {"varints"}),
            ("[]Part", {"fields": [field("X", "int8")]}, {"arrays"}),
            ("records", {"nullableVersions": "0+"}, {"arrays", "records", "varints"}),
        ],
    )
    def test_types_and_encodings_of_fields_add_modules(
        self, type_: str, others: dict[str, Any], more: set[str]
    ) -> None:
        assert modules(plan_of(field("A", type_, **others))) == modules(PLAIN) | more

    def test_sensitive_fields_add_the_module_secrets(self) -> None:
        secret = plan_of(field("A", "string", sensitive=True))
        assert modules(secret, parts=[]) == modules(PLAIN, parts=[]) | {"secrets"}

    def test_requests_and_records_add_modules(self) -> None:
        own = plans(OWN)
        assert modules(own["MetadataRequest"]) >= PARTS["json"] | PARTS["frames"] | PARTS["native"]
        assert "records" not in modules(own["MetadataRequest"])
        assert "records" in modules(own["FetchResponse"])
        assert modules(own["ConfigRecord"]) >= PARTS["json"] | PARTS["native"]
        assert "frames" not in modules(own["ConfigRecord"])

    def test_the_setting_parts_selects_modules(self) -> None:
        assert modules(PLAIN, parts=["frames"]) == modules(PLAIN, parts=[]) | PARTS["frames"]
        request = plans(OWN)["MetadataRequest"]
        assert not modules(request, parts=[]) & {"json_form", "frames", "native"}
        with pytest.raises(
            UsageError, match='parts must be a list of "json", "frames", "native", "session", "rewriting", "records"'
        ):
            files(PLAIN, parts=["jsn"])

    def test_every_module_is_needed_by_some_message(self) -> None:
        source = Path(importlib.import_module("messagegen.runtime").__file__ or "").parent
        every = {path.name.removesuffix(".py") for path in source.iterdir() if path.name != "__pycache__"}
        secret = plan_of(field("A", "string", sensitive=True))
        assert modules(secret, *plans(PURPOSE_MADE).values(), parts=list(PARTS)) == every


class TestPackages:
    def test_a_data_message_uses_an_installed_engine(self, package: Any) -> None:
        native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed")
        if "MESSAGEGEN_PURE" in os.environ:
            pytest.skip("MESSAGEGEN_PURE is set")
        assert isinstance(package().Made.CODEC.engine, native.Engine)
        assert package(parts=["json"]).Made.CODEC.engine is None

    def test_the_error_about_a_missing_part_names_the_part_to_add(self, package: Any) -> None:
        reading = package(parts=[]).Made(sensor="roof", celsius=21.5)
        assert reading.decode(reading.encode(version=0), version=0, lazy=True) == reading
        with pytest.raises(LookupError, match=r'add "json" to parts in \[tool.messagegen.options.python\]'):
            reading.to_json(version=0)

    def test_packages_can_use_the_runtime_of_an_installed_package(self, package: Any) -> None:
        runtime = SharedRuntime("messagegen.runtime", EVERY_MODULE)
        assert files(PLAIN, runtime=runtime) == {"__init__.py", "made.py", "py.typed"}
        messages = package(runtime=runtime)
        reading = messages.Made(sensor="roof")
        assert messages.Made.decode(reading.encode(version=0), version=0) == reading
        assert reading.to_json(version=0) == {"sensor": "roof", "celsius": 0.0}
        assert messages.DecodeError is importlib.import_module("messagegen.runtime.errors").DecodeError

    def test_control_records_use_messages_of_the_package_with_the_runtime(self) -> None:
        control_record = importlib.import_module("messagegen.runtime.records.control").ControlRecord
        marker = ControlRecord(type="ABORT", message=EndTxnMarker()).to_record()
        assert ControlRecord.of(marker).message == EndTxnMarker()
        assert control_record.of(marker).message is None

    def test_a_shared_runtime_has_every_module(self) -> None:
        assert modules(PLAIN, shared=True) == EVERY_MODULE

    @pytest.mark.parametrize("module", sorted(modules(*plans(OWN).values())))
    def test_a_runtime_that_lacks_a_module_is_refused(self, module: str) -> None:
        runtime = SharedRuntime("common._runtime", EVERY_MODULE - {module})
        with pytest.raises(UsageError, match=f"the runtime common._runtime lacks {module}; write shared = true"):
            files(*plans(OWN).values(), runtime=runtime)

    @pytest.mark.parametrize(
        ("options", "reason"),
        [
            ({"runtime": "a b"}, "runtime must be the folder of another output, or a package"),
            ({"shared": "yes"}, "shared must be true or false, not 'yes'"),
            ({"shared": True, "runtime": SharedRuntime("a", EVERY_MODULE)}, "cannot share one"),
        ],
    )
    def test_wrong_options_of_runtimes_are_refused(self, options: dict[str, object], reason: str) -> None:
        with pytest.raises(UsageError, match=reason):
            files(PLAIN, **options)
