"""What a run takes from the output of an earlier one is what it would have generated."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from messagegen import outputs
from messagegen.generation import package
from messagegen.generation.package import Package
from messagegen.publish.manifest import MANIFEST
from messagegen.publish.output import check, publish
from tests.support.specs import build


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder with three specs and their output, and the paths of files that were rendered from plans."""

    folder: Path
    rendered: list[str] = field(default_factory=list)

    def spec(self, name: str, kind: str, **properties: object) -> None:
        base = {"type": kind, "name": name, "validVersions": "0-2", "flexibleVersions": "none", "fields": []}
        (self.folder / "specs").mkdir(exist_ok=True)
        (self.folder / "specs" / f"{name}.json").write_text(json.dumps({**base, **properties}), encoding="utf-8")

    def build(self, *, fresh: bool = False, **settings: Any) -> Package:
        self.rendered.clear()
        output = None if fresh else self.folder / "messages"
        return build(self.folder / "specs", output=output, **settings)

    def publish(self, **settings: Any) -> None:
        built = self.build(**settings)
        publish(built.files, self.folder / "messages", inputs=built.inputs)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path)
    made.spec("PingRequest", "request", apiKey=1)
    made.spec("PingResponse", "response", apiKey=1)
    made.spec("Alone", "data")
    made.publish()
    ordinary = outputs.files

    def files(*arguments: Any) -> dict[str, outputs.File]:
        return {path: _watched(file, made.rendered) for path, file in ordinary(*arguments).items()}

    monkeypatch.setattr(outputs, "files", files)
    return made


def _watched(file: outputs.File, rendered: list[str]) -> outputs.File:
    def render() -> str:
        rendered.append(file.plans[0])
        return file.render()

    return replace(file, render=render) if file.plans else file


def test_nothing_is_rendered_where_nothing_changed(repository: Repository) -> None:
    again = repository.build()
    assert repository.rendered == []
    fresh = repository.build(fresh=True)
    assert (again.files, again.message_count, again.warnings) == (fresh.files, fresh.message_count, fresh.warnings)


def test_warnings_are_repeated(repository: Repository) -> None:
    repository.spec("Alone", "data", commonStructs=[{"name": "Unused", "versions": "0+", "fields": []}])
    for _ in range(2):
        assert [warning.rule for warning in repository.build().warnings] == ["STRUCT_USED"]
        repository.publish()
    assert repository.rendered == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda repository: repository.spec("PingResponse", "response", apiKey=1, about="Changed."), ["Response"]),
        (lambda repository: repository.spec("Another", "data"), ["Another"]),
        (lambda repository: (repository.folder / "messages" / "alone.py").write_text("x = 1\n"), ["Alone"]),
        (lambda repository: (repository.folder / "messages" / "alone.py").unlink(), ["Alone"]),
        (lambda repository: (repository.folder / "messages" / "__init__.py").write_text("x = 1\n"), []),
        (lambda repository: (repository.folder / "messages" / "py.typed").write_text("x"), []),
        (lambda repository: (repository.folder / "messages" / "_runtime" / "wire.py").unlink(), []),
        (
            lambda repository: (repository.folder / "messages" / MANIFEST).write_text("{}"),
            ["Alone", "Request", "Response"],
        ),
    ],
)  # fmt: skip
def test_what_changed_is_rendered(
    repository: Repository, change: Callable[[Repository], object], expected: list[str]
) -> None:
    change(repository)
    built = repository.build()
    assert [name.removeprefix("Ping") for name in repository.rendered] == expected
    assert built.files == repository.build(fresh=True).files


@pytest.mark.parametrize(
    "settings",
    [
        {"licence": "MIT"},
        {"versions": {"Alone": "1"}},
        {"messages": ["Alone"]},
        {"include": ["python", "strategies"]},
    ],
    ids=" ".join,
)
def test_changed_settings_count(repository: Repository, settings: dict[str, Any]) -> None:
    for _ in range(2):
        assert repository.build(**settings).files == repository.build(fresh=True, **settings).files
        repository.publish(**settings)
        assert not check(repository.build(fresh=True, **settings).files, repository.folder / "messages").files


def test_changed_error_codes_count(repository: Repository) -> None:
    file = repository.folder / "errors.json"
    for name in ("LATE", "TOO_LATE"):
        codes = [{"code": 0, "name": "NONE"}, {"code": 9, "name": name}]
        file.write_text(json.dumps({"errors": codes}), encoding="utf-8")
        repository.publish(error_codes=file)
        assert f"{name} = 9" in (repository.folder / "messages" / "error_codes.py").read_text()


def test_another_generator_takes_nothing(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "code_digest", lambda: "another")
    repository.build()
    assert repository.rendered == ["Alone", "PingRequest", "PingResponse"]
