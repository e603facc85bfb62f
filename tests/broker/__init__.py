"""A real Apache Kafka broker for the tests: clusters, traffic, captures of it, and Apache's own tools.

Needs a JDK (17 or newer) and Maven, as ``tests.oracle`` does.
"""

from tests.broker.cluster import Cluster
from tests.broker.node import BrokerError
from tests.broker.settings import Listener

__all__ = ["BrokerError", "Cluster", "Listener"]
