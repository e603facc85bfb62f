"""Histories from Kafka's internal topics: commits of groups and changes of metadata."""
