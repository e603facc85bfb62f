"""The commands of the client. No other module prints."""
