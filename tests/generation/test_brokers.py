"""Packages with only the versions that clients of given brokers need: their session and their files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from messagegen.brokers.supported import supported_versions
from messagegen.cli import run
from messagegen.fetch.releases import RELEASES
from messagegen.generation.loading import load_specs
from messagegen.spec.model import MessageSpec
from tests.support.specs import OWN, package, read_specs

NAMES: Final = ("ApiVersions*", "Fetch*", "Metadata*", "Produce[!r]*", "InitProducerId*", "Share*", "*Header")
SUPPORTED: Final = RELEASES[RELEASES.index("2.8.2") :]
API_VERSIONS: Final = 18


@cache
def specs() -> list[MessageSpec]:
    return read_specs([OWN], messages=NAMES, brokers=SUPPORTED)


@cache
def small() -> ModuleType:
    return load_specs(specs())


def classes(*kinds: str) -> Iterator[tuple[Any, Any]]:
    """Yield the classes of ``kinds`` in the small package, each with its counterpart in the package of all versions."""
    for each in specs():
        if each.kind.value in kinds:
            yield getattr(small(), each.name), getattr(package(OWN), each.name)


def names_of(cls: Any, version: int) -> list[str]:
    return [each.name for each in cls.fields(version=version)]


def connected(messages: ModuleType, release: str) -> Any:
    """Return a session after the handshake with a broker, which refuses newer versions of ApiVersions (KIP-511)."""
    versions = supported_versions()[release]
    client = messages.ClientSession(messages, client_id="app")
    for _ in range(2):
        sent = client.send(messages.ApiVersionsRequest(client_software_name="app", client_software_version="1"))
        refused = sent.version not in versions[API_VERSIONS]
        answer = api_versions(messages, versions, error_code=35 if refused else 0)
        frame = answer.encode_frame(version=0 if refused else sent.version, correlation_id=sent.correlation_id)
        (event,) = client.receive(frame)
        if not event.refused:
            return client
    raise AssertionError(f"{release} refused the version that it offers")


def api_versions(messages: ModuleType, versions: Any, error_code: int) -> Any:
    keys = [{"apiKey": key, "minVersion": each.lowest, "maxVersion": each.highest} for key, each in versions.items()]
    document = {"errorCode": error_code, "apiKeys": keys}
    return messages.ApiVersionsResponse.from_json(document, version=0)


@pytest.mark.parametrize("release", SUPPORTED)
def test_sessions_of_small_and_full_packages_choose_the_same_versions(release: str) -> None:
    few, all_versions = connected(small(), release), connected(package(OWN), release)
    offered = supported_versions()[release]
    checked = 0
    for cls, whole in classes("request"):
        if cls.API_KEY in offered:
            checked += 1
            assert few.version_for(cls) == all_versions.version_for(whole), cls.__name__
            assert whole.RESPONSE.VALID_VERSIONS[0] <= few.version_for(cls) <= whole.RESPONSE.VALID_VERSIONS[-1]
    assert checked >= 5


def test_kept_versions_have_the_same_bytes_and_fields_as_in_the_full_package() -> None:
    compared = 0
    for cls, whole in classes("request", "response"):
        for version in cls.VALID_VERSIONS:
            assert cls().encode(version=version) == whole().encode(version=version)
            assert names_of(cls, version) == names_of(whole, version)
            compared += 1
        assert len(cls.VALID_VERSIONS) < len(whole.VALID_VERSIONS) or cls.API_KEY in {API_VERSIONS, *range(68, 95)}
    assert compared > 50


class TestGenerate:
    @pytest.fixture(autouse=True)
    def repository(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("specs").mkdir()
        for file in OWN.glob("*Fetch*.json"):
            (Path("specs") / file.name).write_bytes(file.read_bytes())
        self.configure('messages = ["Fetch*", "ShareFetch*"]')

    def configure(self, *lines: str) -> None:
        table = ["[tool.messagegen]", 'specs = ["specs"]', 'output = "src/few"', *lines]
        Path("pyproject.toml").write_text("\n".join(table), encoding="utf-8")

    def modules(self) -> set[str]:
        found = {path.name for path in Path("src/few").glob("*_re*.py")}
        listed = json.loads(Path("src/few/MANIFEST.json").read_text(encoding="utf-8"))["files"]
        assert {name for name in listed if "_re" in name and "/" not in name} == found
        return found

    def test_check_fails_until_files_match_the_brokers(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["generate"]) == 0
        assert self.modules() == {
            "fetch_request.py",
            "fetch_response.py",
            "share_fetch_request.py",
            "share_fetch_response.py",
        }
        self.configure('messages = ["Fetch*", "ShareFetch*"]', 'brokers = "2.8..3.0"')
        capsys.readouterr()
        assert run(["generate", "--check", "--format", "json"]) == 1
        findings = json.loads(capsys.readouterr().out)["findings"]
        assert {finding["message"] for finding in findings} >= {
            "src/few/fetch_request.py would change",
            "src/few/share_fetch_request.py is no longer generated",
        }
        assert run(["generate"]) == 0
        assert self.modules() == {"fetch_request.py", "fetch_response.py"}
        assert "VALID_VERSIONS = range(12, 13)" in Path("src/few/fetch_request.py").read_text(encoding="utf-8")
        assert run(["generate", "--check"]) == 0

    def test_flags_override_the_table(self) -> None:
        self.configure('messages = ["Fetch*"]', 'brokers = "2.8"')
        assert run(["generate", "--brokers", "4.4", "--exclude", "*Response", "--message", "*Fetch*"]) == 0
        assert self.modules() == {"fetch_request.py", "offset_fetch_request.py", "share_fetch_request.py"}
        assert "VALID_VERSIONS = range(18, 19)" in Path("src/few/fetch_request.py").read_text(encoding="utf-8")

    def test_vectors_are_made_only_for_messages_that_match_the_pattern(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.configure()
        assert run(["vectors", "--message", "Share*Request"]) == 0
        found = {json.loads(line)["message"] for line in capsys.readouterr().out.splitlines()}
        assert found == {"ShareFetchRequest"}

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["--brokers", "2.9"], "unknown release '2.9'; expected one of 2.4.1, 2.5.1"),
            (["--brokers", ".."], "unknown release ''; expected one of 2.4.1"),
            (["--brokers", "4.4..3.0"], "4.4 is newer than 3.0; write the older release first"),
            (["--brokers", "3.0", "--message", "ShareFetchRequest"], "Kafka 3.0.2 support no stable version of ShareF"),
            (["--exclude", "Fech*"], 'no message matches "Fech*"'),
            (["--exclude", "*"], "exclude leaves no message"),
        ],
    )
    def test_wrong_choices_are_errors(
        self, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["generate", *arguments]) == 2
        assert expected in " ".join(capsys.readouterr().err.split())
        assert not Path("src").exists()
