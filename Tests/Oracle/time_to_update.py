"""What `uptake time-to-update` should answer: quantiles, the restricted mean, and the same for each mechanism."""
import adoption
import estimators
import risk

OPTIONS = adoption.OPTIONS
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
HORIZON = 259200


def answer(fleet, release, cut_off, level=0.95, **options):
    for group, table in risk.tables(fleet, release, cut_off, **options).items():
        yield group, risk.limited(rows(table, level), table)


def rows(table, level):
    yield from adoption.counts(table)
    if not table.devices:
        return
    own = adoption.own(table)
    for place, p in enumerate(QUANTILES):
        yield from adoption.of(estimators.quantile(own, p, level), f"quantiles.{place}.seconds")
    yield "restrictedMean.seconds.value", estimators.mean_without(own, HORIZON)
    for place, row in enumerate(estimators.curve(own, level)):
        for name, value in zip(("seconds", "atRisk", "events", "share.value", "share.lo", "share.hi"), row):
            yield f"curve.{place}.{name}", value
