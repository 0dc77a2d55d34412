"""Rankings, given and expected."""
