"""Object stores: who talks to them, with which settings, and what their errors mean.

The library is obstore: it reads ranges, lists, and writes only if nothing is there yet, for S3, Google Cloud Storage and Azure alike.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from messagegen_arrow.files.paths import Url, parsed, shown
from messagegen_arrow.files.store import Listing, ReplacedError, Store, Stored, StoredObject, StoreError, Version

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_RETRIES: Final = 6
_PATIENCE: Final = timedelta(minutes=2)
_TIMEOUT: Final = timedelta(minutes=2)
_CONNECT_TIMEOUT: Final = timedelta(seconds=5)
_MOST_AT_ONCE: Final = 5 << 30
"""What stores take in one request, and only one request can have the condition that nothing is there yet."""
_AT_ONCE: Final = 16
_CHUNK: Final = 1000
_NO_CREDENTIALS: Final = re.compile(r"169\.254\.169\.254|metadata\.google|MetadataServer|[Cc]redential", re.ASCII)
_QUERY: Final = re.compile(r"\?[^\s\"')]*")
_INVALID_KEY: Final = re.compile(r"Invalid Access Key.*", re.IGNORECASE)
_MOST_REASON: Final = 300


def object_store(url: Url) -> Store:
    """A bucket, or a container of Azure. Raises ``StoreError`` for missing libraries, profiles and settings; it is not asked yet."""
    return _ObjectStore(url)


class _ObjectStore:
    def __init__(self, url: Url) -> None:
        self._url = url
        self._client = _connected(url)

    def listing(self, folder: str) -> Listing:
        with self._explained(folder):
            found = self._client.list_with_delimiter(folder or None)
        files = {_name(each["path"]): Stored(each["size"], each["e_tag"]) for each in found["objects"]}
        return Listing(files, frozenset(_name(each.rstrip("/")) for each in found["common_prefixes"]))

    def all_in(self, folder: str) -> list[str]:
        with self._explained(folder):
            return [each["path"] for chunk in self._client.list(folder or None, chunk_size=_CHUNK) for each in chunk]

    def about(self, key: str) -> Stored:
        with self._explained(key):
            meta = self._client.head(key)
        return Stored(meta["size"], meta["e_tag"])

    def opened(self, key: str) -> StoredObject:
        return _Object(self._client, key, self.about(key), self._url.at(key))

    def read(self, key: str) -> bytes:
        with self._explained(key):
            return bytes(self._client.get(key).bytes())

    def put(self, key: str, data: bytes | Path, content_type: str | None = None) -> None:
        _check_readable(data)
        attributes = None if content_type is None else {"Content-Type": content_type}
        with self._explained(key):
            self._client.put(key, data, attributes=attributes)

    def put_new(self, key: str, data: bytes | Path) -> None:
        if isinstance(data, Path) and data.stat().st_size > _MOST_AT_ONCE:
            raise StoreError(
                f"{shown(self._url.at(key))}: more than 5 GiB can't be written at once: write to a local file and copy that"
            )
        self._created(key, data)

    def move_each(self, pairs: Sequence[tuple[str, str]]) -> None:
        # Stores have no renames; a copy within a store moves no bytes here.
        def copy(pair: tuple[str, str]) -> None:
            with self._explained(pair[0]):
                self._client.copy(*pair)

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(copy, pairs))

    def remove(self, keys: Sequence[str]) -> None:
        with self._explained(""):
            self._client.delete(keys)

    def remove_all_in(self, folder: str) -> None:
        self.remove(self.all_in(folder))

    def put_first(self, key: str, data: bytes) -> str | None:
        return self._created(key, data)

    def put_again(self, key: str, data: bytes, version: str | None) -> str | None:
        from obstore.exceptions import PreconditionError  # noqa: PLC0415 - local paths do without

        with self._explained(key):
            try:
                return self._client.put(key, data, mode={"e_tag": version or ""})["e_tag"]
            except (PreconditionError, FileNotFoundError):
                raise ReplacedError(f"{shown(self._url.at(key))} was replaced by another process") from None

    def read_version(self, key: str) -> Version | None:
        try:
            with self._explained(key):
                found = self._client.get(key)
                e_tag = found.meta["e_tag"]
                return Version(bytes(found.bytes()), e_tag)
        except FileNotFoundError:
            return None

    def remove_versions(self, key: str) -> None:
        self.remove([key])

    def _created(self, key: str, data: bytes | Path) -> str | None:
        _check_readable(data)
        with self._explained(key):
            return self._client.put(key, data, mode="create", use_multipart=False)["e_tag"]

    def _explained(self, key: str) -> AbstractContextManager[None]:
        return _explained(self._url.at(key))


class _Object:
    """An object, as it was when it was opened: each request has its e-tag as a condition."""

    def __init__(self, client: ObjectStore, key: str, about: Stored, path: str) -> None:
        self.about = about
        self._client = client
        self._key = key
        self._path = path

    def read(self, start: int, end: int) -> bytes:
        with _explained(self._path):
            found = self._client.get(self._key, options={"range": (start, end), "if_match": self.about.version})
            return bytes(found.bytes())


def _check_readable(data: bytes | Path) -> None:
    """Raises ``OSError`` for a local file that can't be read: the library's errors do not tell it from the object."""
    if isinstance(data, Path):
        with data.open("rb"):
            pass


def _name(path: str) -> str:
    return path.rpartition("/")[2]


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Turns errors of the library into ours: ``FileNotFoundError``, ``FileExistsError``, and ``StoreError`` for all others."""
    from obstore import exceptions  # noqa: PLC0415 - local paths do without

    try:
        yield
    except exceptions.AlreadyExistsError:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), shown(path)) from None
    except FileNotFoundError as problem:
        raise FileNotFoundError(errno.ENOENT, _missing(str(problem)), shown(path)) from None
    except exceptions.BaseError as problem:
        raise StoreError(_said(path, problem)) from None


