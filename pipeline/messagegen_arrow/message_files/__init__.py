"""Messages in files that others wrote: a column of bytes in Parquet, decoded where it is read."""
