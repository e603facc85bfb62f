"""Bills of materials (CycloneDX): what a distribution consists of and needs."""

from __future__ import annotations

import json
import subprocess
import tomllib
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.build import NATIVE, PYTHON_DISTRIBUTIONS
from release.source import Source
from release.targets import Target

_LICENSES: Final = LicenseFactory()
_UNKNOWN_LICENCE: Final = "NOASSERTION"


class BillError(Exception):
    """A bill of materials cannot be made or is invalid."""


def python_bill(name: str, source: Source) -> str:
    """The bill of a Python distribution: what it requires without extras, in the versions that are installed here.

    They are those of the lock file. Raises ``BillError`` if one is missing.
    """
    found: dict[str, Component] = {}
    waiting = [name]
    while waiting:
        wanted = canonicalize_name(waiting.pop())
        if wanted in found:
            continue
        try:
            installed = distribution(wanted)
        except PackageNotFoundError:
            raise BillError(f"{name} needs {wanted}, which is not installed; run `make dist`") from None
        ours = wanted in PYTHON_DISTRIBUTIONS
        version = source.version if ours else installed.version
        licence = installed.metadata.get("License-Expression") or _UNKNOWN_LICENCE
        found[wanted] = _component("pypi", wanted, version, licence)
        waiting += _required(installed.requires or ())
    return _text(found.pop(canonicalize_name(name)), found.values(), source)


def native_bill(source: Source, folder: Path, target: Target | None = None) -> str:
    """The bill of the native engine: the crates that are compiled into it, for a target or for any. Raises ``BillError``."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", str(folder / "Cargo.toml")]
    if target:
        command += ["--filter-platform", target.triple]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BillError(f"cargo metadata failed: {done.stderr}")
    metadata: dict[str, Any] = json.loads(done.stdout)
    lock = tomllib.loads((folder / "Cargo.lock").read_text(encoding="utf-8"))
    checksums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in lock["package"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    crates = (packages[crate] for crate in _linked(metadata["resolve"]))
    components = [
        _component("cargo", crate["name"], crate["version"], _expression(crate["license"]), checksum)
        for crate in crates
        if (checksum := checksums[crate["name"], crate["version"]])
    ]
    return _text(_component("pypi", NATIVE, source.version, "Apache-2.0"), components, source)


def _required(requirements: Iterable[str]) -> Iterator[str]:
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def _linked(resolve: dict[str, Any]) -> list[str]:
    """The crates that end up in the library; what only runs while it is built does not."""
    needs = {
        node["id"]: [one["pkg"] for one in node["deps"] if any(kind["kind"] is None for kind in one["dep_kinds"])]
        for node in resolve["nodes"]
    }
    found: set[str] = set()
    waiting = [resolve["root"]]
    while waiting:
        crate = waiting.pop()
        if crate not in found:
            found.add(crate)
            waiting += needs[crate]
    return sorted(found)


def _expression(licence: str | None) -> str:
    return (licence or _UNKNOWN_LICENCE).replace("/", " OR ")  # crates once wrote MIT/Apache-2.0


def _component(kind: str, name: str, version: str, licence: str, sha256: str | None = None) -> Component:
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=version,
        purl=PackageURL(kind, None, name, version),
        bom_ref=f"pkg:{kind}/{name}@{version}",
        licenses=() if licence == _UNKNOWN_LICENCE else (_LICENSES.make_from_string(licence),),
        hashes=(HashType(alg=HashAlgorithm.SHA_256, content=sha256),) if sha256 else (),
    )


def _text(component: Component, needed: Iterable[Component], source: Source) -> str:
    bom = Bom(components=needed, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{component.purl}#{source.commit}"))
    bom.metadata.component = component
    bom.metadata.timestamp = datetime.fromtimestamp(source.epoch, UTC)
    bom.register_dependency(component, bom.components)
    text: str = JsonV1Dot6(bom).output_as_string(indent=2) + "\n"
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem:
        raise BillError(f"the bill of {component.name} is invalid: {str(problem).splitlines()[0]}")
    return text
