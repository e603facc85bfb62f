"""The playground in headless Chromium: bytes, specs, links, narrow screens, and no request to another host."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

import messagegen_kafka
from docs.website.playground import __main__ as command
from docs.website.playground.calls import Playground, index_of
from tests.docs.examples import blocks
from tests.docs.playground.site import CHROMIUM, SPECS, Visit, state_of, visit
from tests.docs.setting import ROOT
from tests.oracle.fixtures import OWN_MESSAGES, read_rows

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.xdist_group("playground"),
    pytest.mark.skipif(
        CHROMIUM is None, reason="Chromium is not installed (on Debian and Ubuntu: apt install chromium)"
    ),
]

DOCUMENTATION: Final = (ROOT / "docs" / "playground.md").read_text("utf-8")
FRAMES: Final = 20
SPEC: Final = """{
  "type": "data", "name": "Login", "validVersions": "0-1", "flexibleVersions": "1+",
  "about": "A login.",
  "fields": [
    { "name": "User", "type": "string", "versions": "0+", "about": "The name." },
    { "name": "Password", "type": "string", "versions": "0+", "sensitive": true, "about": "The password." }
  ]
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with the specs of this repository."""
    folder = tmp_path_factory.mktemp("playground")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "official_specs", lambda: SPECS)
        done = CliRunner().invoke(command.main, [str(folder / "page")], catch_exceptions=False)
    (size,) = re.findall(r"^(\d\d\.\d) MB in build/playground$", DOCUMENTATION, re.MULTILINE)
    megabytes, _, rest = done.output.partition(" ")
    # The page of users has the specs of all releases.
    assert float(size) == pytest.approx(float(megabytes), abs=0.5)
    assert rest == f"MB in {folder / 'page'}\n"
    return folder / "page"


@pytest.fixture(scope="module")
def visiting(folder: Path) -> Iterator[Visit]:
    """One visit for all tests, because the page loads for seconds. It begins with a link to a response."""
    with visit(folder, text="00000007 0000 00000000", message="ApiVersionsResponse", part="response") as visiting:
        expect(visiting.page.locator("#summary")).to_contain_text("ApiVersionsResponse version 0, response: 10 bytes")
        yield visiting


@pytest.fixture
def page_visit(visiting: Visit) -> Iterator[Visit]:
    yield visiting
    assert visiting.troubles == []
    assert {url for url in visiting.requested if not url.startswith((visiting.url, "blob:", "data:"))} == set()


@pytest.fixture(scope="module")
def frames() -> list[tuple[str, bytes]]:
    """Return messages with their headers and sizes, by name; Java's classes wrote the messages."""
    rows = {row["message"]: row for row in read_rows(OWN_MESSAGES) if 8 < len(row["hex"]) < 600}
    names = sorted(name for name in rows if name.endswith(("Request", "Response")))
    found = []
    # Take messages from all parts of the alphabet.
    for name in names[:: len(names) // FRAMES][:FRAMES]:
        version, data = rows[name]["version"], bytes.fromhex(rows[name]["hex"])
        message: Any = getattr(messagegen_kafka, name).decode(data, version=version)
        frame: bytes = message.encode_frame(version=version, correlation_id=7)
        assert frame.endswith(data)
        found.append((name, frame))
    return found


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    """The functions of the page in this Python."""
    folder = tmp_path_factory.mktemp("specs")
    for name, text in SPECS.items():
        (folder / name).write_bytes(text)
    (folder / "index.json").write_text(index_of(SPECS), "utf-8")
    return Playground(folder)


def row_of(part: dict[str, Any]) -> list[str]:
    """Return the first four cells of the row of a part. The row of a struct has only a name."""
    place = [str(part["offset"]), str(part["bytes"])] if part["bytes"] else ["", ""]
    value = "hidden: may be sensitive" if part["value"] is None else part["value"].strip()
    return [*place, part["field"], value]


@pytest.mark.parametrize("number", range(FRAMES))
def test_frames_are_explained_as_in_a_terminal(
    page_visit: Visit, local: Playground, frames: list[tuple[str, bytes]], number: int
) -> None:
    name, data = frames[number]
    chosen, part = ("", "") if name.endswith("Request") else (name, "response")
    expected = json.loads(local.explain(json.dumps({"text": data.hex(), "message": chosen, "part": part})))
    assert (expected["message"], expected["status"], expected["sized"]) == (name, "clean", True)
    page_visit.show(text=data.hex(" "), message=chosen, part=part)
    summary = page_visit.page.locator("#summary")
    expect(summary).to_contain_text(f"{name} version {expected['version']}, ")
    expect(summary).to_contain_text(f"with its size: {len(data)} bytes, no problems")
    assert [[*row, ""][:4] for row in page_visit.rows()] == [row_of(each) for each in expected["parts"]]
    assert page_visit.page.locator(".byte").count() == len(data)


def test_the_bytes_of_the_documentation_have_the_documented_fields(page_visit: Visit) -> None:
    dump = next(block.text for block in blocks(DOCUMENTATION) if block.language == "text")
    documented = [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in DOCUMENTATION.splitlines() if "| " in line
    ][1:]
    page_visit.explain(dump)
    expect(page_visit.page.locator("#summary")).to_contain_text("MetadataRequest version 9, request with its size")
    rows = page_visit.rows()
    assert len(documented) == 4
    assert [row for row in documented if row not in rows] == []


def test_selecting_bytes_marks_their_field_and_vice_versa(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show(text="0012 0000 00000007 0001 61")
    expect(page.locator("#summary")).to_contain_text("ApiVersionsRequest version 0, request: 11 bytes, no problems")
    active, row = page.locator(".byte.active"), page.locator("#fields tr.active")
    page.locator("#fields tbody tr").first.focus()
    expect(active).to_have_count(11)
    page.keyboard.press("ArrowDown")
    expect(active).to_have_text(["00", "12"])
    page.locator(".byte").last.hover()
    expect(row).to_contain_text("client_id")
    expect(page.locator("#detail")).to_contain_text("int16 length: 1, then 1 byte of UTF-8")
    page.get_by_role("heading", level=1).hover()
    expect(row).to_contain_text("request_api_key")
    page.locator(".byte").first.focus()
    page.keyboard.press("End")
    expect(row).to_contain_text("client_id")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "61, offset 10, client_id")


def test_the_first_damaged_byte_is_marked(page_visit: Visit) -> None:
    page_visit.explain("0012 0000 00000007 0005 61")
    page = page_visit.page
    expect(page.locator("#summary")).to_contain_text("the bytes stop making sense at offset 8, in client_id")
    expect(page.locator(".byte.problem")).to_have_attribute("aria-label", re.compile("^00, offset 8, "))
    expect(page.locator("#fields tr.problem")).to_contain_text("invalid number of bytes, 5; bytes left: 1")


def test_values_are_shown_as_text(page_visit: Visit) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    page_visit.explain(f"0012 0000 00000007 {len(hostile):04x} {hostile.encode().hex()}")
    expect(page_visit.page.locator("#fields tbody")).to_contain_text(hostile)
    assert page_visit.page.locator("main img").count() == 0


def test_text_without_bytes_is_an_error(page_visit: Visit) -> None:
    page_visit.explain("not bytes!")
    expect(page_visit.page.locator("#summary")).to_have_text("expected hex, base64 or a dump, found '!'")
    expect(page_visit.page.locator("#explanation")).to_be_hidden()


def test_sensitive_values_are_hidden_and_their_link_needs_a_second_click(page_visit: Visit) -> None:
    page = page_visit.page
    state = {"text": "0001 61 0002 6869", "own": True, "spec": SPEC, "version": "0", "part": "body"}
    page_visit.show(**state)
    expect(page.get_by_text("The bytes have sensitive values: password.")).to_be_visible()
    assert page_visit.rows()[-1][3] == "hidden: may be sensitive"
    expect(page.locator(".byte").last).to_have_text("••")
    page.get_by_label("Show sensitive values").check()
    expect(page.locator("#fields tr").last).to_contain_text('"hi"')
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share = page.locator("#view-bytes .share")
    note = page.locator("#view-bytes .shared")
    share.click()
    expect(note).to_have_text("The link contains the value of password. Press again to copy it.")
    share.click()
    expect(note).to_have_text("Copied.")
    assert state_of(page.evaluate("navigator.clipboard.readText()")) == state


def test_notes_about_a_link_disappear_when_the_page_changes(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show(text="0001 61 0002 6869", own=True, spec=SPEC, version="0", part="body")
    expect(page.get_by_text("The bytes have sensitive values: password.")).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share, note = page.locator("#view-bytes .share"), page.locator("#view-bytes .shared")
    text = page.get_by_role("textbox", name="Bytes")
    asked = "The link contains the value of password. Press again to copy it."
    share.click()
    expect(note).to_have_text(asked)
    text.fill("0001 62 0002 6868")
    expect(note).to_be_empty()
    share.click()
    expect(note).to_have_text(asked)
    share.click()
    expect(note).to_have_text("Copied.")
    page.get_by_role("tab", name="Specs").click()
    page.get_by_label("Old spec", exact=True).fill(SPEC)
    page.get_by_role("tab", name="Bytes").click()
    expect(note).to_be_empty()


def test_the_request_in_the_header_is_offered_if_the_chosen_message_does_not_fit(page_visit: Visit) -> None:
    page = page_visit.page
    dump = next(block.text for block in blocks(DOCUMENTATION) if block.language == "text")
    page_visit.show()
    page.get_by_label("Example").select_option("A response")
    expect(page.locator("#summary")).to_contain_text("no problems")
    offer = page.get_by_role("button", name="Explain them as that request")
    expect(offer).to_be_hidden()
    page.get_by_role("textbox", name="Bytes").fill(dump)
    expect(page.get_by_label("Example")).to_have_value("")
    expect(page.locator("#offer")).to_contain_text("These bytes begin with the header of MetadataRequest version 9.")
    offer.click()
    expect(page.locator("#summary")).to_contain_text("MetadataRequest version 9, request with its size: 33 bytes")
    expect(page.get_by_label("Message", exact=True)).to_have_value("")
    expect(offer).to_be_hidden()


def test_choices_are_reset_when_the_own_spec_is_disabled(page_visit: Visit) -> None:
    page = page_visit.page
    dump = next(block.text for block in blocks(DOCUMENTATION) if block.language == "text")
    page_visit.show()
    page.get_by_label("Example").select_option("My own message")
    expect(page.locator("#summary")).to_contain_text("SensorReading version 1")
    page.get_by_role("textbox", name="Bytes").fill(dump)
    page.get_by_label("Use my own spec").uncheck()
    expect(page.locator("#summary")).to_contain_text("MetadataRequest version 9, request with its size: 33 bytes")


def test_a_link_opens_the_same_bytes_again(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show()
    page_visit.explain("0001 62 0002 6869", own=True)
    page.get_by_label("Version", exact=True).select_option("0")
    expect(page.locator("#summary")).to_contain_text("SensorReading version 0")
    page.get_by_role("tab", name="Specs").click()
    page.get_by_label("Spec", exact=True).fill(SPEC)
    expect(page.locator("#spec-summary")).to_have_text("Login, versions 0 to 1: no findings")
    page.get_by_role("button", name="Explain bytes with this spec").click()
    expect(page.locator("#summary")).to_contain_text("Login version 0, message: 7 bytes, no problems")
    page.wait_for_url(lambda url: state_of(url).get("spec") == SPEC and "view" not in state_of(url))
    shared = page.url
    page_visit.show(text="")
    expect(page.locator("#explanation")).to_be_hidden()
    page.goto(shared)
    expect(page.locator("#summary")).to_contain_text("Login version 0, message: 7 bytes, no problems")
    expect(page.get_by_role("textbox", name="Bytes")).to_have_value("0001 62 0002 6869")


def test_addresses_that_cannot_be_read_are_reported(page_visit: Visit) -> None:
    page_visit.page.goto(f"{page_visit.url}#nonsense")
    expect(page_visit.page.locator("#status")).to_have_text("The address has no bytes or specs that can be read.")


def test_a_finding_shows_the_line_of_the_mistake(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show(view="specs", spec=SPEC.replace('"string"', '"sting"', 1), old="")
    finding = page.locator("#findings li")
    expect(finding).to_have_count(1)
    expect(finding).to_contain_text("error: FIELD_TYPE_KNOWN")
    expect(page.locator("#view-specs .lines .error")).to_have_text("5")
    finding.get_by_role("button", name="Line 5").click()
    caret = page.get_by_label("Spec", exact=True).evaluate("area => area.value.slice(area.selectionStart)")
    assert caret.startswith('"sting"')
    expect(page.locator("#breaking-summary")).to_have_text("Paste an older version of the spec to compare it.")


def test_advice_about_style_is_a_warning(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show(view="specs", spec=SPEC.replace(', "about": "The name."', ""))
    expect(page.locator("#spec-summary")).to_have_text("Login, versions 0 to 1: 0 errors, 1 warning")
    expect(page.locator("#findings .warning")).to_contain_text("warning: FIELD_ABOUT_WRITTEN")
    expect(page.locator("#python")).to_contain_text("class Login(")


def test_a_spec_is_not_compared_with_another_message(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show(view="specs")
    page.get_by_label("Spec", exact=True).fill(SPEC)
    expect(page.locator("#breaking-summary")).to_have_text("The old spec is of another message; nothing is compared.")
    expect(page.locator("#breaking li")).to_have_count(0)


def test_the_page_shows_generated_python_for_a_valid_spec(page_visit: Visit) -> None:
    page_visit.show(view="specs", spec=SPEC)
    expect(page_visit.page.locator("#spec-summary")).to_have_text("Login, versions 0 to 1: no findings")
    expect(page_visit.page.locator("#python")).to_contain_text("class Login(")


def test_an_edit_that_breaks_the_wire_format_is_reported(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show(view="specs", spec=SPEC, old=SPEC)
    expect(page.locator("#breaking-summary")).to_have_text("0 breaking changes")
    page.get_by_label("Spec", exact=True).fill(SPEC.replace('"type": "string"', '"type": "int32"', 1))
    expect(page.locator("#breaking-summary")).to_have_text("2 breaking changes")
    expect(page.locator("#breaking li").last).to_contain_text('field "User": type was string, now int32')


def test_official_specs_can_be_opened(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show(view="specs")
    page.get_by_label("Begin with").select_option("MetadataRequest")
    expect(page.locator("#spec-summary")).to_contain_text("MetadataRequest, versions ")
    expect(page.locator("#breaking-summary")).to_have_text("0 breaking changes")


def test_the_arrow_keys_change_the_view(page_visit: Visit) -> None:
    page = page_visit.page
    page_visit.show()
    page.get_by_role("tab", name="Bytes").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Specs")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Specs")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Bytes")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("view", ["bytes", "specs"])
def test_texts_fit_into_the_screen(page_visit: Visit, width: int, view: str, scheme: Any) -> None:
    page = page_visit.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page_visit.show(view=view, text="0012 0000 00000007 0001 61")
    expect(page.locator("#dump" if view == "bytes" else "#python")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})


def test_every_control_has_a_label_or_text(page_visit: Visit) -> None:
    unnamed = (
        "[...document.querySelectorAll('button, select, textarea, input')]"
        ".filter(each => !each.labels?.length && !each.textContent.trim()).map(each => each.outerHTML)"
    )
    assert page_visit.page.evaluate(unnamed) == []


def test_the_page_states_the_size_of_its_downloads(page_visit: Visit, folder: Path) -> None:
    loaded = sum(json.loads((folder / "sizes.json").read_text("utf-8")).values())
    expect(page_visit.page.locator("#sizes")).to_contain_text(f"The page loads {loaded / 1e6:.1f} MB: ")
    read = {url.removeprefix(page_visit.url).partition("#")[0] for url in page_visit.requested}
    assert set(json.loads((folder / "sizes.json").read_text("utf-8"))) <= read
