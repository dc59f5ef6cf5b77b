"""Devices that are in two releases: how two estimates of adoption go together, from the text in docs/method.md."""
import math
from bisect import bisect_left
from collections import Counter, defaultdict

import estimators

HOURS = (1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 96, 120, 144, 168, 240, 336, 504, 672, 1008)
ENDS = [900, 1800] + [hours * 3600 for hours in HOURS]


def marks(intervals):
    """What a spell did: (kind, span) of each end and of each late entry."""
    for entry, end, by in intervals:
        yield "update" if by else "end", bisect_left(ENDS, end)
        if entry > 0:
            yield "entry", bisect_left(ENDS, entry)


def together(first, second):
    """How often one device had each two marks; a late entry counts against an end. Both are intervals by spell."""
    found = Counter()
    for spell in first.keys() & second.keys():
        for one in marks(first[spell]):
            for other in marks(second[spell]):
                found[one, other] += (-1) ** (one[0] == "entry") * (-1) ** (other[0] == "entry")
    return found


def influences(intervals, age):
    """The mean influence on log S of those with a mark; None where nobody is left."""
    steps = [(time, n, len(causes)) for time, n, causes, _ in estimators.steps(intervals, age)]
    if any(n == d for _, n, d in steps):
        return None
    def staying(at):
        return sum(d / (n * (n - d)) for time, n, d in steps if time <= at)
    last = {time: 1 / (n - d) for time, n, d in steps}
    sums, counts = defaultdict(float), Counter()
    for interval in intervals:
        for (kind, span), at in zip(marks([interval]), (interval[1], interval[0])):
            sums[kind, span] += staying(at) - (last.get(at, 0) if kind == "update" else 0)
            counts[kind, span] += 1
    return defaultdict(lambda: staying(age), {mark: sums[mark] / counts[mark] for mark in counts})


def correlation(shared, sides, age):
    """None where no device is in both, or one side did not vary."""
    if not any(shared.values()):
        return None
    first, second = (influences(side, age) for side in sides)
    if first is None or second is None:
        return None
    variance = math.prod(sum(len(causes) / (n * (n - len(causes))) for _, n, causes, _ in estimators.steps(side, age)) for side in sides)
    if variance == 0:
        return None
    joint = sum(count * first[one] * second[other] for (one, other), count in shared.items())
    return max(-1, min(1, joint / math.sqrt(variance)))
