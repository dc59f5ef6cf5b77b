"""What `uptake mechanisms` should answer: what each had delivered by some ages; with those that wait it makes 100 %."""
import adoption
import estimators
import polled
import risk
from hazards import Near

OPTIONS = adoption.OPTIONS
ORDER = ("silentPush", "bgRefresh", "foreground", "location", "unknown", "newerRelease")


def answer(fleet, release, cut_off, level=0.95, **options):
    tables = risk.tables(fleet, release, cut_off, **options)
    sides, tables = polled.sides(tables), polled.counted(tables)
    for group, table in tables.items():
        # A newer release that competes is known at checks only.
        side = None if options.get("estimand") == "as-happened" else sides[group]
        yield group, risk.limited([*adoption.between(sides[group] if table.devices else None), *rows(table, level, side)], table)


def rows(table, level, side):
    yield from adoption.counts(table)
    if not table.devices:
        return
    for place, age in enumerate(adoption.AGES):
        value, lo, hi = side.curve.share(age, level) if side else estimators.adoption(table.intervals, age, level)
        left = [None if share is None else 1 - share for share in (value, hi, lo)]
        yield from adoption.of(Near.all(left) if side else left if value is not None else (None,) * 3, f"ages.{place}.waiting")
        yield f"ages.{place}.atRisk", estimators.at_risk(table.intervals, age)
        for name in ORDER:
            if table.causes[name]:
                here = f"ages.{place}.shares.mechanism={name}"
                yield f"{here}.events", sum(end <= age for _, end, by in table.intervals if by == name)
                if side:
                    yield f"{here}.share.value", side.shares.share(name, age, level)
                else:
                    yield from adoption.of(estimators.incidence(table.intervals, name, age, level), f"{here}.share")
