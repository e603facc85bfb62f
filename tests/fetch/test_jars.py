"""Jars of known releases come from Maven's folder, a web address or a Maven client, and have pinned digests."""

from __future__ import annotations

import hashlib
import http.server
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from messagegen.cli import run
from messagegen.fetch import jars as jars_module
from messagegen.fetch.digests import SHA256
from messagegen.fetch.jars import published_jars
from messagegen.fetch.releases import RELEASES, artifacts_of
from messagegen.fetch.settings import CENTRAL, MavenSettings, read_settings
from messagegen.fetch.sources import FetchError
from messagegen.fetch.specs import from_release

RELEASE: Final = "4.4.0"
UNKNOWN: Final = "9.9.9"
SPEC: Final = b'{"type": "data", "name": "A", "validVersions": "0", "flexibleVersions": "none", "fields": []}'


class Repository:
    """A local web server with one jar for each artifact; ``asked`` contains the requested paths."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        self.folder = folder
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}/maven"

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        repository = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                repository.asked.append(self.path)
                super().do_GET()

            def translate_path(self, path: str) -> str:
                return str(repository.folder / path.rpartition("/")[2])

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
                pass

        return Handler


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    """A repository whose jars have the pinned digests, without a Maven client or Maven's folder of jars."""
    served = tmp_path / "served"
    served.mkdir()
    digests: dict[str, str] = {}
    for artifact in artifacts_of(RELEASE):
        jar = served / f"{artifact}-{RELEASE}.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr("message/A.json", SPEC)
        digests[artifact] = hashlib.sha256(jar.read_bytes()).hexdigest()
    monkeypatch.setattr(jars_module, "SHA256", {RELEASE: digests})
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    found = Repository(served)
    thread = threading.Thread(target=found.server.serve_forever, daemon=True)
    thread.start()
    write_settings(f"<mirrors><mirror><id>near</id><mirrorOf>*</mirrorOf><url>{found.url}/</url></mirror></mirrors>")
    yield found
    found.server.shutdown()
    found.server.server_close()
    thread.join()


def write_settings(content: str) -> Path:
    """Write Maven's settings below the home folder, and return the folder of the file."""
    folder = Path.home() / ".m2"
    folder.mkdir(parents=True, exist_ok=True)
    namespace = "http://maven.apache.org/SETTINGS/1.0.0"
    (folder / "settings.xml").write_text(f'<settings xmlns="{namespace}">{content}</settings>', "utf-8")
    return folder


def test_a_release_is_downloaded_without_maven(repository: Repository) -> None:
    specs = from_release(RELEASE)
    assert list(specs.texts) == sorted(f"{name}/A.json" for name in artifacts_of(RELEASE))
    assert repository.asked[0] == "/maven/org/apache/kafka/kafka-clients/4.4.0/kafka-clients-4.4.0.jar"


def test_a_jar_with_a_wrong_digest_is_refused(repository: Repository) -> None:
    with zipfile.ZipFile(repository.folder / f"kafka-clients-{RELEASE}.jar", "a") as archive:
        archive.writestr("message/Evil.json", SPEC)
    with pytest.raises(
        FetchError, match=r"expected SHA-256 [0-9a-f]{64}, found .* for http://127.0.0.1.*clients-4.4.0"
    ):
        from_release(RELEASE)


def test_jars_in_the_folder_of_maven_are_used_without_a_download(repository: Repository, tmp_path: Path) -> None:
    folder = Path.home() / ".m2/repository/org/apache/kafka/kafka-clients" / RELEASE
    folder.mkdir(parents=True)
    name = f"kafka-clients-{RELEASE}.jar"
    (folder / name).write_bytes((repository.folder / name).read_bytes())
    assert published_jars(RELEASE, ["kafka-clients"], tmp_path) == [folder / name]
    assert repository.asked == []
    (folder / name).write_bytes(b"changed")
    assert published_jars(RELEASE, ["kafka-clients"], tmp_path) == [tmp_path / name]
    assert len(repository.asked) == 1


def test_a_missing_jar_is_reported(repository: Repository) -> None:
    (repository.folder / f"kafka-raft-{RELEASE}.jar").unlink()
    with pytest.raises(FetchError, match=r"cannot download http://127.*/kafka-raft-4.4.0.jar: (Not Found|File not fo)"):
        from_release(RELEASE)


def test_an_unreachable_repository_is_reported(repository: Repository) -> None:
    repository.server.server_close()
    with pytest.raises(FetchError, match=r"cannot download .*; check the network and HTTPS_PROXY, install Maven"):
        published_jars(RELEASE, ["kafka-clients"], Path.home())


def test_an_unknown_release_needs_maven_or_digests(repository: Repository) -> None:
    with pytest.raises(FetchError, match=r"no Maven client .*; install Maven, pass the SHA-256 of each jar of Kafka 9"):
        from_release(UNKNOWN)
    assert repository.asked == []


@pytest.fixture
def digests(repository: Repository) -> list[str]:
    """Add the jars of an unknown release to the repository, and return their digests."""
    found: list[str] = []
    for artifact in artifacts_of(UNKNOWN):
        jar = repository.folder / f"{artifact}-{UNKNOWN}.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr("message/A.json", SPEC)
            archive.comment = artifact.encode()
        found.append(hashlib.sha256(jar.read_bytes()).hexdigest())
    return found


