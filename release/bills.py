"""Writes bills of materials (CycloneDX), which list the components and requirements of a distribution."""

from __future__ import annotations

import json
import tomllib
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.build import NATIVE, NATIVE_MANIFEST, PYTHON_DISTRIBUTIONS, BuildError
from release.crates import linked_crates
from release.source import Source
from release.targets import Target

_FORM: Final = SchemaVersion.V1_6


def python_bill(name: str, source: Source) -> str:
    """Return the bill of a Python distribution: its requirements without extras, in the installed versions.

    The installed versions equal the versions in the lock file. Raises ``BuildError`` if a requirement is missing.
    """
    found: dict[str, dict[str, Any]] = {}
    waiting = [name]
    while waiting:
        wanted = canonicalize_name(waiting.pop())
        if wanted in found:
            continue
        try:
            installed = distribution(wanted)
        except PackageNotFoundError:
            raise BuildError(f"{name} needs {wanted}, which is not installed; `make dist` installs it first") from None
        ours = wanted in PYTHON_DISTRIBUTIONS
        version = source.version if ours else installed.version
        found[wanted] = _component("pypi", wanted, version, installed.metadata.json.get("license_expression"))
        waiting += _required(installed.requires or ())
    return _text(found.pop(canonicalize_name(name)), found.values(), source)


def native_bill(source: Source, folder: Path, target: Target | None = None) -> str:
    """Return the bill of the native engine: the crates compiled into it, for one target or for all.

    Raises ``BuildError``.
    """
    lock = tomllib.loads((folder / "Cargo.lock").read_text(encoding="utf-8"))
    checksums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in lock["package"]}
    components = [
        _component("cargo", crate.name, crate.version, crate.licence, checksums[crate.name, crate.version])
        for crate in linked_crates(folder / NATIVE_MANIFEST, target)
    ]
    return _text(_component("pypi", NATIVE, source.version, "Apache-2.0"), components, source)


def _required(requirements: Iterable[str]) -> Iterator[str]:
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def _component(kind: str, name: str, version: str, licence: object, sha256: str | None = None) -> dict[str, Any]:
    identity = f"pkg:{kind}/{name}@{quote(version)}"
    component: dict[str, Any] = {"type": "library", "bom-ref": identity, "name": name, "version": version}
    if sha256:
        component["hashes"] = [{"alg": "SHA-256", "content": sha256}]
    if licence:
        # Old crates write alternative licences with a slash, as in MIT/Apache-2.0.
        component["licenses"] = [{"expression": str(licence).replace("/", " OR ")}]
    return component | {"purl": identity}


def _text(component: dict[str, Any], needed: Iterable[dict[str, Any]], source: Source) -> str:
    components = sorted(needed, key=lambda one: str(one["bom-ref"]))
    name = f"{component['purl']}#{source.commit}"
    bill = {
        "$schema": f"http://cyclonedx.org/schema/bom-{_FORM.to_version()}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": _FORM.to_version(),
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, name).urn,
        "version": 1,
        "metadata": {"timestamp": datetime.fromtimestamp(source.epoch, UTC).isoformat(), "component": component},
        "components": components,
        "dependencies": [{"ref": component["bom-ref"], "dependsOn": [one["bom-ref"] for one in components]}],
    }
    text = json.dumps(bill, indent=2) + "\n"
    problem = JsonStrictValidator(_FORM).validate_str(text)
    if problem:
        raise BuildError(f"the bill of {component['name']} is invalid: {str(problem).splitlines()[0]}")
    return text
