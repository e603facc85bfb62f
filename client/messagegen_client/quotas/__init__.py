"""Client quotas (KIP-546): entities, filters, calls, plans, files."""
