"""The playground for tests: the page with the specs of this repository, a server, and a browser that visits it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, Final

from playwright.sync_api import Page, expect, sync_playwright

from docs.website.playground.serving import server_of
from tests.docs.setting import ROOT

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE: Final = 60_000
"""The time limit in milliseconds for the page to reach its expected state; high, because busy machines are slow."""
SPECS: Final = {file.name: file.read_bytes() for file in sorted((ROOT / "message_specs").glob("*.json"))}


class Visit:
    """A page in a browser, the addresses that it requests, and its errors."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.requested: list[str] = []
        self.troubles: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.context.on("request", lambda request: self.requested.append(request.url))
        page.context.on("weberror", lambda error: self.troubles.append(str(error.error)))
        page.on("console", lambda message: self.troubles.append(message.text))

    def show(self, **state: object) -> None:
        """Show the page of a link with ``state``, without loading the page again."""
        self.page.goto(self.url + link(state))

    def explain(self, text: str, *, message: str = "", own: bool = False) -> None:
        """Fill the form of the view Bytes."""
        self.page.get_by_role("tab", name="Bytes").click()
        self.page.get_by_label("Use my own spec").set_checked(own)
        if not own:
            self.page.get_by_label("Message", exact=True).select_option(message)
        self.page.get_by_role("textbox", name="Bytes").fill(text)

    def rows(self) -> list[list[str]]:
        """Return the texts of the table of fields."""
        read = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))"
        rows: list[list[str]] = self.page.locator("#fields tbody tr").evaluate_all(read)
        return rows


def link(state: dict[str, Any]) -> str:
    """Return the part of an address that contains ``state``."""
    packing = zlib.compressobj(wbits=-15)
    data = packing.compress(json.dumps(state).encode()) + packing.flush()
    return "#" + base64.urlsafe_b64encode(data).decode().rstrip("=")


def state_of(address: str) -> dict[str, Any]:
    """Return the state in an address."""
    text = address.partition("#")[2]
    state: dict[str, Any] = {}
    if text:
        state = json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), wbits=-15))
    return state


@contextmanager
def visit(folder: Path, **state: object) -> Iterator[Visit]:
    """Serve a folder, open a link to its page, and wait until the page is ready."""
    with server_of(folder, 0) as server, sync_playwright() as playwright:
        Thread(target=server.serve_forever, daemon=True).start()
        # Chromium does not start as root with its sandbox.
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        expect.set_options(timeout=PATIENCE)
        with playwright.chromium.launch(executable_path=CHROMIUM, args=root) as browser:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            visiting = Visit(context.new_page(), f"http://127.0.0.1:{server.server_port}/")
            visiting.show(**state)
            expect(visiting.page.locator("#status")).to_have_text("Ready")
            yield visiting
        server.shutdown()
