"""The rooms of each package, and their allowed imports.

A room is a folder or module directly in a package. Rooms in ``FREE`` join the others together, and may import
all of them.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Final

import messagegen
import messagegen_arrow
import messagegen_client
import messagegen_kafka
import messagegen_spark
import messagegen_testing


def _folder(package: ModuleType) -> Path:
    return Path(package.__path__[0])


GENERATOR: Final = _folder(messagegen)
CLIENT: Final = _folder(messagegen_client)
TESTING: Final = _folder(messagegen_testing)
ARROW: Final = _folder(messagegen_arrow)
SPARK: Final = _folder(messagegen_spark)
GENERATED: Final = _folder(messagegen_kafka)

ROOMS: Final[dict[Path, dict[str, set[str]]]] = {
    GENERATOR: {
        "versions": set(),
        "console": set(),
        "findings": {"console"},
        "texts": set(),
        "diffs": set(),
        "names": {"runtime"},
        "keys": set(),
        "examples": set(),
        "selection": {"findings"},
        "patterns": {"findings"},
        "brokers": {"spec", "versions"},
        "primitives": {"runtime"},
        "build": {"templating"},
        "publish": {"build", "diffs"},
        "templating": set(),
        "runtime": set(),
        "spec": {"versions", "findings", "jsonc", "primitives"},
        "jsonc": {"findings", "texts"},
        "places": {"findings"},
        "spec_files": {"publish", "texts"},
        "progress": set(),
        "fmt": {"findings", "jsonc", "spec"},
        "lint": {"findings", "jsonc", "names", "primitives", "selection", "spec", "versions"},
        "plan": {"versions", "spec", "names", "primitives", "runtime"},
        "evolve": {"console", "versions", "findings", "patterns", "primitives", "selection", "spec", "plan"},
        "merge": {"build", "console", "evolve", "fetch", "findings", "fmt", "jsonc", "progress", "spec", "versions"},
        "edges": set(),
        "vectors": {"edges", "findings", "plan", "runtime"},
        "emit": {"plan", "primitives", "templating", "versions"},
        "outputs": {
            "console",
            "emit",
            "names",
            "plan",
            "publish",
            "findings",
            "primitives",
            "runtime",
            "templating",
            "versions",
            "edges",
            "explain",
            "vectors",
        },
        "explain": {"console", "findings", "runtime"},
    },
    CLIENT: {
        "console": set(),
        "errors": {"console"},
        "files": {"errors"},
        "threads": {"errors"},
        "security": {"errors", "files"},
        "config": {"errors", "files", "security"},
        "transport": {"console", "errors", "security", "config"},
        "outcomes": {"errors"},
        "documents": set(),
        "quotas": {"console", "documents", "errors", "outcomes", "transport"},
        "offsets": {"errors", "transport"},
        "admin": {"config", "threads", "transport", "quotas", "offsets"},
    },
    TESTING: {
        "arguments": set(),
        "problems": set(),
        "background": set(),
        "replies": set(),
        "seen": set(),
        "usage": set(),
        "errors": set(),
        "selectors": {"arguments", "errors", "problems", "seen"},
        "faults": {"errors", "problems", "replies", "seen", "usage"},
        "rules": {"arguments", "faults", "replies", "seen", "selectors", "usage"},
        "conversation": {"errors", "problems", "replies", "rules", "seen"},
        "endpoint": {"background", "conversation", "problems", "replies", "rules", "seen", "selectors"},
        "upstream": {"conversation", "replies", "seen"},
        "proxy": {"conversation", "endpoint", "problems", "upstream"},
        "scripted": {"conversation", "endpoint", "errors", "problems", "replies", "seen"},
        "plugin": {"proxy", "scripted"},
    },
    ARROW: {
        "console": set(),
        "lazy": set(),
        "options": set(),
        "malformed": set(),
        "named_columns": set(),
        "plans": set(),
        "wheels": set(),
        "catalog": {"plans", "wheels"},
        "engine": {"wheels"},
        "files": set(),
        "arrays": {"malformed"},
        "columns": {"arrays", "catalog", "engine", "malformed", "plans"},
        "frames": {"arrays", "catalog", "columns", "malformed", "plans"},
        "internal_topics": {"arrays", "catalog", "columns", "engine", "malformed"},
        "capture": {"files", "malformed", "named_columns"},
        "clients": {"capture", "console", "frames"},
        "log": {"engine", "files", "malformed", "named_columns", "options"},
        "streams": {
            "arrays",
            "capture",
            "catalog",
            "columns",
            "frames",
            "internal_topics",
            "log",
            "malformed",
            "named_columns",
            "options",
        },
        "histories": {"console", "arrays", "catalog", "files", "internal_topics", "log", "malformed", "streams"},
        "advisor": {
            "arrays",
            "catalog",
            "columns",
            "frames",
            "internal_topics",
            "malformed",
            "plans",
            "streams",
        },
        "dump": {
            "console",
            "arrays",
            "capture",
            "catalog",
            "columns",
            "files",
            "frames",
            "internal_topics",
            "log",
            "malformed",
            "named_columns",
            "streams",
        },
        "cli": {
            "advisor",
            "capture",
            "catalog",
            "clients",
            "console",
            "dump",
            "engine",
            "histories",
            "log",
            "malformed",
            "streams",
        },
    },
    SPARK: {
        "schemas": set(),
        "versions": set(),
        "jvm": {"versions"},
        "functions": {"jvm", "schemas", "versions"},
    },
}
"""The other rooms of its package that each room may import."""

FREE: Final = {
    GENERATOR: {"cli", "config", "conformance", "diagnosis", "fetch", "generation", "git", "origin", "setup"},
    CLIENT: {"cli"},
}
"""The rooms that may import all others of their package."""
