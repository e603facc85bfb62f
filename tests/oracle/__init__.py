"""Apache Kafka's Java classes and Apache's generator, as an oracle for the tests.

Needs a JDK (17 or newer) and Maven. The first use fetches the Kafka jars (130 MB) into ``.cache/`` of this repository,
or into ``$MESSAGEGEN_CACHE`` if the variable is set.
"""

from tests.oracle.build import build_made_up
from tests.oracle.jars import KAFKA_RELEASE, TOOLS_RELEASE, OracleSetupError, kafka_jars, official_specs
from tests.oracle.oracle import Answer, Oracle, OracleError, Question, Refusal

__all__ = [
    "KAFKA_RELEASE",
    "TOOLS_RELEASE",
    "Answer",
    "Oracle",
    "OracleError",
    "OracleSetupError",
    "Question",
    "Refusal",
    "build_made_up",
    "kafka_jars",
    "official_specs",
]
