"""The estimators, written down from their definitions in docs/statistics.md, as slowly as one likes."""
import math

Z = 1.959963984540054


def wilson(hits, of):
    if of == 0:
        return None, None, None
    p, zz = hits / of, Z * Z
    middle, width = p + zz / (2 * of), Z * math.sqrt(p * (1 - p) / of + zz / (4 * of * of))
    return p, max(0.0, (middle - width) / (1 + zz / of)), min(1.0, (middle + width) / (1 + zz / of))


def at_risk(intervals, time):
    """Who enters at an instant is not yet at risk at it."""
    return sum(entry < time <= end for entry, end, _ in intervals)


def adoption(intervals, age):
    """(value, lower limit, upper limit) by an age; intervals are (entry, end, whether it ended with an update)."""
    if not intervals:
        return None, None, None
    without, variance = 1.0, 0.0
    for time in sorted({end for _, end, updated in intervals if updated and end <= age}):
        n, d = at_risk(intervals, time), sum(updated and end == time for _, end, updated in intervals)
        without *= 1 - d / n
        variance += d / (n * (n - d)) if d < n else math.inf
    if without > 0 and age > max(end for _, end, _ in intervals):
        return None, None, None
    if without in (0.0, 1.0):
        return 1 - without, None, None
    spread = math.exp(Z * math.sqrt(variance) / abs(math.log(without)))
    return 1 - without, 1 - without ** (1 / spread), 1 - without ** spread
