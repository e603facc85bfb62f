"""The history of cluster metadata, without Spark."""
