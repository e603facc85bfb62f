"""``kafka-offsets plan``, ``reset`` and ``lag``: the offsets of consumer groups."""
