"""Runs tests with both kinds of codecs: straight-line Python, and the optional engine if it is installed."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


@pytest.fixture(params=["pure", "native"])
def codecs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Choose the codecs for packages that are loaded later: a package chooses once, when its runtime is imported."""
    if request.param == "pure":
        monkeypatch.setenv("MESSAGEGEN_PURE", "1")
    elif find_spec("messagegen_native") is None:
        pytest.skip("messagegen-native is not installed")
    else:
        monkeypatch.delenv("MESSAGEGEN_PURE", raising=False)
    return str(request.param)
