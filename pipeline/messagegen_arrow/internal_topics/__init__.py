"""Records of Kafka's internal topics: ``__consumer_offsets``, ``__cluster_metadata`` and others."""
