"""Flawed and sound harnesses with witnesses, and the gate's benchmark over them."""
