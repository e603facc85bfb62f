"""Tables of lake formats, which the libraries of these formats keep: Iceberg and Delta."""
