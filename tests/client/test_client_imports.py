"""What the client may import, and who in it may print."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import messagegen_client

CLIENT = Path(messagegen_client.__file__).parent
MODULES = sorted(CLIENT.glob("*.py"))
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)


def imported(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield node.module or "", node


def for_type_checkers(tree: ast.Module) -> set[ast.stmt]:
    """The statements that only type checkers see."""
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return {statement for block in blocks for statement in block.body}


@modules
def test_the_client_knows_generated_code_and_not_the_generator(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    seen_by_checkers = for_type_checkers(tree)
    for name, node in imported(tree):
        parts = name.split(".")
        assert parts[0] not in {"messagegen", "messagegen_spark", "tests"}
        assert "_runtime" not in parts or node in seen_by_checkers


@modules
def test_only_commands_print(path: Path) -> None:
    if path.stem.startswith("cli_"):
        return
    text = path.read_text(encoding="utf-8")
    calls = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    assert not [call for call in calls if isinstance(call, ast.Name) and call.id in {"print", "input"}]
    assert not {"click", "rich"} & {name.split(".")[0] for name, _ in imported(ast.parse(text))}


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("connection", {"cluster", "pool", "versions", "sasl", "config"}),
        ("metadata", {"cluster", "pool", "connection"}),
        ("pool", {"cluster"}),
        ("cluster", {"clients", "admin", "threads"}),
        ("errors", {path.stem for path in MODULES}),
    ],
)
def test_lower_modules_do_not_know_of_higher_ones(module: str, others: set[str]) -> None:
    tree = ast.parse((CLIENT / f"{module}.py").read_text(encoding="utf-8"))
    ours = {name.split(".")[1] for name, _ in imported(tree) if name.startswith("messagegen_client.")}
    assert not ours & others
