"""The enum of error codes: golden files, and strings that try to become code."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messagegen.generation.loading import load_package
from messagegen.outputs.error_codes import error_codes_text
from messagegen.plan.error_codes import ErrorCodesPlan, ErrorMember
from tests.conftest import Golden
from tests.support.specs import GOLDEN, PURPOSE_MADE, build

FILE: Final = PURPOSE_MADE.parent / "error_codes" / "purpose_made.json"
FOLDER: Final = GOLDEN / "error_codes"
SOME: Final = ["Entities"]


@pytest.fixture(scope="module")
def package() -> ModuleType:
    return load_package(PURPOSE_MADE, messages=SOME, error_codes=FILE)


def test_error_codes_equal_golden_files(golden: Golden) -> None:
    files = build(PURPOSE_MADE, messages=SOME, error_codes=FILE).files
    golden(FOLDER / "error_codes.py", files["error_codes.py"])


def test_members_have_codes_and_names_and_abouts(package: ModuleType) -> None:
    error_code: Any = package.ErrorCode
    assert [(int(one), one.name, one.retriable) for one in error_code] == [
        (-32768, "LOWEST_2", False),
        (0, "NONE", False),
        (7, "REQUEST_TIMED_OUT", True),
        (32767, "HIGHEST", False),
    ]
    assert error_code.HIGHEST.about == '""" + {{ 1 }} # \\ \u2028 ends with a quote"'
    assert error_code.NONE.about == ""


def test_packages_without_error_codes_do_not_export_the_enum() -> None:
    package = load_package(PURPOSE_MADE, messages=SOME)
    assert "ErrorCode" not in package.__all__
    assert not hasattr(package, "ErrorCode")
    with pytest.raises(ModuleNotFoundError):
        __import__(f"{package.__name__}.error_codes")


@settings(max_examples=60)
@given(st.text(st.characters(codec="utf-8"), max_size=40) | st.sampled_from(['"', '"""', "\\", "{{ 1 }}", "'", "\n#"]))
def test_the_structure_of_code_does_not_depend_on_abouts(about: str) -> None:
    text = error_codes_text(ErrorCodesPlan((ErrorMember("NONE", 0, retriable=False, about=about),)))
    module = ast.parse(text).body
    (enum,) = [node for node in module if isinstance(node, ast.ClassDef)]
    (assignment,) = [node for node in enum.body if isinstance(node, ast.Assign)]
    assert ast.literal_eval(assignment.value) == 0
    assert len([node for node in enum.body if isinstance(node, ast.FunctionDef)]) == 3
    abouts = module[-1]
    assert isinstance(abouts, ast.AnnAssign)
    assert abouts.value is not None
    assert ast.literal_eval(abouts.value) == {0: about}
