"""The history of topics, configs and quotas, from ``__cluster_metadata``."""
