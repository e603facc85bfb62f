"""Requests to the brokers of a cluster, over aiokafka's connections."""
