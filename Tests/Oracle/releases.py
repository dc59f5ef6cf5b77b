"""What `uptake releases` should answer of each publication: adoption after a week, first attempts, and who runs it."""
import estimators
import polled
import reach
import risk
from adoption import of
from attempts import HOUR, first_attempts
from rules import DAY

OPTIONS = [{"emulators": True}, {"window": 2 * DAY}, {"level": 0.8}]
OFFERED = ("available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied", "failed")


def answer(fleet, cut_off, emulators=False, window=28 * DAY, level=0.95):
    for release, time, _ in fleet.published:
        if time <= fleet.now:
            yield (release, None), rows(fleet, release, cut_off, emulators, window, level)


def rows(fleet, release, cut_off, emulators, window, level):
    tables = risk.tables(fleet, release, cut_off, emulators=emulators, window=window)
    side, table = polled.sides(tables)[None], polled.counted(tables)[None]
    yield "devices", table.devices
    yield "events", sum(by is not None for _, _, by in table.intervals)
    if table.devices:
        at = min(7 * DAY, max(end for _, end, _ in table.intervals))
        yield "isPolled", side is not None
        yield from risk.limited(of(side.curve.share(at, level) if side else estimators.adoption(table.intervals, at, level), "adopted"), table)
        yield from risk.limited(of(side.curve.time(0.5, level) if side else estimators.quantile(table.intervals, 0.5, level), "median"), table)
    old = [attempt for _, attempt in first_attempts(fleet, release, cut_off, emulators) if cut_off - attempt.start >= HOUR]
    yield "attempts", len(old)
    yield "failed", sum(attempt.broke is not None for attempt in old)
    yield from of(estimators.wilson(sum(attempt.broke is not None for attempt in old), len(old), level), "failureRate")
    launches = [attempt for _, attempt in first_attempts(fleet, release, fleet.now, emulators) if attempt.launch is not None]
    yield "launched", len(launches)
    for name, count in zip(("rolledBack", "crashed"), map(sum, zip(*map(harm, launches)))):
        yield name, count
        yield from of(estimators.wilson(count, len(launches), level), name + "Rate")
    counts = next(iter(dict(reach.answer(fleet, release, cut_off, window, emulators)).values()))
    told = dict(counts)
    yield "reachable", told["windows.0.reachable"]
    yield "running", told["windows.0.exactly.devices"]
    yield from of(estimators.wilson(told["windows.0.exactly.devices"], told["windows.0.reachable"], level), "reach")


def harm(attempt):
    """Whether it was rolled back, and whether it crashed, within a day of the launch; what was rolled back crashes no more."""
    back, crash = attempt.first("rolledBack"), attempt.first("crashed")
    back = back if back is not None and back - attempt.launch < DAY else None
    crash = crash if crash is not None and crash - attempt.launch < DAY else None
    return back is not None, crash is not None and (back is None or crash <= back)
