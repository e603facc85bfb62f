"""Compares the pipeline with Spark's own decoders and with Python libraries that read Kafka's logs.

Run it as ``python -m benchmarks.spark``.
"""
