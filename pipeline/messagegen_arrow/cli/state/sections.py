"""The sections of a state that the command can show, and the tables that each of them needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

STATE: Final = "state"
TOPICS: Final = "topics"
CONFIGS: Final = "configs"
QUOTAS: Final = "quotas"
FEATURES: Final = "features"
CLUSTER: Final = "cluster"
GROUPS: Final = "groups"

SECTIONS: Final[Mapping[str, Sequence[str]]] = {
    STATE: (),
    TOPICS: ("topics", "partitions", "configs"),
    CONFIGS: ("configs",),
    QUOTAS: ("quotas",),
    "acls": ("acls",),
    "users": ("users",),
    "tokens": ("tokens",),
    FEATURES: ("features",),
    "brokers": ("brokers",),
    "controllers": ("controllers",),
    CLUSTER: ("cluster",),
    GROUPS: ("commits",),
}
"""The sections in order, with their tables. ``configs`` does not include topic configs."""


def tables_of(sections: Sequence[str]) -> list[str]:
    """Return the tables that sections need.

    The section ``state`` alone describes the whole state, so it needs all tables.
    """
    wanted = SECTIONS if tuple(sections) == (STATE,) else sections
    return list(dict.fromkeys(table for section in wanted for table in SECTIONS[section]))
