"""Specs from jars, from a source checkout and through Maven."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from messagegen.fetch import jars as published
from messagegen.fetch import sources as fetch_sources
from messagegen.fetch.releases import NEWEST_RELEASE, artifacts_of
from messagegen.fetch.sources import is_message_spec, read_jar
from messagegen.fetch.specs import FetchError, check_specs, from_jars, from_release, store_specs

EXPECTED_SPEC_COUNT = 286
"""The number of official specs in the jars of the newest release."""

LICENCE = b"// Licensed to the owner.\n/* { */\n"

# A fake Maven client, which copies jars from a folder. For a missing jar, it fails with the output of Maven 3.8.
FAKE_MAVEN = """\
#!{python}
import pathlib, re, shutil, sys
pom = pathlib.Path(sys.argv[sys.argv.index("--file") + 1])
assert "--batch-mode" in sys.argv and sys.argv[-1].endswith(":copy"), sys.argv
for artifact, version in re.findall("<artifactId>(kafka.*?)</artifactId><version>(.*?)<", pom.read_text()):
    jar = pathlib.Path({jars!r}, f"{{artifact}}-{{version}}.jar")
    print(f"[INFO] Downloading from central: https://repo/org/apache/kafka/{{artifact}}/{{version}}/{{jar.name}}")
    if not jar.exists():
        cause = {failure!r}.format(artifact=artifact, version=version)
        print(f"[ERROR] Failed to execute goal {{sys.argv[-1]}} (default-cli) on project jars: "
              f"Unable to find/resolve artifact. {{cause}} -> [Help 1]")
        sys.exit(1)
    shutil.copy(jar, pom.parent)
"""
NOT_FOUND = "Could not find artifact org.apache.kafka:{artifact}:jar:{version} in central (https://repo/maven2)"

FakeMaven = Callable[..., None]


def spec(name: str, kind: str = "data") -> bytes:
    return LICENCE + f'{{"type": "{kind}", "name": "{name}", "validVersions": "0", "fields": []}}\n'.encode()


def make_jar(path: Path, entries: Mapping[str, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a Maven client on PATH. Remove all pinned digests, so that every release needs Maven."""
    monkeypatch.setattr(published, "SHA256", {})
    (folder / "mvn").write_text(script)
    (folder / "mvn").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.fixture
def fake_maven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeMaven:
    """Return a function that puts a fake Maven client on PATH.

    The client has ``jars``, a mapping of file names to entries, and prints ``failure`` for other jars.
    """

    def make(jars: Mapping[str, Mapping[str, bytes]], failure: str = NOT_FOUND) -> None:
        folder = tmp_path / "published"
        folder.mkdir()
        for name, entries in jars.items():
            make_jar(folder / name, entries)
        put_on_path(tmp_path, monkeypatch, FAKE_MAVEN.format(python=sys.executable, jars=str(folder), failure=failure))

    return make


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"type": "data", "name": "A"}',
        b'{"type": "object", "name": "A", "validVersions": "0"}',
        b'{"type": "data", "validVersions": "0"}',
        b'{"inner": {"type": "data", "name": "A", "validVersions": "0"}}',
        b'[{"type": "data", "name": "A", "validVersions": "0"}]',
        spec("Large") + b" " * fetch_sources.LARGEST_SPEC,
    ],
)
def test_files_that_are_not_specs_are_ignored(text: bytes) -> None:
    assert not is_message_spec(text)


def test_the_total_size_of_specs_in_a_jar_is_limited(tmp_path: Path) -> None:
    blank = spec("Blank") + b" " * (fetch_sources.LARGEST_SPEC - 200)
    entries = {f"{number}/Spec{number}.json": blank for number in range(65)}
    jar = make_jar(tmp_path / "kafka-clients-1.0.jar", entries)
    with pytest.raises(FetchError, match=r"more than 64 MB of JSON; no Kafka jar has that"):
        read_jar(jar)


def test_specs_are_found_anywhere_in_a_jar(tmp_path: Path) -> None:
    entries = {
        "message/Snapshot.json": spec("ProducerSnapshot"),
        "common/message/FetchRequest.json": spec("FetchRequest", "request"),
        "META-INF/MANIFEST.MF": b"Version: 4.3.1\n",
        "kafka/settings.json": b'{"type": "data"}',
    }
    path = make_jar(tmp_path / "kafka_2.13-4.3.1.jar", entries)
    found = read_jar(path)
    assert found.release == "4.3.1"
    assert list(found.texts.items()) == [
        ("kafka_2.13/FetchRequest.json", entries["common/message/FetchRequest.json"]),
        ("kafka_2.13/Snapshot.json", entries["message/Snapshot.json"]),
    ]


