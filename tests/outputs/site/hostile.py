"""Text that pages must show as text, not interpret as HTML."""

from __future__ import annotations

from typing import Final

HOSTILE: Final = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" ' & <!--"
