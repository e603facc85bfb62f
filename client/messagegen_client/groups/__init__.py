"""The committed offsets of consumer groups: calls, files, plans."""
