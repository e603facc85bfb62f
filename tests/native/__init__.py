"""Compares the native engine with the reference walk. Skipped if messagegen-native is not installed."""
