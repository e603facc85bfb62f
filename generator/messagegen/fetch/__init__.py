"""The official message specs out of Kafka's published jars, into a folder with a lock file."""
