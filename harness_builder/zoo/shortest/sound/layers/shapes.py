"""What an output looks like."""


def cost_of(output):
    """The cost, or a text that is never right."""
    return output.get("cost", "absent") if isinstance(output, dict) else "absent"


def path_of(output):
    """The path as a tuple of texts, or None."""
    path = output.get("path") if isinstance(output, dict) else None
    if isinstance(path, list) and all(isinstance(node, str) for node in path):
        return tuple(path)
    return None
