"""The encoding advisor: finds the shortest of KIP-625's encodings for each integer field, based on data."""

from messagegen_arrow.advisor.advice import Advice, FieldAdvice, advise
from messagegen_arrow.advisor.sources import bodies_of, parquet_rows, records_of

__all__ = ["Advice", "FieldAdvice", "advise", "bodies_of", "parquet_rows", "records_of"]
