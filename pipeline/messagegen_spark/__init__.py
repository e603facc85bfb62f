"""Kafka's bytes in Spark: DataFrames from messages, log segments and captures, and encodings chosen from data."""
