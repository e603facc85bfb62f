"""The table of outputs, and the properties of each output."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from messagegen import outputs
from messagegen.findings import UsageError
from messagegen.outputs import OUTPUTS, File, Inputs, Options, Output
from messagegen.plan.error_codes import ErrorCodesPlan
from messagegen.publish.header import UNSIGNED, may_prove
from tests.support.specs import PURPOSE_MADE, plans

MESSAGES: Final = ("Entities", "TypeMaps")
ROOT: Final = Path(__file__).parents[2]


def inputs() -> Inputs:
    return Inputs(tuple(plans(PURPOSE_MADE)[name] for name in MESSAGES))


class TestTable:

    def test_python_is_written_by_default(self) -> None:
        files = outputs.files(inputs())
        assert {"__init__.py", "entities.py", "type_maps.py", "_runtime/messages.py", "py.typed"} <= set(files)

    def test_only_listed_files_lack_a_header(self) -> None:
        codes = ErrorCodesPlan(())
        written = outputs.files(Inputs(inputs().messages, codes), [output.name for output in OUTPUTS])
        without_header = {path for path in written if not may_prove(path)}
        assert without_header == UNSIGNED, "add files without a header to UNSIGNED in publish/header.py"

    def test_the_output_error_codes_needs_a_file_of_error_codes(self) -> None:
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
    def test_unknown_outputs_and_options_are_errors(
        self, include: list[str], options: dict[str, Options], reason: str
    ) -> None:
        with pytest.raises(UsageError, match=reason):
            outputs.files(inputs(), include, options)

    def test_two_outputs_that_write_one_file_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        twin = Output("twin", "the same file again", lambda *_: {"entities.py": File(str)})
        monkeypatch.setattr(outputs, "OUTPUTS", (*OUTPUTS, twin))
        with pytest.raises(UsageError, match=r"the output twin writes entities\.py"):
            outputs.files(inputs(), ["python", "twin"])


def rows_of_page() -> dict[str, list[str]]:
    """Return the first table of docs/outputs.md as a mapping from an output's name to the other cells of its row."""
    page = (ROOT / "docs" / "outputs.md").read_text(encoding="utf-8")
    table = page[page.index("| output |") :].partition("\n\n")[0]
    rows = (row.strip("|").split("|") for row in table.splitlines() if row.startswith("| `"))
    return {cells[0].strip(" `"): [cell.strip() for cell in cells[1:]] for cells in rows}


class TestPage:
    """The page docs/outputs.md matches the table of outputs."""

    def test_the_page_lists_all_outputs_in_order(self) -> None:
        assert list(rows_of_page()) == [output.name for output in OUTPUTS]

    @pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: str(output.name))
    def test_the_page_describes_each_output(self, output: Output) -> None:
        about, _, options = rows_of_page()[output.name]
        assert about == output.about
        assert tuple(re.findall(r"`(\w+)`", options)) == output.options

    @pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: str(output.name))
    def test_the_page_names_the_files_of_each_output(self, output: Output) -> None:
        _, listed, _ = rows_of_page()[output.name]
        modules = {f"{plan.module}.py" for plan in inputs().messages}
        made = outputs.files(
            Inputs(inputs().messages, ErrorCodesPlan(())), [output.name], {"strategies": {"package": "messages"}}
        )
        first_parts = {re.sub(r"/.*", "/", path) for path in made} - modules
        assert set(re.findall(r"`([^`]+)`", listed)) == first_parts


def test_the_example_output_in_contributing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python outputs/messages\.py\n(.*?)```", recipe, re.DOTALL)
    module = ModuleType("messagegen.outputs.messages")
    exec(compile(code, "messages.py", "exec"), vars(module))
    monkeypatch.setattr(outputs, "OUTPUTS", (*OUTPUTS, module.MESSAGES))
    files = outputs.files(inputs(), ["messages"])
    first, *rows = csv.reader(io.StringIO(files["messages.csv"].render()))
    assert first == ["message", "kind", "versions", "fields"]
    fields = [sum(len(struct.fields) for struct in plan.structs) for plan in inputs().messages]
    assert [(row[0], row[3]) for row in rows] == list(zip(MESSAGES, map(str, fields), strict=True))
