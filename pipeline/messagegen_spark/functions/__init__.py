"""Functions on DataFrames: messages, records in internal topics, and the history of metadata."""

from messagegen_spark.versions import check_pyspark

check_pyspark()
