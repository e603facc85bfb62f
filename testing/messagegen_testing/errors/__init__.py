"""Responses with errors, by what the specs say of requests and responses."""
