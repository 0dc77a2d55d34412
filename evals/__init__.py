"""What is measured, and what is remembered."""
