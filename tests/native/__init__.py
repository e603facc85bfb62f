"""The native engine held against the reference walk; skipped where messagegen-native is not installed."""
