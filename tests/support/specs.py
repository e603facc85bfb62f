"""The specs for tests, their plans and their classes, each created only once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from messagegen.config import Settings
from messagegen.generation.choosing import Choice
from messagegen.generation.loading import load_package, load_specs
from messagegen.generation.package import Package, build_package
from messagegen.generation.sources import read_sources
from messagegen.plan.build import build_plan
from messagegen.plan.ops import MessagePlan
from messagegen.spec import parse
from messagegen.spec.model import MessageSpec
from tests.support.invariants import check_plan

_TESTS: Final = Path(__file__).parents[1]

PURPOSE_MADE: Final = _TESTS / "fixtures" / "specs"
"""Specs that together use every feature of the spec language."""
OWN: Final = _TESTS.parent / "message_specs"
"""The specs that this repository owns."""
GOLDEN: Final = _TESTS / "golden"


class Subject:
    """One message of a folder in one version, with its plan and its class."""

    def __init__(self, folder: Path, plan: MessagePlan, version: int) -> None:
        self.folder = folder
        self.plan = plan
        self.version = version

    @property
    def cls(self) -> Any:
        """The generated class, loaded on first use."""
        return getattr(package(self.folder), self.plan.name)

    def __repr__(self) -> str:
        return f"{self.plan.name}-{self.version}"


def read_specs(sources: Iterable[Path], **choice: Any) -> list[MessageSpec]:
    """Return the chosen live messages in folders and files, sorted by name."""
    return list(read_sources(list(sources), choice=Choice(**choice)).messages)


def build(*sources: Path, **settings: Any) -> Package:
    """Return the package for the specs in folders and files. It reads nothing else from disk."""
    return build_package(Settings(sources, **settings))


def checked_plan(spec: MessageSpec) -> MessagePlan:
    """Return the plan of a spec after checking its invariants."""
    plan = build_plan(spec)
    check_plan(plan)
    return plan


@cache
def plans(folder: Path) -> dict[str, MessagePlan]:
    """Return the plan of each live message in a folder, by name."""
    return {spec.name: checked_plan(spec) for spec in read_specs([folder])}


@cache
def package(folder: Path) -> ModuleType:
    """Return the package that is generated for a folder, in memory."""
    return load_package(folder)


def subjects(*folders: Path) -> list[Subject]:
    """Return every message in the folders, in each of its versions."""
    return [
        Subject(folder, plan, version)
        for folder in folders
        for plan in plans(folder).values()
        for version in plan.valid_versions
    ]


def class_of(message: Any, name: str) -> Any:
    """Return the class called ``name`` in the module of a message's class."""
    return getattr(sys.modules[message.__module__], name)


def field(name: str, type_: str, versions: str = "0+", **others: object) -> dict[str, object]:
    """Return a field of a spec."""
    return {"name": name, "type": type_, "versions": versions, **others}


def spec(*fields: dict[str, object], **others: object) -> MessageSpec:
    """Return a spec named ``Made`` with version 0; ``others`` are further properties of the message."""
    properties = {"type": "data", "name": "Made", "validVersions": "0", "flexibleVersions": "none", **others}
    parsed = parse(json.dumps({**properties, "fields": fields}), "Made.json")
    assert parsed.spec is not None, [str(finding) for finding in parsed.findings]
    return parsed.spec


def plan_of(*fields: dict[str, object], **others: object) -> MessagePlan:
    """Return the plan of ``spec``."""
    return checked_plan(spec(*fields, **others))


def made(*fields: dict[str, object], **others: object) -> Any:
    """Return the class of ``spec``."""
    return made_package(spec(*fields, **others)).Made


def made_package(*specs: MessageSpec) -> ModuleType:
    """Return the package that is generated for some specs, in memory."""
    return load_specs(specs)


NOT_KAFKAS: Final = {"EncodedMetadataResponse", "ResolveClientQuotasRequest", "ResolveClientQuotasResponse"}
"""Messages from KIPs that Kafka did not adopt."""
