"""The commands ``kafka-offsets plan``, ``reset`` and ``lag``."""
