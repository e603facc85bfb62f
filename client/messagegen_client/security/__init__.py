"""TLS and SASL settings."""
