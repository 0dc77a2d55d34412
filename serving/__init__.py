"""The model's engine."""
