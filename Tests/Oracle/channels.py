"""What `uptake channels` should answer: of the devices that ran a release on a channel, those that left it while they ran it."""
from collections import defaultdict

import estimators
from adoption import of
from reach import running
from risk import about

OPTIONS = [{"emulators": True}, {"by": "platform"}, {"channel": "beta"}, {"channel": "production,beta"}]


def answer(fleet, cut_off, emulators=False, by=None, channel="production"):
    ran, moves = defaultdict(set), defaultdict(set)
    for number, events in enumerate(fleet.known(cut_off)):
        if any(e.get("emulator") for e in events) and not emulators:
            continue
        for n, event in enumerate(events):
            before = events[n - 1]["channel"] if n else event["channel"]
            if event.get("release") and event["stage"] in ("check", "wakeStarted", "applied", "confirmed") and event["channel"] in channel.split(","):
                ran[event["release"], about(events, by)].add(number)
            if before != event["channel"] and before in channel.split(",") and (runs := running(events[:n])):
                moves[runs, about(events, by)].add((number, before, event["channel"]))
    for (release, group), devices in ran.items():
        yield (release, group), rows(devices, moves[release, group])


def rows(devices, moves):
    changed = {number for number, _, _ in moves} & devices
    yield "devices", len(devices)
    yield "changed", len(changed)
    yield from of(estimators.wilson(len(changed), len(devices)))
