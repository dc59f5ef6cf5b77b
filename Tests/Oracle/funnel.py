"""What `uptake funnel` should answer: how many devices got how far, and what share took each step."""
from collections import defaultdict

import estimators
from adoption import of
from risk import about
from rules import DAY

STAGES = ("available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied", "confirmed")
OPTIONS = [{"emulators": True}, {"by": "region"}, {"where": {"osVersion": ("17",)}}, {"maturity": "72h"}, {"maturity": "1h"}, {"by": "platform"}]


def answer(fleet, release, cut_off, emulators=False, by=None, where=None, maturity="24h"):
    groups = defaultdict(list) if by else {None: []}
    for events in fleet.known(cut_off):
        if any(e.get("emulator") for e in events) and not emulators or any(about(events, field) not in values for field, values in (where or {}).items()):
            continue
        seen = stages(events, release)
        if seen:
            groups[about(events, by)].append(seen)
    said = STAGES if any("confirmed" in seen for journeys in groups.values() for seen in journeys) else STAGES[:-1]  # Not every client has it.
    for group, journeys in groups.items():
        yield group, rows(journeys, said, cut_off - int(maturity[:-1]) * 3600)


def stages(events, release):
    """First times by stage. Who was seen at a stage and runs it later has applied it, whoever saw that."""
    own = [e for e in events if e.get("release") == release and e["channel"] == "production"]
    seen = {}
    for event in own:
        if event["stage"] in STAGES:
            seen.setdefault(event["stage"], event["at"])
    runs = next((e["at"] for e in own if e["stage"] in ("check", "wakeStarted")), None)
    if "applied" not in seen and runs is not None and any(at <= runs for at in seen.values()):
        seen["applied"] = runs
    return seen


def reached(seen, stage):
    """Seen at it or at a later one; when first."""
    return min((at for name, at in seen.items() if STAGES.index(name) >= stage), default=None)


def rows(journeys, said, last):
    yield "devices", len(journeys)
    for place, name in enumerate(said):
        got = [seen for seen in journeys if reached(seen, place) is not None]
        yield f"stages.{place}.reached", len(got)
        yield f"stages.{place}.implied", sum(name not in seen for seen in got)
        if place + 1 < len(said):
            entered = [seen for seen in got if reached(seen, place) <= last]
            took = sum(reached(seen, place + 1) is not None for seen in entered)
            yield f"steps.{place}.entered", len(entered)
            yield f"steps.{place}.reached", took
            yield f"steps.{place}.lost", len(entered) - took
            yield from of(estimators.wilson(took, len(entered)), f"steps.{place}.share")
