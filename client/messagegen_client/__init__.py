"""A client for real Kafka brokers: client quotas (KIP-546) and offsets by time (KIP-79)."""
