"""What a run takes from the record of an earlier one is what it would have generated."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import messagegen
from messagegen import outputs
from messagegen.generation import identity, package
from messagegen.generation.identity import generator_identity
from messagegen.generation.package import Package, Style, build_package
from messagegen.generation.record import Record
from messagegen.publish import check, publish


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder with three specs, their output, and the records of runs."""

    folder: Path

    @property
    def specs(self) -> Path:
        return self.folder / "specs"

    @property
    def output(self) -> Path:
        return self.folder / "messages"

    @property
    def record(self) -> Record:
        return Record(self.folder / "cache", self.output)

    @property
    def record_file(self) -> Path:
        (file,) = (self.folder / "cache").iterdir()
        return file

    def spec(self, name: str, kind: str, **properties: object) -> None:
        base = {"type": kind, "name": name, "validVersions": "0-2", "flexibleVersions": "none", "fields": []}
        self.specs.mkdir(exist_ok=True)
        (self.specs / f"{name}.json").write_text(json.dumps({**base, **properties}), encoding="utf-8")

    def build(self, **settings: Any) -> Package:
        return build_package([self.specs], record=self.record, jobs=1, **settings)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.spec("PingRequest", "request", apiKey=1)
    made.spec("PingResponse", "response", apiKey=1)
    # Its unused struct gives a warning.
    made.spec("Alone", "data", commonStructs=[{"name": "Unused", "versions": "0+", "fields": []}])
    publish(made.build().files, made.output)
    return made


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of files that are rendered from plans."""
    paths: list[str] = []
    ordinary = outputs.files

    def files(*arguments: Any) -> Iterator[Any]:
        for output, made in ordinary(*arguments):
            yield output, {path: _watched(path, file, paths) for path, file in made.items()}

    monkeypatch.setattr(outputs, "files", files)
    return paths


def _watched(path: str, file: Any, paths: list[str]) -> Any:
    def render() -> str:
        paths.append(path)
        text: str = file.render()
        return text

    return outputs.File(render, file.plans, file.copied, file.licence, file.signed) if file.plans else file


def test_nothing_is_rendered_where_nothing_changed(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = build_package([repository.specs], jobs=1)
    monkeypatch.setattr(package, "_render", None)
    again = repository.build()
    assert again == plain
    assert [warning.rule for warning in again.warnings] == ["STRUCT_USED"]


def test_a_changed_message_and_its_partner_are_rendered(repository: Repository, rendered: list[str]) -> None:
    repository.spec("PingResponse", "response", apiKey=1, about="Changed.")
    files = repository.build().files
    assert rendered == ["ping_request.py", "ping_response.py"]
    assert files == build_package([repository.specs], jobs=1).files


def edit(repository: Repository) -> None:
    file = repository.output / "alone.py"
    file.write_text(file.read_text(encoding="utf-8").replace("data message", "date message"), encoding="utf-8")


def truncate(repository: Repository) -> None:
    file = repository.output / "ping_request.py"
    file.write_bytes(file.read_bytes()[:1000])


def delete(repository: Repository) -> None:
    (repository.output / "_runtime" / "errors.py").unlink()


def link(repository: Repository) -> None:
    file = repository.output / "alone.py"
    file.rename(repository.folder / "elsewhere.py")
    file.symlink_to(repository.folder / "elsewhere.py")


def add_spec(repository: Repository) -> None:
    repository.spec("Another", "data")


def remove_spec(repository: Repository) -> None:
    (repository.specs / "Alone.json").unlink()


def change_spec(repository: Repository) -> None:
    repository.spec("Alone", "data", about="Changed.")


def add_module(repository: Repository) -> None:
    shutil.copy(repository.output / "alone.py", repository.output / "copy.py")


def keep(_: Repository) -> None:
    """Changes nothing."""


@pytest.mark.parametrize(
    ("change", "drifts"),
    [
        *((one, True) for one in (edit, truncate, delete, link, add_spec, remove_spec, change_spec)),
        (add_module, False),
        (keep, False),
    ],
)
def test_a_check_finds_what_it_finds_without_a_record(
    repository: Repository, change: Callable[[Repository], None], drifts: bool
) -> None:
    change(repository)
    for _ in range(2):
        found = check(repository.build().files, repository.output)
        assert found == check(build_package([repository.specs], jobs=1).files, repository.output)
        assert found.up_to_date is not drifts
    publish(repository.build().files, repository.output)
    assert check(build_package([repository.specs], jobs=1).files, repository.output).up_to_date


@pytest.mark.parametrize(
    "settings",
    [
        {"style": Style(licence="MIT")},
        {"style": Style(line_length=70)},
        {"versions": {"Alone": "1"}},
        {"messages": ["Alone"]},
        {"include": ["python", "strategies"]},
        {"include": ["strategies"], "options": {"strategies": {"package": "other"}}},
    ],
    ids=" ".join,
)
def test_changed_settings_count(repository: Repository, settings: dict[str, Any]) -> None:
    expected = build_package([repository.specs], jobs=1, **settings).files
    assert repository.build(**settings).files == expected
    publish(expected, repository.output)
    assert repository.build(**settings).files == expected


def test_changed_error_codes_count(repository: Repository) -> None:
    file = repository.folder / "errors.json"
    for name in ("LATE", "TOO_LATE"):
        file.write_text(
            json.dumps({"errors": [{"code": 0, "name": "NONE"}, {"code": 9, "name": name}]}), encoding="utf-8"
        )
        files = repository.build(error_codes=file).files
        publish(files, repository.output)
        assert f"{name} = 9" in files["error_codes.py"]


def test_another_generator_takes_nothing(
    repository: Repository, rendered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.build()
    assert rendered == []
    monkeypatch.setattr(package, "generator_identity", lambda: "another")
    repository.build()
    assert rendered == ["alone.py", "ping_request.py", "ping_response.py"]


class TestIdentity:
    @pytest.fixture
    def installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        for name in ("code/__pycache__", "templates", "site"):
            (tmp_path / name).mkdir(parents=True)
        for name in ("code/__init__.py", "templates/module.j2"):
            (tmp_path / name).write_text("one\n", encoding="utf-8")
        monkeypatch.setattr(messagegen, "__file__", str(tmp_path / "code" / "__init__.py"))
        monkeypatch.setattr(identity, "template_folder", lambda: tmp_path / "templates")
        monkeypatch.syspath_prepend(tmp_path / "site")
        return tmp_path

    @pytest.mark.parametrize("path", ["code/__init__.py", "code/new.py", "templates/module.j2", "site/x-1.dist-info"])
    def test_counts_code_templates_and_installed_distributions(self, installed: Path, path: str) -> None:
        before = generator_identity()
        assert generator_identity() == before
        (installed / path).write_text("two\n", encoding="utf-8")
        assert generator_identity() != before

    def test_does_not_count_compiled_code(self, installed: Path) -> None:
        before = generator_identity()
        (installed / "code" / "__pycache__" / "x.pyc").write_bytes(b"two")
        assert generator_identity() == before

    def test_is_unknown_outside_of_folders(self, installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(messagegen, "__file__", str(installed / "code.zip" / "__init__.py"))
        assert generator_identity() is None


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"{", b"\xff", b'{"format": 0}', b'{"format": 1}', b"[" * 5000),
        b'{"format": 1, "inputs": "", "message_count": "x", "warnings": [], "files": {}}',
        b'{"format": 1, "inputs": "", "message_count": 1, "warnings": [{"x": 1}], "files": {}}',
        b'{"format": 1, "inputs": "", "message_count": 1, "warnings": [], "files": {"alone.py": 1}}',
    ],
)
def test_a_damaged_record_is_as_good_as_none(repository: Repository, content: bytes) -> None:
    expected = repository.record_file.read_bytes()
    repository.record_file.write_bytes(content)
    assert repository.build().files == build_package([repository.specs], jobs=1).files
    assert repository.record_file.read_bytes() == expected


def test_a_record_that_cannot_be_written_stops_nothing(repository: Repository) -> None:
    shutil.rmtree(repository.folder / "cache")
    (repository.folder / "cache").write_text("")
    assert repository.build().files == build_package([repository.specs], jobs=1).files


def test_outputs_have_their_own_records_and_the_oldest_are_forgotten(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("messagegen.generation.record._KEPT", 2)
    first = repository.record_file
    for name in ("second", "third"):
        record = Record(repository.folder / "cache", repository.folder / name)
        build_package([repository.specs], jobs=1, record=record)
    kept = set((repository.folder / "cache").iterdir())
    assert len(kept) == 2
    assert first not in kept
