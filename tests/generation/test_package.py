"""From spec files to the text of a package, in memory."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from messagegen.emit import module_text
from messagegen.findings import SpecError, UsageError
from messagegen.generation.files import spec_files
from messagegen.generation.package import SPEC_LICENCE, Style, build_package
from messagegen.generation.sources import read_sources
from messagegen.outputs.formatting import format_python
from messagegen.outputs.python import INDEX, RUNTIME_LICENCE, runtime_files
from messagegen.outputs.python.runtime import default_parts
from messagegen.publish import headed, publish
from tests.support.specs import PURPOSE_MADE, plans, read_specs


def write(folder: Path, name: str, **properties: object) -> Path:
    """A spec file, made with its folders."""
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
    def test_come_from_folders_at_any_depth_and_by_name(self, tmp_path: Path) -> None:
        deep, plain, named = (
            write(tmp_path / "a" / "b", "Deep"),
            write(tmp_path / "a", "Plain"),
            write(tmp_path / "z", "Named"),
        )
        (tmp_path / "a" / "notes.txt").write_text("no spec")
        assert spec_files([tmp_path / "a", named, plain]) == sorted([deep, plain, named])

    def test_an_output_among_them_hides_none(self, tmp_path: Path) -> None:
        spec = write(tmp_path / "out", "Beside")
        publish({"py.typed": ""}, tmp_path / "out" / "package")
        inside = write(tmp_path / "out" / "package", "Inside")
        assert spec_files([tmp_path]) == [spec, inside]

    def test_a_manifest_of_something_else_is_read_as_a_spec(self, tmp_path: Path) -> None:
        write(tmp_path, "Beside")
        (tmp_path / "MANIFEST.json").write_text('{ "manifest_version": 3, "name": "an extension" }')
        with pytest.raises(SpecError, match=r"MANIFEST\.json:1:"):
            read_specs([tmp_path])


class TestReadSpecs:

    def test_only_messages_that_are_chosen_are_warned_of(self, tmp_path: Path) -> None:
        write(tmp_path, "One", commonStructs=[{"name": "Unused", "versions": "0+", "fields": []}])
        write(tmp_path, "Two")
        assert [warning.rule for warning in read_sources([tmp_path]).warnings] == ["STRUCT_USED"]
        assert [warning.rule for warning in read_sources([tmp_path], messages=["One"]).warnings] == ["STRUCT_USED"]
        assert read_sources([tmp_path], messages=["Two"]).warnings == ()

    @pytest.mark.parametrize(
        ("messages", "versions", "reason"),
        [
            (["Nobody"], {}, "unknown message Nobody"),
            ([], {"Nobody": "0"}, "unknown message Nobody"),
            (["Taggd"], {}, "unknown message Taggd; did you mean Tagged?"),
            (["entit"], {}, r"did you mean Entities\?"),
            (["Xyzzy"], {}, "unknown message Xyzzy$"),
            ([], {"Tagged": "x"}, 'versions of Tagged: invalid version range "x"; write'),
            ([], {"Tagged": "7+"}, r"Tagged has versions 0-2, none of 7\+"),
            ([], {"Tagged": "1-9"}, 'Tagged has versions 0-2, not all of 1-9; write "1-2"'),
        ],
    )
    def test_wishes_that_cannot_be_met(self, messages: list[str], versions: dict[str, str], reason: str) -> None:
        with pytest.raises(UsageError, match=reason):
            read_specs([PURPOSE_MADE], messages=messages, versions=versions)

    def test_all_findings_of_all_files_come_at_once(self, tmp_path: Path) -> None:
        write(tmp_path, "One", validVersions="0+")
        write(tmp_path, "Two", fields=[{"name": "X", "type": "int31", "versions": "0+"}])
        with pytest.raises(SpecError) as caught:
            read_specs([tmp_path])
        assert [Path(finding.file).name for finding in caught.value.findings] == ["One.json", "Two.json"]


class TestBuildPackage:
    def test_gives_a_module_a_message_the_package_and_its_runtime(self) -> None:
        built = build_package([PURPOSE_MADE], messages=["Entities", "TypeMaps"], jobs=1)
        assert built.message_count == 2
        made = [plans(PURPOSE_MADE)[name] for name in ("Entities", "TypeMaps")]
        assert set(built.files) == {
            "__init__.py",
            "py.typed",
            "entities.py",
            "type_maps.py",
            *runtime_files(made, default_parts(made)),
        }
        text = format_python(module_text(plans(PURPOSE_MADE)["Entities"]))
        assert built.files["entities.py"] == headed("entities.py", text, SPEC_LICENCE)

    def test_each_file_has_the_header_of_its_licence(self) -> None:
        style = Style(licence="MIT OR 0BSD")
        files = build_package([PURPOSE_MADE], messages=["Entities"], jobs=1, style=style).files
        heads = {path: text.partition("\n\n")[0].splitlines() for path, text in files.items() if text}
        assert set(files) - set(heads) == {"py.typed"}
        for path, head in heads.items():
            licence = RUNTIME_LICENCE if path.startswith("_runtime/") else "MIT OR 0BSD"
            assert head[0].startswith("# @generated by messagegen; do not edit")
            assert head[1] == f"# SPDX-License-Identifier: {licence}"
            assert head[-2:] == ["# ruff: noqa", "# fmt: off"]
            assert len(head) == (4 if path == INDEX else 5)

    def test_lines_are_as_long_as_wanted(self) -> None:
        plain = build_package([PURPOSE_MADE], messages=["Entities"], jobs=1).files
        short = build_package([PURPOSE_MADE], messages=["Entities"], jobs=1, style=Style(line_length=70)).files
        assert short["entities.py"] != plain["entities.py"]
        body = short["entities.py"].partition("# fmt: off\n\n")[2]
        assert body == format_python(module_text(plans(PURPOSE_MADE)["Entities"]), 70)
        assert ast.dump(ast.parse(short["entities.py"])) == ast.dump(ast.parse(plain["entities.py"]))

    def test_gives_error_codes_where_there_is_a_file_of_them(self, tmp_path: Path) -> None:
        file = tmp_path / "errors.json"
        file.write_text('{ "errors": [{ "code": 0, "name": "NONE" }] }', encoding="utf-8")
        plain = build_package([PURPOSE_MADE], messages=["Entities"], jobs=1)
        built = build_package([PURPOSE_MADE], messages=["Entities"], error_codes=file, jobs=1)
        assert built.message_count == 1
        assert set(built.files) - set(plain.files) == {"error_codes.py"}
        assert {path for path in plain.files if plain.files[path] != built.files[path]} == {"__init__.py"}

    def test_findings_of_specs_and_of_error_codes_come_at_once(self, tmp_path: Path) -> None:
        write(tmp_path / "specs", "One", validVersions="0+")
        write(tmp_path / "specs", "ErrorCodes")
        file = tmp_path / "errors.json"
        file.write_text("{}", encoding="utf-8")
        with pytest.raises(SpecError) as caught:
            build_package([tmp_path / "specs"], error_codes=file)
        found = {(Path(finding.file).name, finding.rule) for finding in caught.value.findings}
        assert found == {
            ("One.json", "MESSAGE_VALID_VERSIONS_CLOSED"),
            ("ErrorCodes.json", "MESSAGE_NAME_UNIQUE"),
            ("errors.json", "PROPERTY_REQUIRED"),
        }
