"""Which versions of its requests and responses a client needs for the brokers of some releases."""
