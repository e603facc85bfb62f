"""The specs of Kafka's releases, from their jars."""

from __future__ import annotations

from functools import cache
from typing import Final

from messagegen.fetch.releases import artifacts_of
from messagegen.fetch.specs import SpecSet, from_jars
from tests.oracle import KAFKA_RELEASE, TOOLS_RELEASE
from tests.oracle.jars import message_jars

FLEXIBLE: Final = "MESSAGE_FLEXIBLE_VERSIONS_WRITTEN"

TWICE: Final = "PROPERTY_WRITTEN_ONCE"

RELEASES: Final[dict[str, tuple[int, int, set[str]]]] = {
    "2.4.1": (98, 371, {FLEXIBLE}),
    "2.5.1": (98, 397, {FLEXIBLE}),
    "2.6.3": (102, 411, {FLEXIBLE}),
    "2.7.2": (122, 449, {FLEXIBLE}),
    "2.8.2": (157, 527, {FLEXIBLE, "SPEC_TEXT_JSON"}),
    "3.0.2": (171, 547, set()),
    "3.1.2": (172, 552, set()),
    "3.2.3": (174, 566, set()),
    "3.3.2": (174, 586, set()),
    "3.4.1": (175, 603, set()),
    "3.5.2": (189, 627, set()),
    "3.6.2": (193, 633, set()),
    "3.7.2": (206, 666, set()),
    "3.8.1": (210, 689, {TWICE}),
    "3.9.2": (240, 740, {TWICE}),
    "4.0.2": (256, 667, set()),
    "4.1.2": (279, 705, {"STRUCT_USED"}),
    "4.2.2": (279, 721, set()),
    TOOLS_RELEASE: (280, 728, set()),
    KAFKA_RELEASE: (286, 744, set()),
}
"""For each release: the number of specs, the number of (message, version) pairs, and the rules that warn."""


@cache
def fetched(release: str) -> SpecSet:
    """Return the specs that ``messagegen fetch-specs`` reads from the jars of a release."""
    wanted = {f"{artifact}-{release}.jar" for artifact in artifacts_of(release)}
    return from_jars([jar for jar in message_jars(release) if jar.name in wanted])


def specs_of(release: str) -> dict[str, bytes]:
    """Return the text of each spec in a release, by its path, which begins with the release."""
    return {f"{release}/{path}": text for path, text in fetched(release).texts.items()}
