"""Records of Kafka's internal topics: ``__consumer_offsets``, ``__transaction_state``, ``__cluster_metadata`` and others."""
