"""Brokers and clusters that tests answer for, and what several test modules use."""
