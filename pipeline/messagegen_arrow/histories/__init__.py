"""Histories from Kafka's internal topics: the commits of groups and the changes of metadata."""
