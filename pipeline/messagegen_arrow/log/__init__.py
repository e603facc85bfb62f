"""Kafka's log segments: finding, planning and reading of files, even if they are damaged."""
