"""What `uptake mechanisms` should answer: what each had delivered by some ages; with those that wait it makes 100 %."""
import adoption
import estimators
import risk

OPTIONS = adoption.OPTIONS
ORDER = ("silentPush", "bgRefresh", "foreground", "location", "unknown", "newerRelease")


def answer(fleet, release, cut_off, level=0.95, **options):
    for group, table in risk.tables(fleet, release, cut_off, **options).items():
        yield group, risk.limited(rows(table, level), table)


def rows(table, level):
    yield from adoption.counts(table)
    if not table.devices:
        return
    for place, age in enumerate(adoption.AGES):
        value, lo, hi = estimators.adoption(table.intervals, age, level)
        yield from adoption.of((None,) * 3 if value is None else (1 - value, None if hi is None else 1 - hi, None if lo is None else 1 - lo), f"ages.{place}.waiting")
        yield f"ages.{place}.atRisk", estimators.at_risk(table.intervals, age)
        for name in ORDER:
            if table.causes[name]:
                here = f"ages.{place}.shares.mechanism={name}"
                yield f"{here}.events", sum(end <= age for _, end, by in table.intervals if by == name)
                yield from adoption.of(estimators.incidence(table.intervals, name, age, level), f"{here}.share")
