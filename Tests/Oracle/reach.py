"""What `uptake reach` should answer: what reachable devices run at the cut-off."""
from collections import Counter

import estimators
from adoption import of
from risk import about
from rules import DAY, newer_than

OPTIONS = [{"emulators": True}, {"window": 2 * DAY}, {"by": "region"}, {"where": {"osVersion": ("18.1",)}}, {"by": "platform"}]


def running(events):
    """After a rollback, the last release that was claimed and not rolled back since."""
    claims = []
    for event in events:
        name = event.get("release")
        if event["stage"] == "rolledBack":
            claims = [claim for claim in claims if claim != name]
        elif event["stage"] in ("check", "wakeStarted", "applied", "confirmed") and name:
            claims.append(name)
    return claims[-1] if claims else None


def answer(fleet, release, cut_off, window=28 * DAY, emulators=False, by=None, where=None):
    groups = {} if by else {None: {span: Counter() for span in (window, 7 * DAY, DAY)}}
    for events in fleet.known(cut_off):
        left_out = any(e.get("emulator") for e in events) and not emulators or events[-1]["channel"] != "production"
        if left_out or any(about(events, field) not in values for field, values in (where or {}).items()):
            continue
        counts = groups.setdefault(about(events, by), {span: Counter() for span in (window, 7 * DAY, DAY)})
        for span, count in counts.items():
            count[running(events)] += cut_off - events[-1]["at"] < span
    newer = newer_than(fleet, next(time for name, time, _ in fleet.published if name == release))
    for group, counts in groups.items():
        yield group, rows(counts, release, newer)


def rows(counts, release, newer):
    for place, (span, count) in enumerate(counts.items()):
        total, this_or_newer = sum(count.values()), sum(count[name] for name in newer | {release})
        yield f"windows.{place}.reachable", total
        yield f"windows.{place}.unknown.devices", count[None]
        yield f"windows.{place}.exactly.devices", count[release]
        yield f"windows.{place}.orNewer.devices", this_or_newer
        yield f"windows.{place}.older.devices", total - this_or_newer - count[None]
        yield from of(estimators.wilson(count[release], total), f"windows.{place}.exactly.share")
