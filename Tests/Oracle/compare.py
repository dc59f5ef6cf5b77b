"""What `uptake compare` should answer: adoption of two releases at equal ages, both looked at up to the age that both have lived."""
import math

import adoption
import estimators
import paired
import polled
import risk
from adoption import of
from attempts import HOUR, first_attempts
from hazards import Near
from rules import DAY, Asked

OPTIONS = [{"emulators": True}, {"estimand": "patched"}, {"clock": "release-age"}, {"censor": "cut-off"}, {"where": {"region": ("DE",)}}, {"window": 2 * DAY}]
AGES = (DAY, 3 * DAY)


def answer(fleet, release, cut_off, baseline, **options):
    names = release, baseline
    tables = [risk.tables(fleet, name, cut_off, **options) for name in names]
    shared = paired.together(*(by_spell(table[None]) for table in tables))
    between, sides = [polled.sides(table)[None] for table in tables], [polled.counted(table)[None] for table in tables]
    yield None, rows(fleet, sides, between, shared, names, cut_off, options)


def lived(fleet, release, cut_off, options):
    asked = Asked(fleet, release, cut_off, **{**options, "estimand": "speed"})
    return max(0, min([cut_off] + ([asked.next] if asked.next else [])) - asked.time)


def truncated(intervals, age):
    """What was known at an age."""
    return type(intervals)((entry, min(end, age), by if end <= age else None) for entry, end, by in intervals if entry < age)


def mover(one, other, together=None):
    """Limits of a difference from those of its two parts (Zou and Donner 2008), and their correlation (Zou 2007)."""
    (f, lo, hi), (g, low, high) = one, other
    def apart(a, b):
        return math.sqrt(max(0, a * a + b * b - 2 * (together or 0) * a * b))
    return f - g, f - g - apart(f - lo, high - g), f - g + apart(hi - f, g - low)


def rows(fleet, sides, between, shared, names, cut_off, options):
    age = min(lived(fleet, name, cut_off, options) for name in names)
    yield "ageSeconds", age
    for side, table in zip(("first", "second"), sides):
        for name, value in adoption.counts(table):
            yield f"{side}.counts.{name}", value
    if all(table.devices for table in sides):
        yield from differences(sides, between, shared, age)
    failed = [attempted(fleet, name, cut_off, options) for name in names]
    for side, (hits, total) in zip(("first", "second"), failed):
        yield f"{side}.failures.attempts", total
        yield f"{side}.failures.failed", hits
    if all(total for _, total in failed):
        yield from of(mover(*(estimators.wilson(*pair) for pair in failed)), "failureDifference")


def by_spell(table):
    """Without newer releases, which compete with mechanisms only."""
    return {spell: [(entry, end, None if by == "newerRelease" else by) for entry, end, by in rows] for spell, rows in table.spells.items()}


def differences(sides, between, shared, age):
    """Between checks devices that are in both are taken as strangers."""
    for name, side in zip(("first", "second"), between):
        yield f"{name}.polled.updates", side and side.bounds.open
    for place, at in enumerate(AGES):
        if at <= age:
            known = [truncated(adoption.own(table), age) for table in sides]
            first, second = (side.curve.share(at) if side else estimators.adoption(own, at) for own, side in zip(known, between))
            yield from risk.limited(of(first, f"ages.{place}.share"), sides[0])
            yield from risk.limited(of(second, f"ages.{place}.baseline"), sides[1])
            if None not in first + second:
                apart = mover(first, second, None if any(between) else paired.correlation(shared, known, at))
                yield from risk.limited(of(Near.all(apart) if any(between) else apart, f"ages.{place}.difference"), *sides)


def attempted(fleet, release, cut_off, options):
    old = [attempt for _, attempt in first_attempts(fleet, release, cut_off, options.get("emulators", False), options.get("where"), risk.about)
           if cut_off - attempt.start >= HOUR]
    return sum(attempt.broke is not None for attempt in old), len(old)
