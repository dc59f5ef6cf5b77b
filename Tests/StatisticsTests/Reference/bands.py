"""Widths of simultaneous bands: R's table of critical values, and Lin's resampling with a multiplier for each device.

usage: python3 bands.py > bands.expected.json (numpy). `equalPrecision` is critical.value.nair.95 and .90 of R's km.ci 0.5-6 (J. P. Klein and
M. L. Moeschberger, Survival Analysis, 1997, tables C.3): level, aL, aU, width. `mid_mix` is what D. Y. Lin, Statistics in Medicine 16 (1997), 901-910,
does: each device's part of the error of a cumulative incidence times a normal number, again and again; late entry, ties.
"""
import csv
import json
import pathlib

import numpy

TABLE = [(0.95, 0.02, 0.10, 2.7500), (0.95, 0.04, 0.14, 2.6879), (0.95, 0.10, 0.60, 2.8826), (0.95, 0.10, 0.90, 3.0542), (0.95, 0.10, 0.30, 2.6853)]
FEWEST, DRAWS, HOUR = 10, 100_000, 3600


def rows(name):
    with open(pathlib.Path(__file__).with_name(name)) as lines:
        return [(round(float(row["entry"]) * HOUR), round(float(row["time"]) * HOUR), int(row["cause"])) for row in csv.DictReader(lines)]


def curve(devices):
    """At each time with an event: at risk, events by cause, share without before and after."""
    without, steps = 1.0, []
    for time in sorted({end for _, end, cause in devices if cause}):
        n = sum(entry < time <= end for entry, end, _ in devices)
        causes = [cause for _, end, cause in devices if cause and end == time]
        steps.append((time, n, causes, without, without * (1 - len(causes) / n)))
        without = steps[-1][4]
    return steps


def until(devices, steps):
    """Where one update more moves the curve by over a thirtieth, it ends."""
    solid = []
    for step in steps:
        if step[3] * 30 > step[1] or step[4] <= 0:
            break
        solid.append(step)
    return solid


def width(devices, cause, random):
    steps = until(devices, curve(devices))
    own, value, values = 0, 0.0, []
    for time, n, causes, before, _ in steps:
        value += before * causes.count(cause) / n
        own += causes.count(cause)
        values.append((value, own))
    places = [i for i, (_, count) in enumerate(values) if count >= FEWEST and cause in steps[i][2]]
    # A device's part of the error at a time: dM of its own event less its share of what was expected.
    parts = numpy.zeros((len(devices), len(places)))
    for place, at in enumerate(places):
        final = values[at][0]
        for i in range(at + 1):
            time, n, causes, before, after = steps[i]
            d, k = len(causes), causes.count(cause)
            to_own, to_all = before / n, (final - values[i][0]) / n / (1 - d / n)
            for device, (entry, end, by) in enumerate(devices):
                if entry < time <= end:
                    happened = end == time and by
                    parts[device, place] += to_own * ((happened and by == cause) - k / n) - to_all * (bool(happened) - d / n)
    error = numpy.sqrt((parts ** 2).sum(axis=0))
    greatest = numpy.concatenate([
        numpy.abs(random.standard_normal((1000, len(devices))) @ (parts / error)).max(axis=1) for _ in range(DRAWS // 1000)])
    return {"from": steps[places[0]][0], "width": float(numpy.quantile(greatest, 0.95)), "error": error[[0, len(places) // 2, -1]].tolist(),
            "times": [steps[places[i]][0] for i in (0, len(places) // 2, len(places) - 1)]}


def main():
    random, devices = numpy.random.default_rng(1997), rows("mid_mix.csv")
    print(json.dumps({"equalPrecision": [dict(zip(("level", "from", "until", "width"), row)) for row in TABLE],
                      "mid_mix": {str(cause): width(devices, cause, random) for cause in (1, 2, 3)}}, indent=1))


if __name__ == "__main__":
    main()
