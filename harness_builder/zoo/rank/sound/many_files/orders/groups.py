"""Items that are equally similar."""


def tied(ids, similarities, within=1e-6):
    """Runs of ids whose similarities are equal."""
    groups, last = [], None
    for name, similarity in zip(ids, similarities):
        if last is not None and abs(similarity - last) <= within:
            groups[-1].append(name)
        else:
            groups.append([name])
        last = similarity
    return [group for group in groups if len(group) > 1]