def test_specs_whose_names_differ_only_in_case_are_refused(tmp_path: Path) -> None:
    jar = make_jar(tmp_path / "a-1.jar", {"one/Fetch.json": spec("Fetch"), "two/fetch.json": spec("Fetch")})
    with pytest.raises(FetchError, match=r"expected a unique file name for each spec"):
        read_jar(jar)


def test_bad_jars_are_refused_with_the_cause(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"cannot read the jar .*none-1\.jar: No such file"):
        read_jar(tmp_path / "none-1.jar")
    page = tmp_path / "page-1.jar"
    page.write_text("<html>404</html>")
    with pytest.raises(FetchError, match=r"is not a jar, or it is damaged: .*; download it again"):
        read_jar(page)
    cut = make_jar(tmp_path / "cut-1.jar", {"A.json": spec("A")})
    data = bytearray(cut.read_bytes())
    data[40:60] = bytes(20)
    cut.write_bytes(data)
    with pytest.raises(FetchError, match="cut-1"):
        read_jar(cut)


def test_specs_of_several_jars_are_sorted_by_artifact(tmp_path: Path) -> None:
    jars = [make_jar(tmp_path / f"{name}-4.3.1.jar", {"A.json": spec("A")}) for name in ("kafka-raft", "kafka-clients")]
    specs = from_jars(jars)
    assert specs.release == "4.3.1"
    assert list(specs.texts) == ["kafka-clients/A.json", "kafka-raft/A.json"]
    older = make_jar(tmp_path / "kafka-storage-4.0.0.jar", {"A.json": spec("A")})
    assert from_jars([*jars, older]).release is None
    with pytest.raises(FetchError, match=r"two jars have kafka-raft/A\.json"):
        from_jars([*jars, jars[0]])
    with pytest.raises(FetchError, match=r"no message specs in other-1\.jar"):
        from_jars([make_jar(tmp_path / "other-1.jar", {"readme.txt": b""})])


def all_jars(release: str) -> dict[str, dict[str, bytes]]:
    return {f"{name}-{release}.jar": {"common/message/A.json": spec("A")} for name in artifacts_of(release)}


@pytest.mark.parametrize("release", ["2.4.1", "3.0.0", "4.3.1"])
def test_a_release_is_fetched_through_maven(fake_maven: FakeMaven, release: str) -> None:
    fake_maven(all_jars(release))
    specs = from_release(release)
    assert list(specs.texts) == sorted(f"{name}/A.json" for name in artifacts_of(release))
    assert specs.release == release


def test_a_missing_release_is_reported(fake_maven: FakeMaven) -> None:
    fake_maven(all_jars("4.3.1"))
    with pytest.raises(FetchError, match=r"Could not find artifact .*:4\.3 in central .*; write all numbers"):
        from_release("4.3")


@pytest.mark.parametrize("release", ["", "4", "latest", "${user.home}", "4.3.1</version>", "../4.3.1", "[4.0,)"])
def test_invalid_releases_are_not_passed_to_maven(release: str) -> None:
    with pytest.raises(FetchError, match=r"is not a Kafka release; write it as 4\.4\.0"):
        from_release(release)


def test_a_missing_or_broken_maven_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(published, "SHA256", {})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match=r"no Maven client \(mvn\) on PATH; install Maven, .*, or pass local jars"):
        from_release("4.3.1")
    put_on_path(tmp_path, monkeypatch, "#!/nowhere/interpreter\n")
    with pytest.raises(FetchError, match=r"cannot run Maven at .*/mvn: No such file or directory; reinstall it"):
        from_release("4.3.1")


@pytest.mark.slow
@pytest.mark.java
def test_all_official_specs_are_fetched(tmp_path: Path) -> None:
    stored = store_specs(from_release(NEWEST_RELEASE), tmp_path / "specs")
    assert len(stored[1].written) == EXPECTED_SPEC_COUNT
    assert len(list((tmp_path / "specs").glob("*/*.json"))) == EXPECTED_SPEC_COUNT
    assert check_specs(tmp_path / "specs", NEWEST_RELEASE) == (stored[0], ())
    assert {path.partition("/")[0] for path in stored[0].files} == set(artifacts_of(NEWEST_RELEASE))
