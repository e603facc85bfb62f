"""Responses with errors, made from requests by their specs and a few facts about brokers."""
