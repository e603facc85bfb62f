"""Headers of generated files prove that messagegen wrote the files."""

from __future__ import annotations

import pytest

from messagegen.config import LONGEST_LICENCE
from messagegen.publish.header import headed, is_proof


@pytest.mark.parametrize("path", ["messages/order_placed.py", "index.html", "assets/site.css", "assets/site.js"])
def test_a_file_with_the_longest_licence_is_recognized_as_generated(path: str) -> None:
    text = headed(path, "text\n", "L" * LONGEST_LICENCE)
    assert is_proof(path, text.encode())
