"""Adoption between checks: hazards that are constant in a few cells of time, by the likelihood of bounds. Plain and slow."""
import math

from estimators import curve, follow_up, lost, z

COUNTS = (3, 4, 6, 8, 12)


class Near(float):
    """A number that is found step by step: the program's may differ by so much."""
    within = 1e-6

    @classmethod
    def all(cls, numbers, within=1e-6):
        found = [None if number is None else cls(number) for number in numbers]
        for number in found:
            if number is not None:
                number.within = within
        return tuple(found)


def parts(start, end, ends):
    """(cell, how much of it lies in (start, end])"""
    found = []
    for cell, last in enumerate(ends):
        first = ends[cell - 1] if cell else 0
        if last > start and first < end:
            found.append((cell, min(end, last) - max(start, first)))
    return found


def cells(updates, count):
    """Ends of so many cells, with about as many updates each by the middle of their bounds; the last ends with the last bound."""
    middles = sorted(((after + up_to) / 2, number) for (after, up_to, _), number in updates.items())
    total, seen, ends = sum(updates.values()), 0, []
    for at, number in middles:
        seen += number
        if seen * count >= total * (len(ends) + 1) and len(ends) < count - 1 and at > (ends[-1] if ends else 0):
            ends.append(at)
    last = max(up_to for _, up_to, _ in updates)
    return [end for end in ends if end < last] + [last]


