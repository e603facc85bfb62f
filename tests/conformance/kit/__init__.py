"""The conformance kit: an archive of valid and refused bytes that Java classes of Kafka's releases have checked."""
