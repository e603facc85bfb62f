"""Kafka's log segments: finding, planning and reading of files, also of damaged files."""
