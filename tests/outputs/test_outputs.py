"""The table of outputs: what belongs to each, and a made-up one that costs no other change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from messagegen import outputs
from messagegen.findings import UsageError
from messagegen.generation.package import build_package
from messagegen.outputs import OUTPUTS, File, Inputs, Options, Output, formatting
from tests.support.specs import PURPOSE_MADE, plans

MESSAGES: Final = ("Entities", "TypeMaps")


def catalogue(inputs: Inputs, options: Options) -> Mapping[str, File]:
    """A page for each message, and a list of them."""
    title = options.get("title", "Messages")
    if not isinstance(title, str):
        raise UsageError('title must be a string; write title = "Messages"')
    pages = {
        f"pages/{plan.module}.md": File(lambda plan=plan: f"# {plan.name}\n\n{plan.about}\n")  # type: ignore[misc]
        for plan in inputs.messages
    }
    names = "".join(f"- {plan.name}\n" for plan in inputs.messages)
    return {**pages, "index.md": File(lambda: f"# {title}\n\n{names}")}


CATALOGUE: Final = Output(
    name="catalogue", purpose="a page a message", files=catalogue, formatter=formatting.unchanged, options=("title",)
)


@pytest.fixture
def with_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "OUTPUTS", (*OUTPUTS, CATALOGUE))


def inputs() -> Inputs:
    return Inputs(tuple(plans(PURPOSE_MADE)[name] for name in MESSAGES))


class TestTable:

    def test_python_is_written_by_default(self) -> None:
        ((output, files),) = outputs.files(inputs())
        assert output.name == "python"
        assert {"__init__.py", "entities.py", "type_maps.py", "_runtime/messages.py", "py.typed"} <= set(files)

    def test_error_codes_need_a_file_of_them(self) -> None:
        with pytest.raises(UsageError, match="needs a file of error codes; pass --error-codes FILE"):
            list(outputs.files(inputs(), ["error_codes"]))

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
            list(outputs.files(inputs(), include, options))

    def test_two_outputs_of_one_file_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        twin = Output("twin", "the same again", lambda *_: {"entities.py": File(str)}, formatting.python)
        monkeypatch.setattr(outputs, "OUTPUTS", (*OUTPUTS, twin))
        with pytest.raises(UsageError, match=r"the outputs python and twin both write entities\.py"):
            list(outputs.files(inputs(), ["python", "twin"]))


@pytest.mark.usefixtures("with_catalogue")
class TestMadeUpOutput:
    def test_it_is_built_alone_and_beside_others(self) -> None:
        alone = build_package([PURPOSE_MADE], messages=MESSAGES, include=["catalogue"], jobs=1).files
        assert set(alone) == {"index.md", "pages/entities.md", "pages/type_maps.md"}
        assert alone["index.md"] == "# Messages\n\n- Entities\n- TypeMaps\n"
        both = build_package([PURPOSE_MADE], messages=MESSAGES, include=["catalogue", "python"], jobs=1).files
        assert alone.items() <= both.items()
        assert "entities.py" in both

    def test_its_options_are_its_own(self) -> None:
        with pytest.raises(UsageError, match="title must be a string"):
            build_package([PURPOSE_MADE], include=["catalogue"], options={"catalogue": {"title": 1}})
        with pytest.raises(UsageError, match="unknown option titel of the output catalogue; the options are title"):
            build_package([PURPOSE_MADE], include=["catalogue"], options={"catalogue": {"titel": ""}})
