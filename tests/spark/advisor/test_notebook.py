"""The notebook runs, says what it said when it was committed, and holds nothing of the machine where it ran."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.arrow.support.advisor_data import ROOT

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOK = ROOT / "docs" / "notebooks" / "advisor.ipynb"


def texts(notebook: NotebookNode) -> list[Any]:
    """The outputs as text, cell by cell."""
    return [
        [output.get("text") or output["data"].get("text/plain") for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.exhaustive
@pytest.mark.spark
@pytest.mark.xdist_group("spark")
@pytest.mark.filterwarnings("default")  # Jupyter's libraries have warnings of their own.
def test_the_notebook_runs_as_printed() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    printed = texts(notebook)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(NOTEBOOK.parent)}})
    client.execute()
    assert texts(notebook) == printed


def test_the_notebook_is_small_and_of_no_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 100_000
    assert not re.findall(r"/(?:home|root|tmp|work|usr)/", text)
    assert '"traceback"' not in text
    assert '"output_type": "execute_result"' in text
