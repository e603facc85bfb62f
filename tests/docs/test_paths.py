"""Paths in backticks name files or folders that exist in this repository, or that users have."""

from __future__ import annotations

import fnmatch
import itertools
import re
import subprocess
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

from messagegen import outputs
from messagegen.plan.error_codes import ErrorCodesPlan
from tests.support.specs import PURPOSE_MADE, plans

ROOT: Final = Path(__file__).resolve().parents[2]
_LEFT_OUT: Final = ("tests/fixtures/", "tests/golden/", "templates/")
"""Folders of pages that are not checked: inputs and outputs of tests, and pages that `init` writes for users."""
_FENCED: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"(?<!`)`([^`\s]+)`(?!`)")
_PATH: Final = re.compile(r"[\w.*-]*/[\w./*-]*|[\w*-]+(?:\.\w+)*\.(?:py|pyi|rs|java|j2|mk|toml|txt|json|md|svg|yml)")
_PLACEHOLDER: Final = re.compile(r"[A-Z]+(?:_[A-Z]+)*")
"""A part of a path that readers replace by a name, such as `NAME` or `RULE_ID`."""
_OF_USERS: Final = {
    "docs/cli.md": {"/dev/stdin"},
    "docs/design/004-publishing.md": {"order_placed/", "order_placed.py"},
    "docs/design/016-lint.md": {"origin/main"},
    "docs/logs-and-captures.md": {"commit_offsets.py"},
    "docs/quickstart/data-engineer.md": {"/var/lib/kafka/data"},
    "docs/quickstart/vendor-messages.md": {"src/shop_messages", ".github/workflows/messages.yml"},
    "docs/restoring-topics.md": {"offsets.json"},
    "docs/spark-sql.md": {"messagegen/spark/plans/OrderPlaced"},
    "docs/spark.md": {
        ".../__cluster_metadata-0/*.checkpoint",
        ".../orders-0",
        ".../orders-0/00000000000000000000.log",
        "/backup/broker-*/orders-*",
        "/var/lib/kafka/data",
        "messagegen_spark/jvm/kafka-log.jar",
    },
    "docs/spec-language.md": {"//", ".vscode/settings.json", ".idea/jsonSchemas.xml"},
    "tests/conformance/kit/README.md": {"refused/NAME.jsonl", "releases.json"},
    "docs/versions.md": {".github/workflows/messages.yml", ".gitlab/messages.yml"},
    "docs/vectors.md": {"messages/ApiVersionsRequest.jsonl"},
    "docs/your-own-share-group.md": {"kafka_client.py"},
    "docs/your-repository.md": {
        "../tools/messagegen.whl",
        "messages-FOLDER.yml",
        ".gitlab/messages.yml",
    },
}
"""Files and folders outside this repository, by the page that names them."""
_OF_WHEELS: Final = {"MANIFEST.json", "messages/", "messagegen/templates"}
"""The manifest of a package, and folders of wheels, which any page may name."""


@cache
def of_outputs() -> frozenset[str]:
    """Return the files and folders that outputs write for sample messages; any page may name them."""
    inputs = outputs.Inputs(tuple(plans(PURPOSE_MADE).values()), ErrorCodesPlan(()))
    files = outputs.files(inputs, [output.name for output in outputs.OUTPUTS])
    return frozenset(files) | {f"{path.partition('/')[0]}/" for path in files if "/" in path}


@cache
def known() -> frozenset[str]:
    """Return the paths of all files and folders of the repository, and every tail of these paths."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    paths = {path for file in files for path in (PurePosixPath(file), *PurePosixPath(file).parents)}
    return frozenset("/".join(path.parts[start:]) for path in paths for start in range(len(path.parts)))


def is_built(path: str) -> bool:
    """Whether git ignores ``path``, as it ignores build outputs."""
    done = subprocess.run(["git", "check-ignore", "--quiet", path], cwd=ROOT, check=False)
    return done.returncode == 0


def exists(path: str, page: str) -> bool:
    """Whether ``path`` exists relative to the root or to the page's folder, or is the tail of an existing path.

    A path is only checked up to the first placeholder, such as the ``NAME`` of ``outputs/NAME.py``.
    """
    if path in _OF_WHEELS | of_outputs() or (ROOT / page).parent.joinpath(path).exists():
        return True
    wanted = "/".join(itertools.takewhile(is_fixed, path.rstrip("/").split("/")))
    if not wanted or wanted in known() or is_built(path):
        return True
    return "*" in wanted and any(fnmatch.fnmatchcase(each, wanted) for each in known())


def is_fixed(part: str) -> bool:
    """Whether a part of a path is a real name, not a placeholder."""
    return _PLACEHOLDER.fullmatch(part.partition(".")[0]) is None


def paths_of(text: str) -> set[str]:
    """Return the paths in backticks outside fenced examples."""
    return {word for word in _CODE.findall(_FENCED.sub("", text)) if _PATH.fullmatch(word)}


def pages() -> list[str]:
    """Return the checked pages of the repository."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    found = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [page for page in found if not page.startswith(_LEFT_OUT) and (ROOT / page).exists()]


@pytest.mark.parametrize("page", pages())
def test_paths_in_backticks_exist(page: str) -> None:
    named = paths_of((ROOT / page).read_text(encoding="utf-8"))
    allowed = _OF_USERS.get(page, set())
    assert sorted(path for path in named - allowed if not exists(path, page)) == []
    assert allowed <= named, "a page no longer names a path of users"


def test_paths_that_do_not_exist_are_reported() -> None:
    text = "`runtime/walk.py`, `no_such.py`, `runtime/no_such/`, `outputs/NAME.py`, `no_such/NAME.py`, `spec`\n"
    assert sorted(path for path in paths_of(text) if not exists(path, "README.md")) == [
        "no_such.py",
        "no_such/NAME.py",
        "runtime/no_such/",
    ]


def test_pages_in_all_folders_are_checked() -> None:
    assert {"README.md", "CONTRIBUTING.md", "native/README.md", "docs/design/008-pipeline.md"} <= set(pages())
