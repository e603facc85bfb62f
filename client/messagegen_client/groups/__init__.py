"""Consumer groups: who is in them, the offsets that they have committed, how far they lag, and how to set them back."""
