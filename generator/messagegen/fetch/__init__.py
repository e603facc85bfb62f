"""Extracts the official message specs from Kafka's published jars into a folder with a lock file."""
