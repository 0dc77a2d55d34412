"""How lines are compared; used by the metric and by the checks."""
