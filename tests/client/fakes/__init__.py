"""Brokers and clusters that tests answer for."""