def _missing(text: str) -> str:
    return "the bucket does not exist" if "NoSuchBucket" in text else os.strerror(errno.ENOENT)


def _said(path: str, problem: Exception) -> str:
    """What is wrong, without what may be secret in the library's text: queries of requests hold signatures."""
    url, text = parsed(path), str(problem)
    if "NoSuchBucket" in text:
        return f"{shown(path)}: the bucket {url.place} does not exist"
    kind = type(problem).__name__
    if kind == "UnauthenticatedError" or (kind == "GenericError" and _NO_CREDENTIALS.search(text)):
        public = "; ?anonymous=true behind the URL reads what is public"
        return f"{shown(path)}: no credentials that are accepted: set {url.credentials_advice}{public}"
    if kind == "PermissionDeniedError":
        return (
            f"{shown(path)}: access denied: these credentials may not do this, or are wrong: {url.credentials_advice}"
        )
    if kind == "PreconditionError":
        return f"{shown(path)}: the object was replaced while it was read: read it again"
    return f"{shown(path)}: {_reason(text)}; check the network, and endpoint and region of the store"


def _reason(text: str) -> str:
    """The library's text in a line, without queries of requests and what is for its developers."""
    return " ".join(_QUERY.sub("", text).split("\n\nDebug source")[0].split())[:_MOST_REASON]


def _connected(url: Url) -> ObjectStore:
    try:
        stores = import_module("obstore.store")
    except ModuleNotFoundError:
        raise StoreError(f"{url.root} needs obstore; install it with: pip install 'messagegen[stores]'") from None
    config, options = _config(url)
    client = {"timeout": _TIMEOUT, "connect_timeout": _CONNECT_TIMEOUT, "allow_http": _is_plain(config.get("endpoint"))}
    retries = {"max_retries": _RETRIES, "retry_timeout": _PATIENCE}
    with _settings_explained(url):
        made: ObjectStore = stores.from_url(
            _plain_root(url), config=config, client_options=client, retry_config=retries, **options
        )
    return made


@contextmanager
def _settings_explained(url: Url) -> Iterator[None]:
    """Turns errors of the library about settings, before any request is sent, into ``StoreError``."""
    from obstore import exceptions  # noqa: PLC0415 - as in _explained

    try:
        yield
    except exceptions.BaseError as problem:
        # What it says of an access key has a part of the key.
        reason = _INVALID_KEY.sub("invalid access key", _reason(str(problem)))
        raise StoreError(f"{url.root}: {reason}; set {url.credentials_advice}") from None


def _plain_root(url: Url) -> str:
    return f"s3://{url.place}" if url.kind == "s3" else url.root


def _is_plain(endpoint: Any) -> bool:
    return str(endpoint or "").startswith("http://")


def _config(url: Url) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings of a store in the library's names, and where else credentials come from."""
    settings = url.settings
    config: dict[str, Any] = {"skip_signature": True} if settings.get("anonymous") == "true" else {}
    if url.kind == "s3":
        return _s3_config(url, settings, config)
    if url.kind == "gs":
        config |= {"base_url": settings["endpoint"]} if "endpoint" in settings else {}
    else:
        config |= {"account_name": settings["account"]} if "account" in settings else {}
        config |= {"endpoint": settings["endpoint"]} if "endpoint" in settings else {}
    return config, {}


def _s3_config(url: Url, settings: dict[str, str], config: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    endpoint = settings.get("endpoint") or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = settings.get("region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    options: dict[str, Any] = {}
    profile = settings.get("profile") or os.environ.get("AWS_PROFILE")
    if not config and (profile or _has_profiles()) and ("profile" in settings or not _has_credentials()):
        session = _session(url, profile)
        provider = import_module("obstore.auth.boto3").Boto3CredentialProvider
        options["credential_provider"] = provider(session)
        region = region or session.region_name
    config |= {"endpoint": endpoint} if endpoint else {}
    config |= {"region": region} if region else {}
    return config, options


def _has_credentials() -> bool:
    names = ("AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
    return any(name in os.environ for name in names)


def _has_profiles() -> bool:
    return Path(os.environ.get("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials")).expanduser().exists()


def _session(url: Url, profile: str | None) -> Any:
    """boto3's session of a profile. Raises ``StoreError``."""
    try:
        boto3: Any = import_module("boto3")
    except ModuleNotFoundError:
        raise StoreError(f"{url.root}: profiles of AWS need boto3; install it with: pip install boto3") from None
    exceptions: Any = import_module("botocore.exceptions")
    try:
        session = boto3.Session(profile_name=profile)
        is_known = session.get_credentials() is not None
    except exceptions.BotoCoreError as problem:
        raise StoreError(f"{url.root}: {problem}") from None
    if not is_known:
        raise StoreError(
            f"{url.root}: the profile {profile or 'default'} has no credentials: set {url.credentials_advice}"
        )
    return session
