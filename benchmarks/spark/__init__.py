"""The pipeline beside Spark's own decoders and the Python libraries that read Kafka's logs.

Run it as ``python -m benchmarks.spark``.
"""
