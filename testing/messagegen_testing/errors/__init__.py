"""Makes error responses to requests, from their specs and a few facts about brokers."""
