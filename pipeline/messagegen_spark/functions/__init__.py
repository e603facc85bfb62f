"""Functions on columns and DataFrames: messages, frames and records of internal topics."""
