"""The plan: what every message is, decided once between spec and text."""
