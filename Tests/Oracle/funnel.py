"""What `uptake funnel` should answer: how many devices got how far, and what share took each step."""
from collections import Counter, defaultdict

import estimators
from adoption import of
from risk import about
from rules import newer_than, update

STAGES = ("available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied", "confirmed")
OPTIONS = [{"emulators": True}, {"by": "region"}, {"where": {"osVersion": ("17",)}}, {"maturity": "72h"}, {"maturity": "1h"}, {"by": "platform"}]


def answer(fleet, release, cut_off, emulators=False, by=None, where=None, maturity="24h"):
    groups, newer = defaultdict(list) if by else {None: []}, newer_than(fleet, next(time for name, time, _ in fleet.published if name == release))
    for events in fleet.known(cut_off):
        if any(e.get("emulator") for e in events) and not emulators or any(about(events, field) not in values for field, values in (where or {}).items()):
            continue
        seen = stages(events, release)
        if seen:
            groups[about(events, by)].append(seen | breaks(events, release, newer))
    for group, journeys in groups.items():
        said = STAGES if any("confirmed" in seen for seen in journeys) else STAGES[:-1]  # Not every client has it.
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


def breaks(events, release, newer):
    """When it first failed in any way, and when it first ran a newer release there."""
    here = [e for e in events if e["channel"] == "production"]
    failed = [e["at"] for e in here if e.get("release") == release and e["stage"] in ("failed", "rolledBack", "crashed")]
    moved = [at for name in newer if (at := update(here, name)[0]) is not None]
    return {name: min(times) for name, times in (("broke", failed), ("moved", moved)) if times}


def reached(seen, stage):
    """Seen at it or at a later one; when first."""
    return min((seen[name] for name in STAGES[stage:] if name in seen), default=None)


def latency(journeys, stage):
    """Of those seen at the stage: the first of the next stage, a failure or a newer release since."""
    ends = Counter()
    for seen in (seen for seen in journeys if STAGES[stage] in seen):
        entry, next_ = seen[STAGES[stage]], reached(seen, stage + 1)
        ways = [(next_, 0, "reached")] if next_ is not None else []
        ways += [(seen[name], n, way) for n, name, way in ((1, "broke", "failed"), (2, "moved", "newerRelease")) if name in seen and seen[name] >= entry]
        end = min(ways)[2] if ways else "censored"
        ends.update([end, "devices"] + (["recovered"] if end == "failed" and next_ is not None else []))
    return ends


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
            ends = latency(journeys, place)
            for end in ("devices", "reached", "failed", "newerRelease", "censored", "recovered"):
                yield f"steps.{place}.latency.{end}", ends[end]
