"""Compares messagegen with Apache Kafka: with its generated Java classes, and with the specs its generator accepts."""
