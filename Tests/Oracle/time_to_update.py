"""What `uptake time-to-update` should answer: quantiles, the restricted mean, and the same for each mechanism."""
import adoption
import estimators
import polled
import risk

OPTIONS = adoption.OPTIONS
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
HORIZON = 259200


def answer(fleet, release, cut_off, level=0.95, **options):
    tables = risk.tables(fleet, release, cut_off, **options)
    sides, tables = polled.sides(tables), polled.counted(tables)
    for group, table in tables.items():
        found = rows(table, level, sides[group]) if sides[group] is None else between(table, level, sides[group], options.get("estimand"))
        yield group, risk.limited(found, table)


def between(table, level, side, estimand):
    """The curve has a point for each time of a check, with the share that is estimated there."""
    yield from adoption.counts(table)
    yield from adoption.between(side)
    for place, p in enumerate(QUANTILES):
        yield from adoption.of(side.curve.time(p, level), f"quantiles.{place}.seconds")
    yield "restrictedMean.seconds.value", side.curve.mean(HORIZON)
    for place, row in enumerate(estimators.curve(adoption.own(table), level)):
        for name, value in zip(("seconds", "atRisk", "events"), row):
            yield f"curve.{place}.{name}", value
        yield from adoption.of(side.curve.share(row[0], level), f"curve.{place}.share")
    for name in side.shares.causes if estimand != "as-happened" else ():
        times = sorted({end for _, end, by in table.intervals if by == name})
        for place, time in enumerate(times):
            yield f"mechanisms.mechanism={name}.curve.{place}.share.value", side.shares.share(name, time, level)


def rows(table, level, side):
    yield from adoption.counts(table)
    if not table.devices:
        return
    yield from adoption.between(side)
    own = adoption.own(table)
    for place, p in enumerate(QUANTILES):
        yield from adoption.of(estimators.quantile(own, p, level), f"quantiles.{place}.seconds")
    yield "restrictedMean.seconds.value", estimators.mean_without(own, HORIZON)
    for place, row in enumerate(estimators.curve(own, level)):
        for name, value in zip(("seconds", "atRisk", "events", "share.value", "share.lo", "share.hi"), row):
            yield f"curve.{place}.{name}", value
