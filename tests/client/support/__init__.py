"""Brokers and clusters with scripted answers, and helpers for several test modules."""
