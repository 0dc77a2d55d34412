import numpy as np


class Graph:
    """A weight matrix, with infinity where there is no edge and 0 from a node to itself."""

    def __init__(self, given):
        self.source, self.target = given["source"], given["target"]
        self.names = sorted({self.source, self.target} | {n for e in given["edges"] for n in e[:2]})
        size = len(self.names)
        self.weights = np.full((size, size), np.inf)
        for start, end, weight in given["edges"]:
            at = self.names.index(start), self.names.index(end)
            self.weights[at] = min(self.weights[at], weight)

    def along(self, path):
        """The sum of the weights along a path from source to target; infinity for anything else."""
        if not isinstance(path, list) or not path or any(type(n) is not str or n not in self.names for n in path):
            return np.inf
        if path[0] != self.source or path[-1] != self.target:
            return np.inf
        places = np.array([self.names.index(name) for name in path])
        return float(self.weights[places[:-1], places[1:]].sum())

    def least(self):
        """The least cost from source to target by min-plus powers; infinity when there is no path."""
        power = self.weights.copy()
        np.fill_diagonal(power, 0.0)
        for _ in range(len(self.names).bit_length()):
            power = (power[:, :, None] + power[None, :, :]).min(axis=1)
        return float(power[self.names.index(self.source), self.names.index(self.target)])
