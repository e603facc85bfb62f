"""Benchmarks of messagegen against other Python libraries for Kafka's protocol and Apache's Java classes."""
