"""``kafka-messages``: columns of bytes in Parquet files as a data source of Spark."""
