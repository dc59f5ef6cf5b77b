"""What the program should answer, question by question, as rows of (name, value)."""
from collections import Counter

import estimators
from rules import DAY, Asked, place, spells

AGES = (3600, 21600, 86400, 259200, 604800)


def adoption(fleet, release, cut_off, **options):
    asked, excluded, ended, intervals, firsts = Asked(fleet, release, cut_off, **options), Counter(), Counter(), [], []
    for events in fleet.known(cut_off):
        for channel, stay, moved in spells(events):
            if channel != "production" or moved is not None and moved <= asked.time:
                continue  # A stay that was over when the release came was never asked.
            reason, made, why = place(asked, events, stay, moved)
            if made:
                intervals += made
                ended[why] += 1
                ended["silent"] += len(made) - 1
                firsts.append(made)
            elif reason:
                excluded[reason] += 1
    yield "devices", len(firsts)
    yield "excluded", dict(excluded)
    yield "events", ended["updated"]
    yield "intervals", len(intervals)
    yield "censoredBy", {name: ended[name] for name in ("cutOff", "silent", "superseded", "switched")}
    yield "lateEntries", sum(entry > 0 for entry, _, _ in intervals)
    if firsts:
        yield "observedShare", ended["updated"] / len(firsts)
        for place_, age in enumerate(AGES):
            for part, value in zip(("value", "lo", "hi"), estimators.adoption(intervals, age)):
                yield f"ages.{place_}.share.{part}", value


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


def reach(fleet, release, cut_off, window=28 * DAY, emulators=False):
    counts = {span: Counter() for span in (window, 7 * DAY, DAY)}
    for events in fleet.known(cut_off):
        if any(e.get("emulator") for e in events) and not emulators:
            continue
        if events[-1]["channel"] != "production":
            continue
        runs = running(events)
        for span, count in counts.items():
            count[runs] += cut_off - events[-1]["at"] <= span
    for place_, (span, count) in enumerate(counts.items()):
        of = sum(count.values())
        yield f"windows.{place_}.reachable", of
        yield f"windows.{place_}.unknown.devices", count[None]
        yield f"windows.{place_}.exactly.devices", count[release]
        for part, value in zip(("value", "lo", "hi"), estimators.wilson(count[release], of)):
            yield f"windows.{place_}.exactly.share.{part}", value
