"""The history of topics, configs, quotas and the rest of a cluster's metadata, from ``__cluster_metadata``."""
