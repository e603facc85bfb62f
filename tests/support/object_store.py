"""An S3 server on loopback: moto's server, in the test process, with all objects in memory."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

ACCESS_KEY, SECRET_KEY = "tests", "not-to-be-shown"
REGION = "us-east-1"
HEADERS = {"Content-Type": "application/octet-stream"}
"""The headers of uploads. Without a content type, the server expects a form."""
_SECONDS = 30


@dataclass(frozen=True)
class Bucket:
    """A new bucket. Environment variables of this process contain its endpoint and credentials."""

    endpoint: str
    name: str

    def url(self, *names: str) -> str:
        return "/".join((f"s3://{self.name}", *names))

    def put(self, key: str, data: bytes) -> None:
        self._request("PUT", key, data)

    def put_folder(self, folder: Path, key: str) -> None:
        """Upload all files of a folder under a key."""
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self.put(f"{key}/{file.relative_to(folder).as_posix()}", file.read_bytes())

    def delete(self, key: str) -> None:
        self._request("DELETE", key)

    def _request(self, method: str, key: str, data: bytes | None = None) -> None:
        request = Request(f"{self.endpoint}/{self.name}/{quote(key)}", data, HEADERS, method=method)
        with urlopen(request, timeout=_SECONDS):
            pass


@pytest.fixture(scope="session")
def object_store_endpoint() -> Iterator[str]:
    """The URL of the server, which starts in about a second."""
    server = pytest.importorskip("moto.server", reason="moto is not installed: `make test` installs it")
    running = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def bucket(object_store_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """An empty bucket for one test."""
    for name in ("AWS_PROFILE", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", object_store_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    monkeypatch.setenv("AWS_REGION", REGION)
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    made = Bucket(object_store_endpoint, f"tests-{uuid.uuid4().hex}")
    with urlopen(Request(f"{made.endpoint}/{made.name}", method="PUT"), timeout=_SECONDS):
        pass
    # Requests that the tests themselves send are not signed.
    everybody = {"Effect": "Allow", "Principal": "*", "Action": "s3:*", "Resource": f"arn:aws:s3:::{made.name}*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [everybody]}).encode()
    with urlopen(Request(f"{made.endpoint}/{made.name}?policy", policy, HEADERS, method="PUT"), timeout=_SECONDS):
        return made
