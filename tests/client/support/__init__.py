"""Brokers and clusters with scripted answers, and helpers of several test modules."""
