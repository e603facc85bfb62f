"""TLS and SASL: how a client and a broker know each other."""
