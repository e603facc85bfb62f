"""Generating a package from spec files, in memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from messagegen import outputs
from messagegen.config import ConfigError
from messagegen.emit import module_text
from messagegen.findings import SpecError, UsageError
from messagegen.generation.choosing import Choice
from messagegen.generation.files import spec_files
from messagegen.generation.package import SPEC_LICENCE
from messagegen.generation.sources import read_sources
from messagegen.outputs.python import INDEX, RUNTIME_LICENCE
from messagegen.outputs.python.runtime import default_parts, needed_modules, runtime_files
from messagegen.publish.header import headed
from messagegen.publish.output import publish
from tests.support.specs import PURPOSE_MADE, build, plans, read_specs


def write(folder: Path, name: str, **properties: object) -> Path:
    """Write a spec file, create its folders, and return its path."""
    spec = {
        "type": "data",
        "name": name,
        "validVersions": "0-2",
        "flexibleVersions": "none",
        "fields": [],
        **properties,
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


class TestSpecFiles:
    def test_spec_files_are_found_in_folders_of_any_depth_and_by_name(self, tmp_path: Path) -> None:
        deep, plain, named = (
            write(tmp_path / "a" / "b", "Deep"),
            write(tmp_path / "a", "Plain"),
            write(tmp_path / "z", "Named"),
        )
        (tmp_path / "a" / "notes.txt").write_text("no spec")
        assert spec_files([tmp_path / "a", named, plain]) == sorted([deep, plain, named])

    def test_the_manifest_of_an_output_is_not_a_spec(self, tmp_path: Path) -> None:
        publish({"py.typed": ""}, tmp_path / "package")
        inside = write(tmp_path / "package", "Inside")
        assert spec_files([tmp_path]) == [inside]


class TestReadSpecs:

    def test_warnings_are_only_about_chosen_messages(self, tmp_path: Path) -> None:
        write(tmp_path, "One", commonStructs=[{"name": "Unused", "versions": "0+", "fields": []}])
        write(tmp_path, "Two")
        for names, rules in (([], ["STRUCT_USED"]), (["One"], ["STRUCT_USED"]), (["Two"], [])):
            found = read_sources([tmp_path], choice=Choice(names)).warnings
            assert [warning.rule for warning in found] == rules

    @pytest.mark.parametrize(
        ("messages", "versions", "reason"),
        [
            (["Absent"], {}, "unknown message Absent"),
            ([], {"Absent": "0"}, "unknown message Absent"),
            (["Taggd"], {}, "unknown message Taggd; did you mean Tagged?"),
            (["Xyzzy"], {}, "unknown message Xyzzy$"),
            ([], {"Tagged": "x"}, 'versions of Tagged: invalid version range "x"; write'),
            ([], {"Tagged": "7+"}, r"Tagged has versions 0-2, not all of 7\+"),
            ([], {"Tagged": "1-9"}, "Tagged has versions 0-2, not all of 1-9"),
        ],
    )
    def test_choices_that_match_nothing_are_errors(
        self, messages: list[str], versions: dict[str, str], reason: str
    ) -> None:
        with pytest.raises(UsageError, match=reason):
            read_specs([PURPOSE_MADE], messages=messages, versions=versions)

    def test_one_error_contains_the_findings_of_all_files(self, tmp_path: Path) -> None:
        write(tmp_path, "One", validVersions="0+")
        write(tmp_path, "Two", fields=[{"name": "X", "type": "int31", "versions": "0+"}])
        with pytest.raises(SpecError) as caught:
            read_specs([tmp_path])
        assert [Path(finding.file).name for finding in caught.value.findings] == ["One.json", "Two.json"]


class TestBuildPackage:
    @pytest.mark.parametrize("path", ["made.py", "made.csv"])
    def test_a_folder_that_cannot_be_imported_is_refused_before_rendering(
        self, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rendered: list[str] = []

        def render() -> str:
            rendered.append(path)
            return ""

        monkeypatch.setattr(outputs, "files", lambda *_: {path: outputs.File(render)})
        if path.endswith(".py"):
            with pytest.raises(ConfigError, match=r'"t-csv".*must be an identifier'):
                build(PURPOSE_MADE, output=tmp_path / "t-csv")
            assert rendered == []
        else:
            build(PURPOSE_MADE, output=tmp_path / "t-csv")
            assert rendered == [path]

    def test_packages_contain_a_module_for_each_message_and_the_runtime(self) -> None:
        built = build(PURPOSE_MADE, messages=["Entities", "TypeMaps"])
        assert built.message_count == 2
        made = [plans(PURPOSE_MADE)[name] for name in ("Entities", "TypeMaps")]
        assert set(built.files) == {
            "__init__.py",
            "py.typed",
            "entities.py",
            "type_maps.py",
            *runtime_files(needed_modules(made, default_parts(made))),
        }
        text = module_text(plans(PURPOSE_MADE)["Entities"])
        assert built.files["entities.py"] == headed("entities.py", text, SPEC_LICENCE)

    def test_each_file_has_a_header_with_its_licence(self) -> None:
        files = build(PURPOSE_MADE, messages=["Entities"], licence="MIT OR 0BSD").files
        heads = {path: text.partition("\n\n")[0].splitlines() for path, text in files.items() if text}
        assert set(files) - set(heads) == {"py.typed"}
        for path, head in heads.items():
            licence = RUNTIME_LICENCE if path.startswith("_runtime/") else "MIT OR 0BSD"
            assert head[0].startswith("# @generated by messagegen; do not edit")
            assert head[1] == f"# SPDX-License-Identifier: {licence}"
            assert head[-2:] == ["# ruff: noqa", "# fmt: off"]
            assert len(head) == (4 if path == INDEX else 5)

    def test_packages_contain_error_codes_if_a_file_is_configured(self, tmp_path: Path) -> None:
        file = tmp_path / "errors.json"
        file.write_text('{ "errors": [{ "code": 0, "name": "NONE" }] }', encoding="utf-8")
        plain = build(PURPOSE_MADE, messages=["Entities"])
        built = build(PURPOSE_MADE, messages=["Entities"], error_codes=file)
        assert built.message_count == 1
        assert set(built.files) - set(plain.files) == {"error_codes.py"}
        assert {path for path in plain.files if plain.files[path] != built.files[path]} == {"__init__.py"}
