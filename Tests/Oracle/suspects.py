"""What `uptake suspects` should answer: values that go with more failed first attempts, by Fisher's exact test and Holm's method, and
not because all that was tried at those hours failed."""
from collections import Counter
from copy import copy
from fractions import Fraction
from math import comb, inf, log

import estimators
from adoption import of
from attempts import HOUR, first_attempts
from risk import about

OPTIONS = [{"level": 0.53}, {"level": 0.53, "emulators": True}, {"level": 0.61, "where": {"region": ("DE", "unknown")}}, {"level": 0.83}]
FIELDS = ("platform", "region", "osVersion", "tag:plan")
FEWEST = 5
QUARTER, LONGEST = 900, 96


def answer(fleet, release, cut_off, level=0.95, emulators=False, where=None):
    counted = [(dict(traits(events, attempt)), attempt) for events, attempt in first_attempts(fleet, release, cut_off, emulators, where, about)]
    tried = [(own, has_failed(attempt, cut_off)) for own, attempt in counted]
    found, compared = search(tried, level)
    attempts = [(own, has_failed_early(attempt, cut_off), attempt.start // QUARTER) for own, attempt in counted]
    young = (cut_off - HOUR) // QUARTER
    hours = fault_hours(attempts, young, level)
    found = [one for one in found if not (hours and is_explained(one[0], attempts, hours, young, level))]
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


def has_failed_early(attempt, cut_off):
    """As it was known an hour after the start."""
    early = copy(attempt)
    early.own = [event for event in attempt.own if event["at"] <= attempt.start + HOUR]
    early.ends(cut_off)
    return has_failed(early, cut_off)


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


def fault_hours(attempts, young, level):
    """The first and last quarter of an hour in which three times as much failed as at other times, for certain; None where none did."""
    quarters = sorted({quarter for _, _, quarter in attempts})
    best, most, looked = None, 0, 0
    for first in quarters:
        for last in quarters:
            if first <= last < first + LONGEST:
                inside, outside = parts(attempts, first, last, young)
                looked += outside[1] > 0
                if outside[1] and is_worse(inside, outside) and (value := gain(inside, outside)) > most:
                    best, most = (first, last), value
    if not best:
        return None
    inside, outside = parts(attempts, *best, young)
    is_much = inside[0] * outside[1] >= 3 * outside[0] * inside[1] and inside[1] < 9 * outside[1]
    return best if is_much and fails_more(inside, outside, level, looked) else None


def parts(attempts, first, last, young):
    """(failed, tried) within and without; of those without only what is an hour old"""
    within = [failed for _, failed, quarter in attempts if first <= quarter <= last]
    without = [failed for _, failed, quarter in attempts if not first <= quarter <= last and quarter < young]
    return [(sum(one), len(one)) for one in (within, without)]


def gain(inside, outside):
    return likelihood(*inside) + likelihood(*outside) - likelihood(inside[0] + outside[0], inside[1] + outside[1])


def likelihood(failed, tried):
    return sum(count * log(count / tried) for count in (failed, tried - failed) if count)


def fails_more(own, others, level, looks=1):
    p = fisher(own, others)
    return p is not None and is_worse(own, others) and p * looks <= 1 - level


def is_explained(trait, attempts, hours, young, level):
    (own, own_else), (others, others_else) = (
        parts([one for one in attempts if (one[0][trait[0]] == trait[1]) == has], *hours, young) for has in (True, False))
    return (fails_more(others, others_else, level) and not fails_more(own, others, level, 2)
            and not fails_more(own_else, others_else, level, 2))


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
