"""The estimators, written down from their definitions in docs/statistics.md, as slowly as one likes."""
import math
from statistics import NormalDist


def z(level=0.95):
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(hits, of, level=0.95):
    if of == 0:
        return None, None, None
    p, zz = hits / of, z(level) ** 2
    middle, width = p + zz / (2 * of), z(level) * math.sqrt(p * (1 - p) / of + zz / (4 * of * of))
    return p, max(0.0, (middle - width) / (1 + zz / of)), min(1.0, (middle + width) / (1 + zz / of))


def at_risk(intervals, time):
    """Who enters at an instant is not yet at risk at it."""
    return sum(entry < time <= end for entry, end, _ in intervals)


def steps(intervals, until=math.inf):
    """(time, at risk, updates by cause, share without before it) at each time with an update."""
    without = 1.0
    for time in sorted({end for _, end, by in intervals if by and end <= until}):
        n, causes = at_risk(intervals, time), [by for _, end, by in intervals if by and end == time]
        yield time, n, causes, without
        without *= 1 - len(causes) / n


class Late(list):
    """Intervals of devices some of which enter late, where few that were left are not taken for those that come."""


FEW = 30


def lost(intervals):
    """From when on nothing is estimated: as soon as 30 are at risk again after an update among fewer, or anybody after S came to 0."""
    if not isinstance(intervals, Late):
        return math.inf
    rows = list(steps(intervals))
    few = next((time for time, n, _, _ in rows if n < FEW), math.inf)
    none = next((time for time, n, causes, _ in rows if len(causes) == n), math.inf)
    return min(first_at_risk(intervals, FEW, few), first_at_risk(intervals, 1, none))


def first_at_risk(intervals, least, after):
    """More are at risk from the second after an entry on."""
    times = sorted({after + 1} | {entry + 1 for entry, _, _ in intervals if entry >= after}) if after < math.inf else []
    return next((time for time in times if at_risk(intervals, time) >= least), math.inf)


def loglog(share, variance, level):
    """Limits of a share without, by log(-log S); `variance` is of log S."""
    spread = math.exp(z(level) * math.sqrt(variance) / abs(math.log(share)))
    return share ** spread, share ** (1 / spread)


def follow_up(intervals):
    return max(end for _, end, _ in intervals)


def curve(intervals, level=0.95):
    """(time, at risk, updates, share updated, lower limit, upper limit), a row for each time with an update."""
    variance, end = 0.0, lost(intervals)
    for time, n, causes, before in steps(intervals):
        if time >= end:
            return
        d = len(causes)
        without = before * (1 - d / n)
        variance += d / (n * (n - d)) if d < n else math.inf
        lo, hi = loglog(without, variance, level) if without > 0 else (None, None)
        yield time, n, d, 1 - without, None if hi is None else 1 - hi, None if lo is None else 1 - lo


def adoption(intervals, age, level=0.95):
    """(value, lower limit, upper limit) by an age; intervals are (entry, end, by whom it ended with an update)."""
    if not intervals or age >= lost(intervals):
        return None, None, None
    past = [row for row in curve(intervals, level) if row[0] <= age]
    value, lo, hi = past[-1][3:] if past else (0.0, None, None)
    if value < 1 and age > follow_up(intervals):
        return None, None, None
    return value, lo, hi


def quantile(intervals, p, level=0.95):
    """The first time with S <= 1 - p; where the limits of S get there: `lo` where the upper limit of adoption does."""
    rows = list(curve(intervals, level)) if intervals else []
    def first(column):
        return next((row[0] for row in rows if row[column] is not None and row[column] >= p - 1e-12), None)
    return first(3), first(5), first(4)


def mean_without(intervals, horizon):
    """Area under S up to the horizon; None where S is not known so far."""
    if not intervals or horizon >= lost(intervals):
        return None
    rows = [row for row in curve(intervals) if row[0] <= horizon]
    if (not rows or rows[-1][3] < 1) and horizon > follow_up(intervals):
        return None
    times, shares = [0] + [row[0] for row in rows] + [horizon], [1.0] + [1 - row[3] for row in rows]
    return sum(share * (end - start) for share, start, end in zip(shares, times, times[1:]))


def incidence(intervals, cause, age, level=0.95):
    """Aalen-Johansen: (value, lower, upper), with Greenwood's variance for several causes on log(-log(1 - F))."""
    if not intervals or age >= lost(intervals):
        return None, None, None
    rows, value = list(steps(intervals, age)), 0.0
    for _, n, causes, before in rows:
        value += before * causes.count(cause) / n
    without = rows[-1][3] * (1 - len(rows[-1][2]) / rows[-1][1]) if rows else 1.0
    if without > 1e-15 and age > follow_up(intervals):
        return None, None, None
    if value <= 0 or value >= 1:
        return value, None, None
    lo, hi = loglog(1 - value, greenwood(rows, cause, value) / (1 - value) ** 2, level)
    return value, 1 - hi, 1 - lo


def greenwood(rows, cause, value):
    """Variance of a cumulative incidence (Marubini and Valsecchi 1995, 10.12, with the factor (n - d) / n of Greenwood)."""
    total, so_far = 0.0, 0.0
    for _, n, causes, before in rows:
        d, own = len(causes), causes.count(cause)
        so_far += before * own / n
        rest = value - so_far
        total += rest ** 2 * d / (n * (n - d)) if d < n else 0.0
        total += before ** 2 * own * (n - own) / n ** 3
        total -= 2 * rest * before * own / n ** 2
    return total
