from orders.ranking import Expected, Ranking


def score(case, output):
    return {"score": 1.0 if Expected(case).is_met_by(Ranking(output)) else 0.0}
