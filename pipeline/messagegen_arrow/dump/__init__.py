"""The rows of `messagegen dump`: logs and captures as lines of JSON, tables and Parquet files."""
