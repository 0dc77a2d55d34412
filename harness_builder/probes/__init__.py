"""Null, degenerate and broken submissions that every harness must refuse."""
