"""An S3 server on loopback for the tests: moto's, in the process of the tests, with all objects in memory."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import pytest

ACCESS_KEY, SECRET_KEY = "tests", "not-to-be-shown"
REGION = "us-east-1"
HEADERS = {"Content-Type": "application/octet-stream"}
"""The server would wait for more of a form."""
_PATIENCE = 30


@dataclass(frozen=True)
class Bucket:
    """A new bucket; the environment of this process says how to reach it, as that of a user does."""

    endpoint: str
    name: str

    def url(self, *names: str) -> str:
        return "/".join((f"s3://{self.name}", *names))

    def url_with_settings(self, *names: str) -> str:
        """The same for processes whose environment says nothing, such as Spark's workers."""
        return f"{self.url(*names)}?{urlencode({'endpoint': self.endpoint, 'anonymous': 'true'})}"

    def put(self, key: str, data: bytes) -> None:
        self._request("PUT", key, data)

    def put_folder(self, folder: Path, key: str) -> None:
        """All files of a folder, below a key."""
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self.put(f"{key}/{file.relative_to(folder).as_posix()}", file.read_bytes())

    def get(self, key: str) -> bytes:
        return self._request("GET", key)

    def content_type(self, key: str) -> str | None:
        with urlopen(Request(f"{self.endpoint}/{self.name}/{quote(key)}", method="HEAD"), timeout=_PATIENCE) as answer:
            type_: str | None = answer.headers["Content-Type"]
            return type_

    def delete(self, key: str) -> None:
        self._request("DELETE", key)

    def keys(self, prefix: str = "") -> list[str]:
        """The keys that begin so, sorted; there are less than a thousand."""
        listed = self._request("GET", "").decode()
        return sorted(
            key for each in re.findall("<Key>(.*?)</Key>", listed) if (key := unescape(each)).startswith(prefix)
        )

    def _request(self, method: str, key: str, data: bytes | None = None) -> bytes:
        request = Request(f"{self.endpoint}/{self.name}/{quote(key)}", data, HEADERS, method=method)
        with urlopen(request, timeout=_PATIENCE) as answer:
            body: bytes = answer.read()
            return body


@pytest.fixture(scope="session")
def object_store_endpoint() -> Iterator[str]:
    """The URL of the server; it starts in about a second."""
    server = pytest.importorskip("moto.server", reason="moto is not installed: `make test` installs it")
    running = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def bucket(object_store_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """An empty bucket that only this test uses."""
    for name in ("AWS_PROFILE", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", object_store_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    monkeypatch.setenv("AWS_REGION", REGION)
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    made = Bucket(object_store_endpoint, f"tests-{uuid.uuid4().hex}")
    with urlopen(Request(f"{made.endpoint}/{made.name}", method="PUT"), timeout=_PATIENCE):
        pass
    # Workers whose environment has no credentials have access, too.
    everybody = {"Effect": "Allow", "Principal": "*", "Action": "s3:*", "Resource": f"arn:aws:s3:::{made.name}*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [everybody]}).encode()
    with urlopen(Request(f"{made.endpoint}/{made.name}?policy", policy, HEADERS, method="PUT"), timeout=_PATIENCE):
        return made
