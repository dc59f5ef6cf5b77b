"""How often a band of equal precision holds a whole curve whose truth is known: the rows of docs/statistics.md, "All ages together".

usage: python3 bands_coverage.py (numpy). Shares nothing with Sources/Statistics; the band is docs/statistics.md's. A row is 1,500 fleets of 60, 200 or 400 devices,
400 of 2,000: of 85 % the wait is 40 h on average, in mixed fleets 5 h for two in five devices; all are lost after one to eight days; some enter late.
"""
import math

import numpy

FEWEST = 10


def width(growth, level=0.95):
    low, high = 1.2, 6.0
    for _ in range(40):
        c = (low + high) / 2
        density = math.exp(-c * c / 2) / math.sqrt(2 * math.pi)
        low, high = (c, high) if 4 * density / c + density * (c - 1 / c) * math.log(growth) > 1 - level else (low, c)
    return high


def fleet(random, size, late, mixed):
    wait = numpy.where(random.random(size) < 0.85, random.exponential(40, size), 1e9)
    if mixed:
        wait = numpy.where(random.random(size) < 0.4, random.exponential(5, size), wait)
    entry = numpy.where(random.random(size) < late, random.uniform(0, 60, size), 0.0)
    lost = random.uniform(24, 200, size)
    seen = (entry < wait) & (entry < lost)
    return entry[seen], numpy.minimum(wait, lost)[seen], (wait <= lost)[seen]


def truth(hours, mixed):
    slow = 0.85 * -numpy.expm1(-hours / 40)
    return 0.4 * -numpy.expm1(-hours / 5) + 0.6 * slow if mixed else slow


def holds(random, size, late, mixed):
    """(whether the band held, whether limits of each age did); None without a band."""
    entry, end, updated = fleet(random, size, late, mixed)
    times = numpy.sort(end[updated])
    at_risk = numpy.array([((entry < time) & (end >= time)).sum() for time in times])
    with numpy.errstate(divide="ignore"):
        left, variance = numpy.cumprod(1 - 1 / at_risk), numpy.cumsum(1 / (at_risk * (at_risk - 1.0)))
    thin = numpy.concatenate([[1], left[:-1]]) * 30 > at_risk if size >= 100 else left <= 0
    thin |= left <= 0
    last = (thin.argmax() if thin.any() else len(times)) - 1
    if last < FEWEST:
        return None
    inside = slice(FEWEST - 1, last + 1)
    rise, error, steps = -numpy.log(left[inside]), numpy.sqrt(variance[inside]), times[inside]
    here, before_next = truth(steps, mixed), truth(numpy.append(steps[1:], steps[-1]), mixed)
    def held(c):
        return bool((1 - numpy.exp(-rise * numpy.exp(-c * error / rise)) <= here).all() and (1 - numpy.exp(-rise * numpy.exp(c * error / rise)) >= before_next).all())
    return held(width(variance[last] / variance[FEWEST - 1])), held(1.96)


def main():
    print("| devices | late | waits | band | limits of each age |\n|---:|---:|---|---:|---:|")
    random = numpy.random.default_rng(1)
    for size in (60, 200, 400, 2000):
        for late in (0, 0.3):
            for mixed in (False, True):
                found = [pair for _ in range(400 if size > 1000 else 1500) if (pair := holds(random, size, late, mixed))]
                band, each = (100 * sum(column) / len(found) for column in zip(*found))
                print(f"| {size:,} | {late:.0%} | {'mixed' if mixed else 'alike'} | {band:.1f} % | {each:.1f} % |".replace("0%", "0 %"), flush=True)


if __name__ == "__main__":
    main()
