"""What code may import, and what an import loads."""