def fetch(*words: str) -> int:
    return run(["fetch-specs", UNKNOWN, "--output", "specs", *words])


def options(digests: list[str]) -> list[str]:
    return [word for digest in digests for word in ("--sha256", digest)]


def test_a_release_with_given_digests_is_downloaded_without_maven(
    repository: Repository, digests: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fetch(*options(digests[::-1])) == 0
    assert len(list(Path("specs").glob("*/A.json"))) == len(digests) == len(repository.asked)
    assert fetch(*options([digest.upper() for digest in digests])) == 0


def test_a_jar_without_a_given_digest_is_refused(
    repository: Repository,
    digests: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fetch(*options(digests[1:])) == 2
    error = capsys.readouterr().err
    assert f"kafka-clients-{UNKNOWN}.jar has SHA-256 {digests[0]}, which was not passed" in error
    assert not Path("specs").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((UNKNOWN, "--sha256", "abc"), "'abc' is not a SHA-256; write 64 hexadecimal digits"),
        ((RELEASE, "--sha256", "0" * 64), f"the SHA-256 of the jars of Kafka {RELEASE} are known; remove --sha256"),
        (("--sha256", "0" * 64), "--sha256 needs a RELEASE"),
        (("--jar", "a.jar", "--sha256", "0" * 64), "--sha256 needs a RELEASE"),
        ((UNKNOWN, "--check", "--sha256", "0" * 64), "--check only compares DIR with its lock file"),
    ],
)
def test_sha256_is_refused_unless_an_unknown_release_is_downloaded(
    repository: Repository, words: tuple[str, ...], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fetch-specs", *words, "--output", str(tmp_path / "specs")]) == 2
    assert problem in capsys.readouterr().err
    assert repository.asked == []


ONLY_MAVEN: Final = {
    "a login": "<servers><server><id>near</id></server></servers>{mirror}",
    "a proxy": "<proxies><proxy><host>proxy</host></proxy></proxies>{mirror}",
}


@pytest.mark.parametrize("case", ONLY_MAVEN)
def test_maven_downloads_if_its_settings_have_a_login_or_a_proxy(repository: Repository, case: str) -> None:
    mirror = f"<mirrors><mirror><id>near</id><mirrorOf>*</mirrorOf><url>{repository.url}</url></mirror></mirrors>"
    write_settings(ONLY_MAVEN[case].format(mirror=mirror))
    with pytest.raises(FetchError, match=r"Maven.s settings have a login, a proxy or a mirror .*; check the netw"):
        from_release(RELEASE)
    programs = Path.home().with_name("programs")
    programs.mkdir()
    copies = "".join(f'cp "{jar}" "$(dirname "$pom")"\n' for jar in sorted(repository.folder.iterdir()))
    (programs / "mvn").write_text(
        f'#!/bin/sh\nPATH=/usr/bin:/bin\nwhile [ "$1" != --file ]; do shift; done\npom=$2\n{copies}'
    )
    (programs / "mvn").chmod(0o755)
    assert len(from_release(RELEASE).texts) == len(artifacts_of(RELEASE))
    (repository.folder / f"kafka-raft-{RELEASE}.jar").write_bytes(b"changed")
    with pytest.raises(FetchError, match=r"expected SHA-256 .* for kafka-raft-4.4.0.jar"):
        from_release(RELEASE)
    assert repository.asked == []


def mirror(of: str, name: str = "near", url: str = "https://near/maven", more: str = "") -> str:
    return f"<mirror><id>{name}</id><mirrorOf>{of}</mirrorOf><url>{url}</url>{more}</mirror>"


NEAR: Final = "https://near/maven"


@pytest.mark.parametrize(
    ("mirrors", "url"),
    [
        ("", CENTRAL),
        (mirror("central"), NEAR),
        (mirror("*"), NEAR),
        (mirror("external:*"), NEAR),
        (mirror("snapshots, central"), NEAR),
        (mirror("*, !central"), CENTRAL),
        (mirror("snapshots"), CENTRAL),
        (mirror("external:http:*", more="<blocked>true</blocked>"), CENTRAL),
        (mirror("*", "any", "https://any/maven") + mirror("central"), NEAR),
        (mirror("*", more="<blocked>true</blocked>"), None),
        (mirror("*", url="https://user:secret@near/maven"), None),
        (mirror("*", url="${env.MIRROR}"), None),
        (mirror("*", url="file:///srv/maven"), None),
        (mirror("*", url="https://[near"), None),
        (mirror("*", url=""), None),
    ],
)
def test_the_mirror_of_the_central_repository_is_read_from_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mirrors: str, url: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = write_settings(f"<mirrors>{mirrors}</mirrors>")
    assert read_settings(folder) == MavenSettings(url, folder / "repository")


def test_maven_settings_name_the_jar_folder_and_invalid_settings_have_no_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_settings(tmp_path / "none") == MavenSettings(CENTRAL, tmp_path / "none/repository")
    folder = write_settings("<localRepository>/srv/jars</localRepository>")
    assert read_settings(folder) == MavenSettings(CENTRAL, Path("/srv/jars"))
    (folder / "settings.xml").write_text("<settings>", "utf-8")
    assert read_settings(folder).url is None


def test_every_jar_with_specs_of_a_known_release_has_a_digest() -> None:
    assert {release: sorted(digests) for release, digests in SHA256.items()} == {
        release: sorted(artifacts_of(release)) for release in RELEASES
    }
