"""What is measured, and who takes part: the names under which results are kept, and which reports show."""

from __future__ import annotations

from typing import Final

QUOTAS: Final = "quotas"
CHANGED: Final = "every entity changes"
UNCHANGED: Final = "nothing changes"
APPLY: Final = "kafka-client-quotas apply"
ALTER: Final = "Admin.alter_client_quotas"
JAVA_CONFIGS: Final = "kafka-configs, a JVM an entity"
JAVA_CONFIGS_WARM: Final = "kafka-configs, one warm JVM"
JAVA_ADMIN: Final = "Java Admin, one call in a warm JVM"

OFFSETS: Final = "offsets"
CALL: Final = "call of a connected client"
COMMAND: Final = "command from start to exit"
OURS: Final = "Admin.offsets_for_times"
KAFKA_PYTHON: Final = "kafka-python"
AIOKAFKA: Final = "aiokafka"
CONFLUENT: Final = "confluent-kafka"
JAVA_CONSUMER: Final = "Java consumer"
KAFKA_OFFSETS: Final = "kafka-offsets"
GET_OFFSETS: Final = "kafka-get-offsets (GetOffsetShell)"
