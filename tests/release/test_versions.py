"""The version and the list of distributions are the same everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from messagegen import __version__, diagnosis
from release import build, changelog, hatch_build, source, targets
from tests.support.pythons import OLDEST_FOR_OUTPUT

ROOT = Path(__file__).parents[2]
PROJECTS = {folder: ROOT / folder / "pyproject.toml" for folder in [*build.PYTHON_DISTRIBUTIONS.values(), "native"]}
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_all_distributions_read_the_version_from_one_file() -> None:
    assert source.version_in(ROOT) == __version__
    for project in map(toml, PROJECTS.values()):
        assert project["project"]["dynamic"] == ["version"]
    for folder in build.PYTHON_DISTRIBUTIONS.values():
        setting = toml(PROJECTS[folder])["tool"]["hatch"]["version"]
        assert (PROJECTS[folder].parent / setting["path"]).resolve() == Path(hatch_build.__file__)
        assert setting["expression"] == "build_version()"


def test_the_engine_has_the_version_of_the_distributions() -> None:
    (locked,) = (crate for crate in toml(ROOT / "native/Cargo.lock")["package"] if crate["name"] == "messagegen-native")
    assert toml(ROOT / "native/Cargo.toml")["workspace"]["package"]["version"] == locked["version"] == __version__


@pytest.mark.parametrize("folder", build.PYTHON_DISTRIBUTIONS.values())
def test_distributions_require_each_other_in_this_version(folder: str) -> None:
    project = toml(PROJECTS[folder])["project"]
    wanted = [
        *project["dependencies"],
        *(text for extra in project["optional-dependencies"].values() for text in extra),
    ]
    ours = [text for text in wanted if text.startswith("messagegen")]
    assert ours
    assert all(re.fullmatch(rf"messagegen-?[a-z]*(\[[a-z,]+\])?=={re.escape(__version__)}", text) for text in ours)


def test_pages_name_this_version() -> None:
    named = [
        (page.name, version)
        for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        for version in re.findall(
            r'(?:messagegen==|messagegen-|required-version = ")(\d+\.\d+\.\d+)', page.read_text(encoding="utf-8")
        )
    ]
    assert named
    assert {version for _, version in named} == {__version__}


def test_the_list_of_distributions_is_the_same_everywhere() -> None:
    assert (*build.PYTHON_DISTRIBUTIONS, build.NATIVE) == diagnosis.DISTRIBUTIONS
    names = {name: toml(PROJECTS[folder])["project"]["name"] for name, folder in build.PYTHON_DISTRIBUTIONS.items()}
    assert all(name == found for name, found in names.items())
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"PROJECTS := {' '.join(build.PYTHON_DISTRIBUTIONS.values())}\n" in makefile
    assert f"OUR_NAMES := {' '.join(diagnosis.DISTRIBUTIONS)}\n" in makefile


def test_the_generator_and_the_client_do_not_require_each_other() -> None:
    generator = toml(PROJECTS["."])["project"]["dependencies"]
    client = toml(PROJECTS["client"])["project"]["dependencies"]
    assert not [text for text in generator if re.match(r"messagegen|aiokafka|javaproperties|cramjam|lz4|pyyaml", text)]
    assert not [text for text in client if re.match(r"messagegen=|jinja2|tree-sitter", text)]
    assert toml(PROJECTS["generated"])["project"]["dependencies"] == []


def test_every_supported_python_is_declared() -> None:
    supported = [python for python in targets.PYTHONS if not python.endswith("t")]
    for folder, project in PROJECTS.items():
        about = toml(project)["project"]
        named = [text.rpartition(" ")[2] for text in about["classifiers"] if ":: Python :: 3." in text]
        oldest_for_output = [".".join(map(str, OLDEST_FOR_OUTPUT))]
        expected = [*oldest_for_output, *supported] if folder == "generated" else supported
        assert named == expected
        assert about["requires-python"] == f">={expected[0]}"


class TestChangelog:
    def test_the_changelog_has_a_section_for_the_version(self) -> None:
        assert list(changelog.problems(TEXT, __version__, [])) == []

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("## 0.2.0\n\nOutput: same.\n\n## 0.1.0\n\nOutput: the first.\n", []),
            ("## 0.1.0\n\nOutput: the first.\n", ["version 0.2.0 has no section; add ## 0.2.0"]),
            ("## 0.2.0\n\nOutput: same.\n", ["tag v0.1.0 has no section; add ## 0.1.0"]),
            (
                "## 0.1.0\n\nOutput: a.\n\n## 0.2.0\n\nOutput: b.\n",
                ["the sections are not in order; the newest version comes first, each once"],
            ),
            (
                "## 0.2.0\n\n- new\n\n## 0.1.0\n\nOutput: a.\n",
                ['the section 0.2.0 does not begin with "Output: ", which says whether generated files change'],
            ),
        ],
    )
    def test_problems_of_the_changelog_are_reported(self, text: str, expected: list[str]) -> None:
        assert list(changelog.problems(text, "0.2.0", ["v0.1.0"])) == expected

    def test_the_tag_of_a_release_must_match_the_version_and_its_section(self) -> None:
        text = "## Unreleased\n\nOutput: b.\n\n## 0.2.0\n\nOutput: a.\n"
        assert list(changelog.problems(text, "0.2.0", [], "v0.3.0")) == [
            "tag v0.3.0 does not fit version 0.2.0; use v0.2.0, or change the version",
            "there is a section Unreleased; give it the title 0.2.0",
        ]
        assert list(changelog.problems("## 0.2.0\n\nOutput: a.\n", "0.2.0", [], "v0.2.0")) == []
