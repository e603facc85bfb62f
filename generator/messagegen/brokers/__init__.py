"""The versions of requests and responses that clients need for the brokers of some releases."""
