"""The table of outputs: what belongs to each."""

from __future__ import annotations

from typing import Final

import pytest

from messagegen import outputs
from messagegen.findings import UsageError
from messagegen.outputs import OUTPUTS, File, Inputs, Options, Output
from tests.support.specs import PURPOSE_MADE, plans

MESSAGES: Final = ("Entities", "TypeMaps")


def inputs() -> Inputs:
    return Inputs(tuple(plans(PURPOSE_MADE)[name] for name in MESSAGES))


class TestTable:

    def test_python_is_written_by_default(self) -> None:
        files = outputs.files(inputs())
        assert {"__init__.py", "entities.py", "type_maps.py", "_runtime/messages.py", "py.typed"} <= set(files)

    def test_error_codes_need_a_file_of_them(self) -> None:
        with pytest.raises(UsageError, match="needs a file of error codes; pass --error-codes FILE"):
            outputs.files(inputs(), ["error_codes"])

    @pytest.mark.parametrize(
        ("include", "options", "reason"),
        [
            (["pyton"], {}, "unknown output pyton; did you mean python?"),
            (["xyz"], {}, "unknown output xyz; the outputs are python, error_codes"),
            ([], {"error_codes": {"title": 1}}, "unknown option title of the output error_codes; it has none"),
            ([], {"docs": {}}, "unknown output docs"),
        ],
    )
    def test_wrong_names(self, include: list[str], options: dict[str, Options], reason: str) -> None:
        with pytest.raises(UsageError, match=reason):
            outputs.files(inputs(), include, options)

    def test_two_outputs_of_one_file_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        twin = Output("twin", lambda *_: {"entities.py": File(str)})
        monkeypatch.setattr(outputs, "OUTPUTS", (*OUTPUTS, twin))
        with pytest.raises(UsageError, match=r"the output twin writes entities\.py"):
            outputs.files(inputs(), ["python", "twin"])
