"""The command ``kafka-client-quotas``."""