def solve(matrix, right):
    """By Gauss."""
    size, rows = len(matrix), [list(row) + [value] for row, value in zip(matrix, right)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    found = [0.0] * size
    for row in reversed(range(size)):
        found[row] = (rows[row][size] - sum(rows[row][k] * found[k] for k in range(row + 1, size))) / rows[row][row]
    return found


class Fit:
    """The likeliest hazards: Newton's steps, halved until they rise and stay above 0."""
    def __init__(self, updates, watched, ends):
        self.ends, self.updates = ends, [(parts(after, up_to, ends), number) for (after, up_to, _), number in sorted(updates.items(), key=str)]
        self.exposure = [0.0] * len(ends)
        for tick, number in watched.items():
            for cell, part in parts(0, tick, ends):
                self.exposure[cell] -= number * part
        whole = sum(self.exposure) + sum(number * sum(part for _, part in bits) / 2 for bits, number in self.updates)
        self.hazards = [sum(updates.values()) / whole] * len(ends)
        self.value, gradient, self.information = self.slopes(self.hazards)
        for _ in range(200):
            if max(abs(h * g) for h, g in zip(self.hazards, gradient)) < 1e-9:
                break
            gradient = self.step(gradient)

    def slopes(self, hazards):
        size = len(hazards)
        value = -sum(h * e for h, e in zip(hazards, self.exposure))
        gradient, information = [-e for e in self.exposure], [[0.0] * size for _ in range(size)]
        for bits, number in self.updates:
            rise = sum(hazards[cell] * part for cell, part in bits)
            grown = math.expm1(rise)
            value += number * math.log(-math.expm1(-rise))
            for cell, part in bits:
                gradient[cell] += number * part / grown
                for other, more in bits:
                    information[cell][other] += number * part * more * (grown + 1) / grown ** 2
        return value, gradient, information

    def step(self, gradient):
        size = len(self.hazards)
        # On the logarithms, where no hazard can fall below 0; the diagonal is raised where that scale bends upwards.
        scaled = [[self.information[i][k] * self.hazards[i] * self.hazards[k] for k in range(size)] for i in range(size)]
        slope = [h * g for h, g in zip(self.hazards, gradient)]
        for i in range(size):
            scaled[i][i] += max(0.0, -slope[i]) + 1e-12
        direction, part = solve(scaled, slope), 1.0
        while part > 1e-12:
            tried = [h * math.exp(max(-5, min(5, part * d))) for h, d in zip(self.hazards, direction)]
            value, found, information = self.slopes(tried)
            if value >= self.value - 1e-13 * abs(self.value):
                self.hazards, self.value, self.information = tried, value, information
                return found
            part /= 2
        return [0.0] * size


class Outer:
    """-log(1 - F) of the product-limit curve with each update as early, or as late, as it can have been; up to where one update more
    would move it by over a thirtieth."""
    def __init__(self, updates, watched, early):
        ends, changes = {}, dict(watched)
        for (after, up_to, _), number in updates.items():
            end = after + 1 if early else up_to
            ends[end] = ends.get(end, 0) + number
            changes[after] = changes.get(after, 0) + number
            changes[end] = changes.get(end, 0) - number
        self.steps, self.thin, height, variance, left = [(0, 0.0, 0.0)], math.inf, 0.0, 0.0, 1.0
        for tick, number in sorted(ends.items()):
            risk = sum(change for at, change in changes.items() if at < tick)
            if number >= risk or left * 30 > risk:
                self.thin = tick
                break
            left *= 1 - number * (1 / risk)
            height, variance = height - math.log1p(-number / risk), variance + number / risk / (risk - number)
            self.steps.append((tick, height, math.sqrt(variance)))

    def at(self, tick):
        """(-log(1 - F), its standard error)"""
        return next(step[1:] for step in reversed(self.steps) if step[0] <= tick)


class Curve:
    """Of some numbers of cells, the one that Akaike likes best, within what the bounds permit; limits from the most, and down to those
    of the intervals of the same devices, which take the check for the update."""
    def __init__(self, updates, watched, last, seen):
        self.seen, self.lines = seen, {}
        total = sum(updates.values())
        most = max(1, min(12, math.floor(total ** (1 / 3) + 0.5)))
        fits = [Fit(updates, watched, cells(updates, count)) for count in ([most] if most < 3 else [n for n in COUNTS if n <= most])]
        self.best = max(fits, key=lambda fit: fit.value - len(fit.ends))
        self.finest, self.last = fits[-1], last
        self.earliest, self.latest = Outer(updates, watched, True), Outer(updates, watched, False)
        widths = sorted((up_to - after, number) for (after, up_to, _), number in updates.items() if up_to - after > 1)
        total, seen, gap = sum(number for _, number in widths), 0, 0
        for width, number in widths:
            seen, gap = seen + number, width
            if seen * 10 >= total * 9:
                break
        self.until = max(max(up_to for _, up_to, _ in updates), max(watched, default=0)) - gap

    def fitted(self, tick):
        return sum(self.best.hazards[cell] * part for cell, part in parts(0, tick, self.best.ends))

    def bounded(self, tick):
        """(-log(1 - F), its standard error). Bounds are known to a thirty-second; an error is as large a part of the curve as of the fit, and
        no smaller than that of the bound that holds it. In the last gap, of nine in ten, who did not check again is in no bound."""
        fitted, error = self.fitted(tick), self.fit_error(tick)
        least, up = self.latest.at(max(0, min(math.floor(tick - tick / 32), self.until))), math.ceil(tick + tick / 32)
        most = self.earliest.at(up) if up < self.earliest.thin and up <= self.until else (0.0, 0.0)
        for bound, holds in ((most, 0 < most[0] < fitted), (least, fitted < least[0])):
            if holds:
                return bound[0], max(bound[1], error * bound[0] / fitted)
        return fitted, error

    def risen(self, tick):
        return self.bounded(tick)[0]

    def error(self, tick):
        return self.bounded(tick)[1]

    def fit_error(self, tick):
        weights = [0.0] * len(self.finest.ends)
        for cell, part in parts(0, tick, self.finest.ends):
            weights[cell] = part
        return math.sqrt(max(0.0, sum(w * v for w, v in zip(weights, solve(self.finest.information, weights)))))

    def share(self, tick, level=0.95):
        """Nothing where the limits would be 0 and 100 %."""
        found = self.reached(tick, level)
        return (None,) * 3 if found[1] is not None and found[1] < 0.005 and found[2] > 0.995 else found

    def least(self, tick, level):
        """The lower limit with every update at the check that showed it: 0 before the first."""
        if level not in self.lines:
            self.lines[level] = list(curve(self.seen, level)), lost(self.seen), follow_up(self.seen)
        rows, gone, end = self.lines[level]
        return None if min(tick, end) >= gone else next((row[4] for row in reversed(rows) if row[0] <= tick), 0.0)

    def reached(self, tick, level):
        if tick > self.last:
            return None, None, None
        rise, error = self.risen(tick), self.error(tick)
        if rise <= 0 or error <= 0:
            return Near.all((-math.expm1(-rise), None, None))
        spread = math.exp(min(700, z(level) * error / rise))
        lower, least = -math.expm1(-rise / spread), self.least(tick, level)
        return Near.all((-math.expm1(-rise), lower if least is None else min(lower, least), -math.expm1(-rise * spread)))

    def time(self, p, level=0.95):
        """The first second by which a share had updated, and where the limits get there."""
        end = int(self.best.ends[-1])
        def first(place):
            low, high = 0, end + 1
            while low < high:
                middle = (low + high) // 2
                low, high = (low, middle) if (self.reached(middle, level)[place] or 0) >= p else (middle + 1, high)
            return low if low <= end else None
        value = first(0)
        return (None, None, None) if value is None else Near.all((value, first(2), first(1)), within=2)

    def mean(self, horizon):
        """The area under what is left, by 256 strips."""
        if horizon > self.last:
            return None
        width = horizon / 256
        return Near.all([sum(width * math.exp(-self.risen((strip + 0.5) * width)) for strip in range(256))], within=0.1)[0]


class Shares:
    """Which part of the updates in each of the most cells each mechanism brought: the EM algorithm, from the parts of all."""
    def __init__(self, updates, curve, rounds=500):
        self.curve, self.ends = curve, curve.finest.ends
        self.causes = sorted({by for _, _, by in updates})
        total = sum(updates.values())
        overall = {by: sum(n for (_, _, own), n in updates.items() if own == by) / total for by in self.causes}
        self.parts = {by: [overall[by]] * len(self.ends) for by in self.causes}
        known = [(by, number, self.masses(after, up_to)) for (after, up_to, by), number in updates.items()]
        for _ in range(rounds):
            counts = {by: [0.0] * len(self.ends) for by in self.causes}
            for by, number, masses in known:
                whole = sum(self.parts[by][cell] * mass for cell, mass in masses)
                for cell, mass in masses if whole > 0 else ():
                    counts[by][cell] += number * self.parts[by][cell] * mass / whole
            sums = [sum(counts[by][cell] for by in self.causes) for cell in range(len(self.ends))]
            before, self.parts = self.parts, {by: [counts[by][c] / sums[c] if sums[c] > 0 else overall[by] for c in range(len(sums))] for by in self.causes}
            if max(abs(a - b) for by in self.causes for a, b in zip(before[by], self.parts[by])) < 1e-9:
                break

    def masses(self, after, up_to):
        found, at = [], after
        for cell, part in parts(after, up_to, self.ends):
            found.append((cell, max(math.exp(-self.curve.fitted(at)) - math.exp(-self.curve.fitted(at + part)), 1e-300)))
            at += part
        return found

    def share(self, by, tick, level=0.95):
        if self.curve.share(tick, level)[0] is None:
            return None
        found = 0.0
        for cell, part in parts(0, tick, self.ends) if by in self.causes else ():
            first = self.ends[cell - 1] if cell else 0
            found += self.parts[by][cell] * (math.exp(-self.curve.risen(first)) - math.exp(-self.curve.risen(first + part)))
        return Near.all([found])[0]
