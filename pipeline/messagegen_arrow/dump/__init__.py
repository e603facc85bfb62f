"""The rows of `messagegen-data dump`: logs and captures as JSON lines, tables and Parquet files."""
