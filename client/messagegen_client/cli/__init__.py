"""The commands of the client; only these modules print."""
