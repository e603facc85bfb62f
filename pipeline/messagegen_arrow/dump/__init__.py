"""The rows of `messagegen-data dump`: logs and captures as lines of JSON, tables and Parquet files."""
