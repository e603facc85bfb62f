from __future__ import annotations

import pytest

from tests.differential.merged import Everything, merge_everything


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    """All releases, merged once for each process."""
    return merge_everything(tmp_path_factory.mktemp("merged"))
