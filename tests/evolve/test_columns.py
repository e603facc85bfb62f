"""The rules about columns are held to the truth: the Arrow schemas of both sides."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed: `make test` installs it")

import pyarrow as pa

from messagegen.evolve import Category, compare_specs
from messagegen.plan.build import build_plan
from messagegen.plan.text import plan_text
from messagegen_arrow import arrow_schema
from messagegen_arrow.catalog import table_of_plan
from tests.evolve.edit_chunks import CHUNK, CHUNKS, edits
from tests.evolve.edits import Version

POSSIBLE = {
    "MESSAGE_VERSIONS_NOT_REMOVED",
    "FIELD_SAME_VERSIONS",
    "FIELD_SAME_NAME",
    "FIELD_SAME_JSON_NAME",
    "FIELD_SAME_TYPE",
}
"""The rules that may be broken without a change of a column.

The columns of a removed version may be in other versions, another field may have the old name now, and int32 and uint16
have the same column.
"""


def types_of_columns(version: Version, versions: list[int]) -> dict[str, pa.DataType]:
    """Return the type of each column and nested field by its path; the type of a struct is ``struct``."""
    found: dict[str, pa.DataType] = {}

    def add(path: str, type_: pa.DataType) -> None:
        if pa.types.is_list(type_):
            path, type_ = f"{path}[]", type_.value_type
        if pa.types.is_struct(type_):
            for field in type_:
                add(f"{path}.{field.name}", field.type)
            type_ = pa.struct([])
        found[path] = type_

    if versions:
        table = table_of_plan(plan_text(build_plan(version.spec)))
        for field in arrow_schema(table, versions=versions):
            add(field.name, field.type)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS, 2 * CHUNKS))
def test_columns_of_released_versions_change_only_with_a_finding(chunk: int) -> None:
    cases = list(edits(chunk))
    assert len(cases) > CHUNK // 2
    wrong = []
    for seed, done, before, after in cases:
        valid = before.spec.valid_versions
        released = [
            version for version in valid if not (before.spec.latest_version_unstable and version == valid.highest)
        ]
        old = types_of_columns(before, released)
        new = types_of_columns(after, list(after.spec.valid_versions))
        changed = sorted(path for path, type_ in old.items() if new.get(path) != type_)
        changes = [one for one in compare_specs([before.spec], [after.spec]) if Category.COLUMNS in one.categories]
        rules = {change.rule for change in changes}
        if bool(changed) != bool(rules) and not rules & POSSIBLE:
            wrong.append(f"seed {seed}, {done}: {changed}, said {list(map(str, changes))}")
    assert wrong == []
