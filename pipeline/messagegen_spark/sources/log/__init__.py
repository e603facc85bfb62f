"""``kafka-log``: Kafka's log segments as a data source of Spark."""
