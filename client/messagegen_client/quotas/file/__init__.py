"""Quota files, in YAML or JSON: the quotas that a cluster should have."""
