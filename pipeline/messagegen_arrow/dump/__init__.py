"""What `messagegen dump` writes: rows of logs and captures as lines of JSON, tables and Parquet files."""
