"""The checks of the gate, one a file: `look(evidence) -> Finding`."""
