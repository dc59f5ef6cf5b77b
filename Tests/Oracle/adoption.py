"""What `uptake adoption` should answer: who counts, who does not, and the share that had updated by some ages."""
import estimators
import polled
import risk
from lives import TRIGGERS
from rules import DAY

AGES = (3600, 21600, 86400, 259200, 604800)
OPTIONS = [{"emulators": True}, {"window": 2 * DAY}, {"clock": "release-age"}, {"estimand": "patched"}, {"estimand": "as-happened"}, {"censor": "last-seen"},
           {"censor": "cut-off"}, {"by": "platform"}, {"by": "region"}, {"by": "tag:plan"}, {"where": {"osVersion": ("17",)}}, {"attribution": "applied"},
           {"where": {"region": ("DE", "unknown")}, "estimand": "patched"}, {"clock": "release-age", "censor": "last-seen"}, {"level": 0.8}]


def of(value, name="share"):
    return [(f"{name}.{part}", number) for part, number in zip(("value", "lo", "hi"), value)]


def counts(table):
    updated = sum(by is not None and by != "newerRelease" for _, _, by in table.intervals)
    yield "devices", table.devices
    yield "excluded", dict(table.excluded)
    yield "events", updated
    yield "newerRelease", table.causes["newerRelease"]
    yield "intervals", len(table.intervals)
    yield "censored", sum(by is None for _, _, by in table.intervals)
    yield "censoredBy", {name: table.ended[name] for name in ("cutOff", "silent", "superseded", "switched")}
    yield "lateEntries", sum(entry > 0 for entry, _, _ in table.intervals)
    yield "eventsByMechanism", {name: table.causes[name] for name in TRIGGERS}
    yield "observedShare", updated / table.devices if table.devices else None


def own(table):
    """With as-happened the curve takes a newer release as an end without an update; only mechanisms compete with it."""
    return type(table.intervals)((entry, end, None if by == "newerRelease" else by) for entry, end, by in table.intervals)


def answer(fleet, release, cut_off, level=0.95, **options):
    tables = risk.tables(fleet, release, cut_off, **options)
    sides, tables = polled.sides(tables), polled.counted(tables)
    for group, table in tables.items():
        yield group, risk.limited(rows(table, level, sides[group]), table)


def between(side):
    """What stands beside estimates between checks."""
    yield "polled.updates", side and side.bounds.open
    yield "polled.of", side and side.bounds.all


def rows(table, level, side):
    yield from counts(table)
    if not table.devices:
        return
    yield from between(side)
    for place, age in enumerate(AGES):
        yield from of(side.curve.share(age, level) if side else estimators.adoption(own(table), age, level), f"ages.{place}.share")
        yield f"ages.{place}.atRisk", estimators.at_risk(table.intervals, age)
        yield f"ages.{place}.events", sum(end <= age for _, end, by in own(table) if by)
    yield from of(side.curve.time(0.5, level) if side else estimators.quantile(own(table), 0.5, level), "median")
