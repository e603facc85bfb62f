"""messagegen against Apache Kafka: its generated Java classes, and what its generator accepts."""
