"""A real Apache Kafka broker for the tests: traffic, captures of it, and output of Apache's own clients and tools.

Needs a JDK (17 or newer) and Maven, as ``tests.oracle`` does.
"""
