import numpy as np
import pytest
from metrics import LABELS, label_of

OTHER = len(LABELS)


@pytest.fixture
def matrix(cases, outputs):
    """Rows: expected label. Columns: given label, the last one for anything else."""
    counts = np.zeros((len(LABELS), len(LABELS) + 1), dtype=int)
    for case in cases:
        got = label_of(outputs.get(case["id"]))
        counts[LABELS.index(case["expected"]["label"]), LABELS.index(got) if got in LABELS else OTHER] += 1
    return counts


def test_accuracy(matrix):
    assert np.trace(matrix) >= 0.9 * matrix.sum() - 1e-9


def test_balanced_accuracy(matrix):
    rows = matrix.sum(axis=1)
    recalls = np.diag(matrix)[rows > 0] / rows[rows > 0]
    assert float(recalls.mean()) >= 0.9 - 1e-9


def test_known_labels(matrix):
    assert matrix[:, OTHER].sum() == 0


def test_no_security_message_is_missed(matrix):
    row = matrix[LABELS.index("security")]
    assert row.sum() == row[LABELS.index("security")]
