"""Reference values for interval-censored times, by two ways that share nothing with Sources/Statistics.

1. Without late entry: lifelines' `npmle` (PyPI lifelines), which `KaplanMeierFitter.fit_interval_censoring` uses.
2. With late entry: scipy's SLSQP on probabilities (not hazards) under sum = 1, from several starts.

usage: python turnbull.py > turnbull.expected.json   (run with numpy 2.4.6, scipy 1.17.1, lifelines 0.30.3)
"""
import json, random
import numpy as np
from scipy.optimize import minimize
from lifelines.fitters.npmle import npmle

INF = np.inf
# Radiotherapy alone, and with chemotherapy: months to cosmetic deterioration.
# D. M. Finkelstein and R. A. Wolfe, Biometrics 41, 1985, 933-945.
COSMESIS = {
    "radiotherapy": [(45, INF), (6, 10), (0, 7), (46, INF), (46, INF), (7, 16), (17, INF), (7, 14), (37, 44), (0, 8), (4, 11),
        (15, INF), (11, 15), (22, INF), (46, INF), (46, INF), (25, 37), (46, INF), (26, 40), (46, INF), (27, 34), (36, 44),
        (46, INF), (36, 48), (37, INF), (40, INF), (17, 25), (46, INF), (11, 18), (38, INF), (5, 12), (37, INF), (0, 5),
        (18, INF), (24, INF), (36, INF), (5, 11), (19, 35), (17, 25), (24, INF), (32, INF), (33, INF), (19, 26), (37, INF),
        (34, INF), (36, INF)],
    "chemotherapy": [(8, 12), (0, 22), (24, 31), (17, 27), (17, 23), (24, 30), (16, 24), (13, INF), (11, 13), (16, 20),
        (18, 25), (17, 26), (32, INF), (23, INF), (44, 48), (14, 17), (0, 5), (5, 8), (12, 20), (11, INF), (33, 40), (31, INF),
        (13, 39), (19, 32), (34, INF), (13, INF), (16, 24), (35, INF), (15, 22), (11, 17), (22, 32), (48, INF), (30, 34),
        (13, INF), (10, 17), (8, 21), (4, 9), (11, INF), (14, 19), (4, 8), (34, INF), (30, 36), (18, 24), (16, 60), (35, 39),
        (21, INF), (11, 20), (48, INF)],
}


def polled(seed, entries):
    """Forty devices polled at odd times, some exact, some lost, some watched late."""
    chance = random.Random(seed)
    rows = []
    while len(rows) < 40:
        time, at, entry = chance.expovariate(1 / 20), 0, 0
        if entries and chance.random() < 0.4:
            entry = at = chance.randrange(1, 15)
        if time <= entry:
            continue
        if chance.random() < 0.2:
            rows.append((entry, int(time), int(time) + 1) if int(time) >= entry else (entry, entry, entry + 1))
            continue
        lost = entry + chance.randrange(5, 60)
        while True:
            step = chance.randrange(2, 13)
            if at + step > lost:
                rows.append((entry, at, INF))
                break
            if time <= at + step:
                rows.append((entry, at, at + step))
                break
            at += step
    return rows


def by_lifelines(rows):
    """Probability by tick, summed to the end of each span."""
    # lifelines' spans are closed on both sides: (L, R] on whole ticks is [L + 1, R].
    left = np.array([a + 1 for _, a, b in rows], dtype=float)
    right = np.array([b for _, a, b in rows], dtype=float)
    probability, spans = npmle(left, right, tol=1e-13, max_iter=2_000_000)[:2]
    return [(float(s.left), float(s.right), float(p)) for s, p in zip(spans, probability)]


def by_scipy(rows, start):
    """Probability in unit ticks, anywhere: no innermost intervals are assumed."""
    last = int(max([b for *_, b in rows if b < INF] + [a for _, a, _ in rows])) + 1
    cells = np.arange(1, last + 1)
    inside = np.array([(cells > a) & (cells <= (b if b < INF else last)) for _, a, b in rows], dtype=float)
    watched = np.array([cells > e for e, *_ in rows], dtype=float)

    def fun(p):
        top, bottom = inside @ p, watched @ p
        return -(np.log(top) - np.log(bottom)).sum(), -(inside.T @ (1 / top) - watched.T @ (1 / bottom))

    p = np.random.default_rng(start).dirichlet(np.ones(last) * 5)
    found = minimize(fun, p, jac=True, method="SLSQP", bounds=[(0, 1)] * last,
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(last)}],
        options={"ftol": 1e-15, "maxiter": 5000})
    return found.fun, found.x


def loglik(rows, spans):
    total = 0
    for e, a, b in rows:
        top = sum(p for l, r, p in spans if l >= a + 1 and r <= b)
        total += np.log(top) - np.log(sum(p for l, r, p in spans if l >= e + 1))
    return total


def case(name, rows):
    out = {"name": name, "rows": [[e, a, None if b == INF else b] for e, a, b in rows]}
    best = min((by_scipy(rows, s) for s in range(4)), key=lambda f: f[0])
    out["scipyLogLikelihood"] = -float(best[0])
    if all(e == 0 for e, *_ in rows):
        spans = by_lifelines(rows)
        out["lifelinesLogLikelihood"] = float(loglik(rows, spans))
        out["lifelines"] = [[l - 1, r if r < INF else None, p] for l, r, p in spans]
    # Adoption at the upper bounds: there the curve is known to the point, wherever probability lies within its interval.
    out["scipy"] = np.cumsum(best[1]).tolist()
    return out


cases = [case(name, [(0, a, b) for a, b in rows]) for name, rows in COSMESIS.items()]
cases += [case(f"polled {s}", polled(s, False)) for s in (1, 2)]
cases += [case(f"late entry {s}", polled(s, True)) for s in (3, 4, 5)]
print(json.dumps(cases))
