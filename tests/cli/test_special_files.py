"""In every command, a pipe or a device in place of a file is an immediate error, and so is a link to itself."""

from __future__ import annotations

import importlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from tests.support.commands import SCRIPTS

SPEC = """\
{ "type": "data", "name": "Reading", "validVersions": "0", "flexibleVersions": "0+", "about": "A value.", "fields": [] }
"""
MESSAGE = ["--message", "Reading", "--version", "0"]
SECONDS = 60
"""The number of seconds after which a waiting command is stopped. In passing tests, commands take less."""

# The word PLACE stands for the path of the special file.
NAMED: dict[str, Sequence[str]] = {
    "lint": ["messagegen", "lint", "PLACE"],
    "fmt": ["messagegen", "fmt", "PLACE"],
    "generate": ["messagegen", "generate", "--specs", "PLACE", "--output", "out"],
    "docs": ["messagegen", "docs", "PLACE", "--output", "out"],
    "breaking": ["messagegen", "breaking", "--specs", "PLACE", "--against", "specs"],
    "breaking against": ["messagegen", "breaking", "--specs", "specs", "--against", "PLACE"],
    "upgrade-report": ["messagegen", "upgrade-report", "--from", "PLACE", "--to", "specs"],
    "merge-specs": ["messagegen", "merge-specs", "PLACE", "specs", "--output", "out"],
    "vectors": ["messagegen", "vectors", "--specs", "PLACE"],
    "verify-vectors": ["messagegen", "verify-vectors", "--specs", "PLACE", "--", "cat"],
    "conformance": ["messagegen", "conformance", "--specs", "PLACE"],
    "explain specs": ["messagegen", "explain", *MESSAGE, "--specs", "PLACE", "bytes.hex"],
    "explain": ["messagegen", "explain", *MESSAGE, "--specs", "specs", "PLACE"],
    "decode": ["messagegen", "decode", *MESSAGE, "--specs", "specs", "PLACE"],
    "encode": ["messagegen", "encode", *MESSAGE, "--specs", "specs", "PLACE"],
    "error codes": ["messagegen", "generate", "--specs", "specs", "--output", "out", "--error-codes", "PLACE"],
    "configuration": ["messagegen", "generate", "--config", "PLACE"],
    "jar": ["messagegen", "fetch-specs", "--jar", "PLACE", "--output", "out"],
    "dump": ["messagegen-data", "dump", "--message", "Reading", "--version", "0", "--specs", "PLACE", "topic-0"],
    "advise": ["messagegen-data", "advise", "--message", "Reading", "--specs", "PLACE", "topic-0"],
    "properties": ["kafka-offsets", "--command-config", "PLACE"],
    "quotas properties": ["kafka-client-quotas", "--describe", "--command-config", "PLACE"],
    "plan": ["kafka-client-quotas", "plan", "--bootstrap-server", "localhost:1", "PLACE"],
    "apply": ["kafka-client-quotas", "apply", "--bootstrap-server", "localhost:1", "PLACE"],
}
"""For each file that an argument can name, a command."""
FOUND: dict[str, tuple[str, Sequence[str]]] = {
    "a spec in a folder": ("specs/Special.json", ["messagegen", "lint", "specs"]),
    "a spec to generate": ("specs/Special.json", ["messagegen", "generate", "--specs", "specs", "--output", "out"]),
    "a spec to format": ("specs/Special.json", ["messagegen", "fmt", "specs"]),
    "a spec to compare": ("specs/Special.json", ["messagegen", "breaking", "--specs", "specs", "--against", "specs"]),
    "a lock file": ("specs/messagegen-specs.lock", ["messagegen", "fetch-specs", "--check", "--output", "specs"]),
    "a lock file beside specs": ("messagegen-specs.lock", ["messagegen", "fetch-specs", "--check", "--output", "."]),
    "init: Makefile": ("Makefile", ["messagegen", "init"]),
    "init: schema": ("message_spec.schema.json", ["messagegen", "init"]),
    "init: attributes": (".gitattributes", ["messagegen", "init"]),
    "certificates": ("ca.pem", ["kafka-offsets", "--command-config", "ssl.properties"]),
    "a key": ("key.pem", ["kafka-offsets", "--command-config", "key.properties"]),
}
"""For each file that commands find by themselves or through a configuration, its path and a command."""
FAILED = {
    "messagegen": {2},
    "messagegen-data": {2},
    "kafka-offsets": {1, 2},
    "kafka-client-quotas": {1, 64},
}


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a spec, inputs and client properties."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "Reading.json").write_text(SPEC)
    (tmp_path / "topic-0").mkdir()
    (tmp_path / "bytes.hex").write_text("00")
    ssl = "bootstrap.servers=localhost:1\nsecurity.protocol=SSL\n"
    (tmp_path / "ssl.properties").write_text(f"{ssl}ssl.truststore.type=PEM\nssl.truststore.location=ca.pem\n")
    (tmp_path / "key.properties").write_text(f"{ssl}ssl.keystore.type=PEM\nssl.keystore.location=key.pem\n")
    return tmp_path


def waits(*_: object) -> NoReturn:
    raise AssertionError("the command waits")


@pytest.fixture
def ends() -> Iterator[None]:
    """Fail the test if a command waits for ``SECONDS``."""
    before = signal.signal(signal.SIGALRM, waits)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def check(arguments: Sequence[str], place: str, capfd: pytest.CaptureFixture[str]) -> None:
    module, function = SCRIPTS[arguments[0]].split(":")
    with pytest.raises(SystemExit) as left:
        getattr(importlib.import_module(module), function)(arguments[1:])
    code, err = left.value.code, capfd.readouterr().err
    assert "Traceback" not in err
    assert "a bug in messagegen" not in err
    assert code in FAILED[arguments[0]], err
    assert Path(place).name in err
    assert len(err.strip().splitlines()) <= 4, err


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize("what", NAMED)
@pytest.mark.parametrize("kind", ["pipe", "device", "loop"])
def test_special_files_named_by_arguments_are_errors(
    work: Path, what: str, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    place = "/dev/zero"
    if kind == "pipe":
        os.mkfifo(work / "Special.json")
        place = "Special.json"
    if kind == "loop":
        (work / "Special.json").symlink_to("Special.json")
        place = "Special.json"
    check([place if word == "PLACE" else word for word in NAMED[what]], place, capfd)


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize("what", FOUND)
@pytest.mark.parametrize("kind", ["pipe", "loop"])
def test_special_files_found_by_commands_are_errors(
    work: Path, what: str, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path, arguments = FOUND[what]
    if kind == "pipe":
        os.mkfifo(work / path)
    else:
        (work / path).symlink_to(Path(path).name)
    check(arguments, path, capfd)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="the system has no /dev/fd")
@pytest.mark.parametrize(
    "line",
    [
        "messagegen explain --message Reading --version 0 --specs specs <(echo 00)",
        "messagegen explain --message Reading --version 0 --specs specs /dev/stdin < bytes.hex",
        "echo 00 | messagegen explain --message Reading --version 0 --specs specs /dev/stdin",
        "messagegen lint --config <(echo '[tool.messagegen]') specs",
    ],
)
def test_files_opened_by_a_shell_are_read(work: Path, line: str) -> None:
    program = re.sub(r"\bmessagegen ", f"{sys.executable} -m messagegen.cli ", line)
    done = subprocess.run(["bash", "-c", program], cwd=work, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
