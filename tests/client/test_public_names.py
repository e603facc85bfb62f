"""The names that ``messagegen_client`` offers."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import messagegen_client


def names_for_type_checkers() -> dict[str, str]:
    """Name -> module, as type checkers see it."""
    tree = ast.parse(Path(messagegen_client.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


@pytest.mark.parametrize(("name", "module"), names_for_type_checkers().items())
def test_a_name_is_at_run_time_what_type_checkers_see(name: str, module: str) -> None:
    assert getattr(messagegen_client, name) is getattr(import_module(module), name)
    assert name in dir(messagegen_client)


def test_no_name_is_hidden_from_type_checkers() -> None:
    assert set(messagegen_client._MODULE_OF) == set(names_for_type_checkers())  # noqa: SLF001 - the table itself


def test_other_names_are_none() -> None:
    with pytest.raises(AttributeError, match="'messagegen_client' has no attribute 'Consumers'"):
        messagegen_client.Consumers  # noqa: B018 - asking is the point


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = ["asyncio", "ssl", "scramp", "javaproperties", "yaml", "messagegen_kafka", "messagegen"]
    code = f"import sys, messagegen_client; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_scram_and_properties_load_only_where_they_are_used() -> None:
    code = "import sys, messagegen_client.admin; print([n for n in ('scramp', 'javaproperties', 'yaml') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_star_gives_the_public_names_and_no_others() -> None:
    names: dict[str, object] = {}
    exec("from messagegen_client import *", names)
    assert names.keys() - {"__builtins__"} == set(names_for_type_checkers())
