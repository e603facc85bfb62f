"""Requests to the brokers of a cluster."""
