"""A real Apache Kafka broker for the tests, with traffic, packet captures, and output of Apache's clients and tools.

Needs a JDK (17 or newer) and Maven, as ``tests.oracle`` does.
"""
