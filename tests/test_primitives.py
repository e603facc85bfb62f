"""The table of primitive types. In pure Python, a new type that ``struct`` can read needs only a row in this table.

The engine and the columns need further changes, which are listed in CONTRIBUTING.md under "A primitive type".
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import messagegen
from messagegen.plan.text import plan_text
from messagegen.primitives import INTEGER_OF_WIDTH, PRIMITIVES, Primitive
from tests.support.specs import field, plan_of

GENERATOR = Path(messagegen.__file__).parent
primitives = pytest.mark.parametrize("primitive", PRIMITIVES.values(), ids=str)


@primitives
def test_sizes_and_ranges_match_the_formats(primitive: Primitive) -> None:
    assert primitive.size == struct.calcsize(f">{primitive.format}")
    assert (primitive.range is not None) == (primitive.python == "int")
    for value in primitive.range or ():
        assert struct.unpack(f">{primitive.format}", struct.pack(f">{primitive.format}", value)) == (value,)
    if primitive.range:
        lowest, highest = primitive.range
        assert highest - lowest + 1 == 1 << 8 * primitive.size


@primitives
def test_fields_have_the_default_of_their_primitive_type(primitive: Primitive) -> None:
    (line,) = [line for line in plan_text(plan_of(field("X", primitive.name))).splitlines() if line.startswith(" x x ")]
    assert line.removesuffix("&").split(" ")[-1] == primitive.default


def test_each_width_maps_to_an_integer_type_of_that_width() -> None:
    assert {width: type_.size * 8 for width, type_ in INTEGER_OF_WIDTH.items()} == {16: 16, 32: 32, 64: 64}


MADE_UP = {
    "madeup64": ("Q", "int", "(0, (1 << 64) - 1)", "0", [0, 1, (1 << 64) - 1]),
    "madeup8": ("B", "int", "(0, 255)", "0", [0, 255]),
    "madeupfloat": ("f", "float", "None", "0.0", [0.5, -2.0]),
}
"""Types that Kafka does not have: format, Python type, range, default and some values."""

ROUND_TRIP = """
import struct
import sys
from pathlib import Path

import messagegen

folder, name, letter, values = sys.argv[1], sys.argv[2], sys.argv[3], eval(sys.argv[4])
assert Path(messagegen.__file__).is_relative_to(folder), messagegen.__file__
specs = Path(folder) / "specs"
specs.mkdir()
fields = [
    {"name": "One", "type": name, "versions": "0+", "default": str(values[-1])},
    {"name": "Two", "type": name, "versions": "0+"},
    {"name": "Many", "type": f"[]{name}", "versions": "0+"},
    {"name": "Same", "type": f"[]{name}", "versions": "0+"},
    {"name": "Rows", "type": "[]Row", "versions": "0+", "fields": [{"name": "Cell", "type": name, "versions": "0+"}]},
    {"name": "Tagged", "type": name, "versions": "1+", "tag": 0, "taggedVersions": "1+"},
]
import json

message = {"type": "data", "name": "Made", "validVersions": "0-1", "flexibleVersions": "1+", "fields": fields}
(specs / "Made.json").write_text(json.dumps(message))
package = messagegen.load(specs)
Made, Row = package.Made, sys.modules[package.Made.__module__].Row
walk = __import__(f"{package.__name__}._runtime.walk", fromlist=["_"])
one = struct.Struct(f">{letter}").pack
assert Made().one == values[-1]
for version in (0, 1):
    for value in values:
        for count in (0, 3, 40):
            numbers = (value,) * count
            tagged = {"tagged": value} if version else {}
            made = Made(one=value, two=value, many=numbers, same=numbers, rows=(Row(cell=value),) * count, **tagged)
            data = made.encode(version=version)
            table = Made.CODEC.parsed_plan()
            assert data == walk.walk_encode(table, made, version)
            assert data.startswith(one(value) * 2)
            assert data.count(one(value)) >= 2 + count
            assert Made.decode(data, version=version) == made
            assert walk.walk_decode(table, data, 0, version) == (made, len(data))
            assert Made.decode(data, version=version, limits=package.Limits(array_length=40)) == made
            assert Made.from_json(json.loads(json.dumps(made.to_json(version=version))), version=version) == made
from messagegen.plan.build import build_plan
from messagegen.generation.sources import read_sources
from messagegen.spec import schema_text
from messagegen.vectors import make_vectors

assert f"{name}, " in schema_text()

plans = [build_plan(spec) for spec in read_sources([specs]).messages]
# The floats of vectors have 64 bits.
vectors = [] if letter == "f" else list(make_vectors(plans))
for vector in vectors:
    assert Made.decode(vector.data, version=vector.version).encode(version=vector.version) == vector.data, vector
assert len(vectors) > 10 or letter == "f"
print("round trip")
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE_UP)
def test_a_new_type_of_constant_size_needs_only_a_row_in_pure_python(name: str, tmp_path: Path) -> None:
    letter, python, range_, default, values = MADE_UP[name]
    copy = tmp_path / "messagegen"
    shutil.copytree(GENERATOR, copy, ignore=shutil.ignore_patterns("__pycache__"))
    templates = GENERATOR.parents[1] / "templates"
    if templates.is_dir() and not (copy / "templates").exists():
        shutil.copytree(templates, copy / "templates")
    table = copy / "runtime" / "plan.py"
    row = f'    Primitive("{name}", "{letter}", "{python}", {range_}, "{default}", "a number", "made up"),\n'
    marker = '    Primitive("bool",'
    text = table.read_text(encoding="utf-8")
    assert text.count(marker) == 1
    table.write_text(text.replace(marker, row + marker), encoding="utf-8")
    command = [sys.executable, "-c", ROUND_TRIP, str(tmp_path), name, letter, repr(values)]
    environment = {"PYTHONPATH": str(tmp_path), "MESSAGEGEN_PURE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "round trip\n", "")
