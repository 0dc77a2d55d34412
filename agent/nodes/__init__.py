"""The graph's nodes, one a file."""
