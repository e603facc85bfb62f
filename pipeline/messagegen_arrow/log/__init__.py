"""Kafka's log segments: finding files, planning what to read, and reading them, damaged ones too."""
