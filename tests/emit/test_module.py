"""Rendered modules: golden files, type checkers, and strings that try to become code."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen import runtime
from messagegen.emit import module_text
from messagegen.emit.literals import text_literal
from messagegen.generation.package import SPEC_LICENCE
from messagegen.names import EXPORTS, message_class
from messagegen.outputs.python import PARTS, package_text
from messagegen.outputs.python.runtime import EVERY_MODULE, default_parts, needed_modules, runtime_files
from messagegen.plan import ops
from messagegen.plan.ops import MessagePlan
from messagegen.publish.header import headed
from tests.conftest import Golden
from tests.support.specs import GOLDEN, OWN, PURPOSE_MADE, build, field, made_package, plan_of, plans, spec

FOLDER = GOLDEN / "emit"


def kinds(plan: MessagePlan) -> Iterator[tuple[object, ...]]:
    """Yield, for each codec of a plan, the properties that determine its text most: its type and its element's type."""
    for layout in plan.layouts:
        for _, codec in ops.fields_on_wire(layout):
            each = codec.element if isinstance(codec, ops.ArrayCodec) else codec
            yield type(codec), type(each), each.primitive.python if isinstance(each, ops.FixedCodec) else ""


class TestGolden:
    """The golden folder has specs with a value of each kind, their modules, and the package's ``__init__.py``."""

    @pytest.mark.parametrize("name", plans(FOLDER))
    def test_modules_equal_golden_files(self, name: str, golden: Golden) -> None:
        plan = plans(FOLDER)[name]
        golden(FOLDER / f"{plan.module}.py", module_text(plan))

    def test_packages_equal_golden_files(self, golden: Golden) -> None:
        messages = list(plans(FOLDER).values())
        golden(FOLDER / "__init__.py", package_text(messages, parts=default_parts(messages)))

    def test_every_kind_of_codec_is_in_a_golden_module_or_committed_class(self) -> None:
        shown = {kind for plan in [*plans(FOLDER).values(), *plans(OWN).values()] for kind in kinds(plan)}
        assert {kind for plan in plans(PURPOSE_MADE).values() for kind in kinds(plan)} <= shown

    def test_golden_modules_equal_the_output_of_the_whole_pipeline(self) -> None:
        files = build(FOLDER).files
        for path in FOLDER.glob("*.py"):
            golden = path.read_text(encoding="utf-8")
            assert files[path.name] == headed(path.name, golden, SPEC_LICENCE)


@cache
def tree_of(plan: MessagePlan) -> ast.Module:
    """Parse the module of a message as the oldest supported version of Python."""
    return ast.parse(module_text(plan), feature_version=(3, 11))


