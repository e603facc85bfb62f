"""The site of every release of Kafka: each message has its page, and all links lead somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.fetch.specs import store_specs
from tests.differential.test_releases import RELEASES, fetched
from tests.outputs.site.pages import broken_links, site_of
from tests.support.specs import read_specs

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("releases")]


@pytest.fixture(scope="module")
def seen() -> set[bytes]:
    """The texts of specs whose pages were made."""
    return set()


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_has_a_site(release: str, tmp_path: Path, seen: set[bytes]) -> None:
    specs = fetched(release)
    store_specs(specs, tmp_path)
    texts = {name.removesuffix(".json"): text for each in specs.artifacts for name, text in each.specs.items()}
    live = read_specs([tmp_path])
    # Releases have most of their specs in common, and partners are named alike in all of them.
    fresh = [spec for spec in live if texts[Path(spec.file).stem] not in seen]
    seen.update(texts.values())
    files = site_of(fresh)
    assert len([path for path in files if path.startswith("messages/")]) == len(fresh)
    assert broken_links(files) == []
