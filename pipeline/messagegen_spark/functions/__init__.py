"""Functions on columns and DataFrames: messages, frames and records of internal topics."""

from messagegen_spark.versions import check_pyspark

check_pyspark()
