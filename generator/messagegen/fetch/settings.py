"""Reads the settings of Maven that concern its central repository: the mirror, and the folder of downloaded jars."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from messagegen.texts import read_file

CENTRAL: Final = "https://repo.maven.apache.org/maven2"
"""The public address of Maven Central."""

_COVERS_CENTRAL: Final = frozenset({"central", "*", "external:*"})


@dataclass(frozen=True, slots=True)
class MavenSettings:
    """The address of the central repository or of its mirror, and the folder of jars that Maven has downloaded.

    ``url`` is ``None`` if only Maven can use the repository, for example because the mirror needs a login.
    """

    url: str | None
    local: Path


def read_settings(folder: Path) -> MavenSettings:
    """Return the settings in ``settings.xml`` of a folder, or the defaults if the file is missing."""
    local = folder / "repository"
    try:
        root = ET.fromstring(read_file(folder / "settings.xml"))  # noqa: S314 - the user's own file, of limited size
    except FileNotFoundError:
        return MavenSettings(CENTRAL, local)
    except (ET.ParseError, OSError, ValueError):
        # Maven reports the problem.
        return MavenSettings(None, local)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    own_local = _text(root, "localRepository")
    if own_local and "$" not in own_local:
        local = Path(own_local)
    return MavenSettings(_url(root), local)


def _url(root: ET.Element) -> str | None:
    mirrors = [mirror for mirror in root.iterfind("mirrors/mirror") if _covers_central(_text(mirror, "mirrorOf"))]
    # As in Maven, a mirror of only this repository takes precedence over mirrors of several repositories.
    mirrors.sort(key=lambda mirror: _text(mirror, "mirrorOf") != "central")
    servers = {_text(server, "id") for server in root.iterfind("servers/server")}
    has_proxy = any(_text(proxy, "active") != "false" for proxy in root.iterfind("proxies/proxy"))
    url = _text(mirrors[0], "url") if mirrors else CENTRAL
    name = _text(mirrors[0], "id") if mirrors else "central"
    is_blocked = bool(mirrors) and _text(mirrors[0], "blocked") == "true"
    if has_proxy or is_blocked or name in servers or not _is_plain(url):
        return None
    return url.rstrip("/")


def _covers_central(text: str) -> bool:
    patterns = {pattern.strip() for pattern in text.split(",")}
    return "!central" not in patterns and not patterns.isdisjoint(_COVERS_CENTRAL)


def _is_plain(url: str) -> bool:
    """Whether a URL is a web address without variables and credentials."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and "@" not in parts.netloc and "$" not in url


def _text(element: ET.Element, path: str) -> str:
    return (element.findtext(path) or "").strip()
