"""messagegen compared with Apache Kafka: its generated Java classes, and the specs that its generator accepts."""
