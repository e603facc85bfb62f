"""Quota files, in YAML or JSON."""
