"""The hand-written message classes of aiokafka that generated classes replace, and their field names in aiokafka."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from docs.adapters.aiokafka_structs import structs


@dataclass(frozen=True)
class Api:
    """A request and its response in aiokafka: the module of their classes, and the arguments for ``structs``."""

    name: str
    module: str
    versions: tuple[int, ...]
    prefix: str = ""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    scalars: tuple[str, ...] = ()

    def classes(self, package: ModuleType) -> Iterator[Any]:
        """Yield a class for each version that the package has, made from the package's classes."""
        request = getattr(package, f"{self.name}Request")
        versions = [version for version in self.versions if version in request.VALID_VERSIONS]
        yield from structs(request, versions, self.prefix or self.name, self.names, self.scalars)


_METADATA: Final = {
    "name": "topic",
    "partition_index": "partition",
    "leader_id": "leader",
    "replica_nodes": "replicas",
    "isr_nodes": "isr",
}
_PRODUCE: Final = {"acks": "required_acks", "timeout_ms": "timeout", "topic_data": "topics", "responses": "topics"}
_COORDINATOR: Final = {"key": "coordinator_key", "key_type": "coordinator_type", "node_id": "coordinator_id"}
_COMMIT: Final = {
    "group_id": "consumer_group",
    "generation_id_or_member_epoch": "consumer_group_generation_id",
    "member_id": "consumer_id",
    "retention_time_ms": "retention_time",
}
_JOIN: Final = {
    "group_id": "group",
    "session_timeout_ms": "session_timeout",
    "rebalance_timeout_ms": "rebalance_timeout",
    "protocols": "group_protocols",
    "protocol_name": "group_protocol",
    "leader": "leader_id",
}
_SYNC: Final = {"group_id": "group", "assignments": "group_assignment", "assignment": "member_assignment"}

APIS: Final = (
    Api("Metadata", "metadata", tuple(range(6)), names=_METADATA, scalars=("topics",)),
    Api("Fetch", "fetch", tuple(range(12)), names={"max_wait_ms": "max_wait_time", "responses": "topics"}),
    Api("Produce", "produce", tuple(range(9)), names=_PRODUCE),
    Api("ListOffsets", "offset", tuple(range(6)), prefix="Offset"),
    Api("OffsetCommit", "commit", tuple(range(4)), names=_COMMIT),
    Api("OffsetFetch", "commit", tuple(range(4)), names={"group_id": "consumer_group"}),
    Api("FindCoordinator", "coordination", (0,), names=_COORDINATOR | {"key": "consumer_group"}),
    Api("FindCoordinator", "coordination", (1,), names=_COORDINATOR),
    Api("JoinGroup", "group", (0, 1, 2, 5), names=_JOIN),
    Api("SyncGroup", "group", (0, 1, 3), names=_SYNC),
    Api("Heartbeat", "group", (0, 1), names={"group_id": "group"}),
    Api("LeaveGroup", "group", (0, 1), names={"group_id": "group"}),
    Api("ApiVersions", "admin", (0, 1, 2), prefix="ApiVersion", names={"api_keys": "api_versions"}),
)
"""The requests and responses of 114 hand-written classes."""


def replace_classes(protocol: Path, package: str) -> int:
    """Remove the hand-written classes from a copy of ``aiokafka/protocol``, and make them from a package instead.

    Return the number of replaced classes.
    """
    count = 0
    for module in sorted({api.module for api in APIS}):
        file = protocol / f"{module}.py"
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        prefixes = "|".join({api.prefix or api.name for api in APIS if api.module == module})
        hand_written = re.compile(rf"({prefixes})(Request|Response)_v\d+")
        replaced = [
            node
            for node in ast.parse("".join(lines)).body
            if isinstance(node, ast.ClassDef) and hand_written.fullmatch(node.name)
        ]
        for node in reversed(replaced):
            del lines[node.lineno - 1 : node.end_lineno]
        lines.insert(replaced[0].lineno - 1, _IMPORTING.format(module=module, package=package))
        file.write_text("".join(lines), encoding="utf-8")
        count += len(replaced)
    return count


_IMPORTING: Final = """
import {package}
from tests.adapters.aiokafka_classes import APIS

for _api in APIS:
    if _api.module == "{module}":
        globals().update((cls.__name__, cls) for cls in _api.classes({package}))

"""
