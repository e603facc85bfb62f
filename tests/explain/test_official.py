"""Every message of every release of Kafka is explained, in all of its versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from messagegen.explain import explain_body
from messagegen.fetch.specs import store_specs
from messagegen.generation.loading import load_specs
from messagegen.runtime.plans import read_plan
from tests.differential.test_releases import RELEASES, fetched
from tests.explain.support import check_tiles, check_values
from tests.oracle.mini_reader import read_spec
from tests.oracle.values import sample
from tests.support.shapes import shape_of_layout
from tests.support.specs import read_specs

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("releases")]

FROM_2_8: Final = [release for release in RELEASES if release >= "2.8"]


@pytest.fixture(scope="module")
def seen() -> set[Any]:
    """The shapes of messages that were explained; versions and releases have most of them in common."""
    return set()


@pytest.mark.parametrize("release", FROM_2_8)
def test_every_message_of_a_release(release: str, tmp_path: Path, seen: set[Any]) -> None:
    store_specs(fetched(release), tmp_path)
    specs = read_specs([tmp_path])
    # One package for all, where `Messages` has one for each.
    package = load_specs(specs)
    texts = {spec.name: Path(spec.file).read_text(encoding="utf-8") for spec in specs}
    for name, text in texts.items():
        if text in seen:
            continue
        seen.add(text)
        cls, spec = getattr(package, name), read_spec(text)
        plan = read_plan(cls.CODEC.plan, {one.__name__: one for one in cls.CODEC.classes})
        for version in plan.valid_versions:
            kind = shape_of_layout(plan.roots[version])
            if kind in seen:
                continue
            seen.add(kind)
            message = cls.from_json(sample(spec, version, "highest", budget=120).json, version=version)
            found = explain_body(message.encode(version=version), plan, version)
            assert found.problem is None
            check_tiles(found)
            check_values(found, message)
