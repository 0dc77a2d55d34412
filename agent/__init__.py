"""The agent itself, and the composition root."""
