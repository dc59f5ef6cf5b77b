"""What `uptake suspects` should answer: values that go with more failed first attempts, by Fisher's exact test and Holm's method."""
from collections import Counter
from fractions import Fraction
from math import comb

import estimators
from adoption import of
from attempts import HOUR, first_attempts
from risk import about

OPTIONS = [{"level": 0.53}, {"level": 0.53, "emulators": True}, {"level": 0.61, "where": {"region": ("DE", "unknown")}}, {"level": 0.83}]
FIELDS = ("platform", "region", "osVersion", "tag:plan")
FEWEST = 5


def answer(fleet, release, cut_off, level=0.95, emulators=False, where=None):
    tried = [(dict(traits(events, attempt)), has_failed(attempt, cut_off))
             for events, attempt in first_attempts(fleet, release, cut_off, emulators, where, about)]
    found, compared = search(tried, level)
    first = found[0][0] if found else None
    left = [(own, failed) for own, failed in tried if first and own[first[0]] != first[1]]
    alone = dict(zip((trait for trait, _ in found[1:]), holm([fisher(*table(left, trait)) for trait, _ in found[1:]])))
    for trait, adjusted in found:
        (hits, watched), (other_hits, others) = table(tried, trait)
        rest = table(left, trait)
        yield trait, [
            ("watched", watched), ("watchedFailures", hits), ("others.watched", others), ("others.watchedFailures", other_hits),
            ("compared", compared), ("adjusted.p", adjusted), *of(estimators.wilson(hits, watched, level), "rate"),
            *([] if trait == first else [("withoutFirst.watched", rest[0][1]), ("withoutFirst.watchedFailures", rest[0][0])]),
            ("isExplainedByFirst", trait != first and not (alone[trait] is not None and alone[trait] <= 1 - level and is_worse(*rest)))]


def traits(events, attempt):
    """As of the attempt's start. A platform is the first that was named."""
    yield "mechanism", attempt.trigger
    yield "appVersion", version(events, attempt.start)
    for field in FIELDS:
        before = about([e for e in events if e["at"] <= attempt.start], field)
        yield field, before if before != "unknown" or field == "platform" else about([*reversed(events)], field)


def version(events, instant):
    """The one named first last of those known then: who names an older one again has not gone back. Else the first that came after."""
    firsts = {}
    for event in events:
        if event.get("appVersion"):
            firsts.setdefault(event["appVersion"], event["at"])
    known = [(at, name) for name, at in firsts.items() if at <= instant]
    return max(known)[1] if known else min(((at, name) for name, at in firsts.items()), default=(0, "unknown"))[1]


def has_failed(attempt, cut_off):
    """A patch that did not apply may be made good within the hour."""
    return attempt.broke is not None and (attempt.broke[1] != "patch_fail" or attempt.start + HOUR <= cut_off)


def table(tried, trait):
    """((failed, tried) of those with the value, the same of all others)"""
    field, value = trait
    own = [failed for about_it, failed in tried if about_it[field] == value]
    return (sum(own), len(own)), (sum(failed for _, failed in tried) - sum(own), len(tried) - len(own))


def search(tried, level):
    sizes = Counter((field, value) for own, _ in tried for field, value in own.items())
    parts = sorted(trait for trait, size in sizes.items() if FEWEST <= size < len(tried))
    tables = [table(tried, trait) for trait in parts]
    adjusted = holm([fisher(*one) for one in tables])
    found = [(trait, p, one[0][1]) for trait, p, one in zip(parts, adjusted, tables) if p is not None and p <= 1 - level and is_worse(*one)]
    return [(trait, p) for trait, p, _ in sorted(found, key=lambda row: row[1:])], len(parts)


def is_worse(own, others):
    return own[0] * others[1] > others[0] * own[1]


def fisher(own, others):
    """Two-sided: all tables with these margins that are no likelier than this one."""
    (hits, n), (rest, m) = own, others
    if not n or not m:
        return None
    ways = {x: comb(n, x) * comb(m, hits + rest - x) for x in range(max(0, hits + rest - m), min(n, hits + rest) + 1)}
    return float(Fraction(sum(way for way in ways.values() if way <= ways[hits]), sum(ways.values())))


def holm(family):
    ranked = sorted((p, at) for at, p in enumerate(family) if p is not None)
    adjusted, largest = [None] * len(family), 0.0
    for rank, (p, at) in enumerate(ranked):
        largest = max(largest, min(1.0, p * (len(ranked) - rank)))
        adjusted[at] = largest
    return adjusted
