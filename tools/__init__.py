"""What the agent can do, and the box it does it in."""