@pytest.mark.parametrize("plan", [*plans(PURPOSE_MADE).values(), *plans(OWN).values()], ids=lambda plan: str(plan.name))
class TestModules:

    @pytest.mark.slow
    def test_modules_use_all_their_imports(self, plan: MessagePlan) -> None:
        tree = tree_of(plan)
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert imported - {"annotations"} <= used

    def test_modules_use_the_constants_that_they_define(self, plan: MessagePlan) -> None:
        tree = tree_of(plan)
        constants = {
            node.targets[0].id
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        assert constants - {"__all__"} <= used


@pytest.mark.slow
def test_modules_with_thousands_of_tagged_fields_compile() -> None:
    fields = [field(f"Field{tag}", "int8", taggedVersions="0+", tag=tag) for tag in range(3000)]
    compile(module_text(plan_of(*fields, flexibleVersions="0+")), "<generated>", "exec")


class TestInjection:
    """Strings in a spec change only string constants in the output.

    Only the length of a string can change the structure of the code.
    """

    nasty = st.one_of(
        st.text(st.characters(codec="utf-8"), max_size=40),
        st.lists(
            st.sampled_from(
                [
                    '"',
                    '"""',
                    "'",
                    "\\",
                    "\n",
                    "{{ 1 }}",
                    "{% x %}",
                    "#}",
                    "(",
                    ")",
                    "[",
                    ", ",
                    ")]",
                    "; import os",
                    "x" * 60,
                    " ",
                ]
            ),
            max_size=20,
        ).map("".join),
    )

    @staticmethod
    def plan(text: str) -> MessagePlan:
        text = text if text != "null" else "nil"
        return plan_of(
            field("A", "string", default=text, about=text),
            field("DefaultB", "string", "1+", default=text, about=text),
            field("FromC", "string", "1+", tag=0, taggedVersions="1+", default=text, ignorable=True),
            field("D", "[]Part", about=text, fields=[field("X", "int8", about=text)]),
            about=text,
            validVersions="0-1",
            flexibleVersions="1+",
        )

    @staticmethod
    def structure(plan: MessagePlan) -> str:
        tree = ast.parse(module_text(plan))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = ""
        return ast.dump(tree)

    @pytest.mark.slow
    @settings(max_examples=60)
    @given(nasty.filter(str.strip))
    def test_the_structure_of_code_does_not_depend_on_strings_in_specs(self, text: str) -> None:
        quotes = 2
        harmless = "h" * (len(text_literal(text)) - quotes)
        assert self.structure(self.plan(text)) == self.structure(self.plan(harmless))


class TestPackage:
    @staticmethod
    def of(*names_and_keys: tuple[str, str, int | None]) -> ModuleType:
        specs = [
            spec(name=name, type=kind, **({} if key is None else {"apiKey": key})) for name, kind, key in names_and_keys
        ]
        return made_package(*specs)

    def test_packages_find_messages_by_kind_and_key(self) -> None:
        package = self.of(
            ("ARequest", "request", 5),
            ("AResponse", "response", 5),
            ("BKey", "coordinator-key", 5),
            ("CKey", "coordinator-key", 5),
        )
        assert package.message_classes("request", 5) == (package.ARequest,)
        assert package.message_classes("coordinator-key", 5) == (package.BKey, package.CKey)
        assert package.message_classes("request", 6) == ()
        assert package.message_classes("data", 5) == ()

    def test_packages_list_all_names_and_import_modules_on_first_use(self) -> None:
        package = self.of(("First", "data", None), ("Second", "data", None))
        name = package.__name__
        assert f"{name}.first" not in sys.modules
        assert package.First.__module__ == f"{name}.first"
        assert f"{name}.second" not in sys.modules
        assert {"First", "Second", "DecodeError"} <= set(package.__all__) <= set(dir(package))

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "name",
        [*EXPORTS, "ErrorCode", "ReadRecords", "Literal", "Annotations", "TypeChecking", "Struct", "Modules", "None"],
    )
    def test_message_names_do_not_clash_with_other_names(self, name: str) -> None:
        name = name[0].upper() + name[1:]
        package, without = self.of((name, "request", 7)), self.of(("Other", "request", 7))
        message = getattr(package, message_class(name))
        assert message.decode(b"", version=0) == message()
        assert package.message_classes("request", 7) == (message,)
        for export in set(without.__all__) - {"Other"}:
            assert getattr(package, export).__qualname__ == getattr(without, export).__qualname__

    def test_the_runtime_is_copied_unchanged(self) -> None:
        source = Path(runtime.__file__).parent
        expected = {
            f"_runtime/{path.relative_to(source).as_posix()}": path.read_text(encoding="utf-8")
            for path in source.rglob("*.py")
        }
        secret = plan_of(field("A", "string", sensitive=True))
        assert runtime_files(needed_modules([secret, *plans(PURPOSE_MADE).values()], PARTS)) == expected
        assert runtime_files(EVERY_MODULE) == expected


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packages on disk: all features, no API keys, and messages with names that packages or type checkers use."""
    folder = tmp_path_factory.mktemp("checked")
    odd, keyless = folder / "odd", folder / "keyless"
    for place, kind, names in (
        (odd, "request", ("Message", "Request", "Literal", "Overload", "ReadRecords")),
        (keyless, "data", ("Alone",)),
    ):
        place.mkdir()
        for key, name in enumerate(names):
            properties = {"type": kind, "name": name, "validVersions": "0", "flexibleVersions": "none"}
            if kind == "request":
                properties["apiKey"] = str(key)
            (place / f"{name}.json").write_text(json.dumps(properties), encoding="utf-8")
    for name, sources in (("purpose_made", PURPOSE_MADE), ("odd_messages", odd), ("keyless_messages", keyless)):
        for path, text in build(sources).files.items():
            target = folder / "out" / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return folder / "out"


@pytest.mark.slow
@pytest.mark.parametrize(
    "checker",
    [["mypy", "--strict", "--python-version=3.11"], ["pyright", "--pythonversion=3.11"]],
    ids=lambda one: one[0],
)
def test_type_checkers_accept_the_packages(output: Path, checker: list[str]) -> None:
    # Make pyright use its own node. Neither checker looks for new releases of itself.
    environment = {**os.environ, "PYRIGHT_PYTHON_GLOBAL_NODE": "off", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    command = [sys.executable, "-m", *checker, "."]
    done = subprocess.run(command, cwd=output, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
