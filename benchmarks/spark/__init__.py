"""The pipeline beside Spark's own decoders and the Python libraries that read Kafka's logs; ``python -m benchmarks.spark``."""
