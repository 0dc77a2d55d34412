"""The least cost by scipy."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra


def least_cost(graph):
    """The least cost from source to target, or None. Of edges between the same nodes the lightest counts."""
    nodes = sorted({graph["source"], graph["target"], *(node for edge in graph["edges"] for node in edge[:2])})
    place = {node: index for index, node in enumerate(nodes)}
    matrix = np.full((len(nodes), len(nodes)), np.inf)
    for start, end, weight in graph["edges"]:
        matrix[place[start], place[end]] = min(matrix[place[start], place[end]], weight)
    rows, columns = np.nonzero(np.isfinite(matrix))
    sparse = csr_array((matrix[rows, columns], (rows, columns)), shape=matrix.shape)
    found = dijkstra(sparse, indices=place[graph["source"]])[place[graph["target"]]]
    return float(found) if np.isfinite(found) else None
