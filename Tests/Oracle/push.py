"""What `uptake push` should answer: what became of each push that the gateway accepted."""
from collections import Counter, defaultdict

from risk import about

DAY = 86400
OPTIONS = [{"emulators": True}, {"by": "platform"}, {"by": "region"}, {"horizon": "6h"}, {"horizon": "72h"}]
STATES = ("delivered", "late", "coalesced", "lost", "unreached", "pending")


def answer(fleet, cut_off, emulators=False, by=None, horizon="24h"):
    groups, orphans = defaultdict(list) if by else {None: []}, False
    for events in fleet.known(cut_off, pushes=True):
        if any(e.get("emulator") for e in events) and not emulators:
            continue
        sent = [e for e in events if e["stage"] == "pushSent"]
        orphans = orphans or any(is_orphan(e, sent) for e in events if e["channel"] == "production")
        for push in sent:
            if push["channel"] == "production":
                groups[about(events, by)].append((push["device"], push, state(push, sent, events, cut_off, int(horizon[:-1]) * 3600)))
    arrivals = orphans or any(found in ("delivered", "late") for pushes in groups.values() for _, _, found in pushes)
    for group, pushes in groups.items():
        yield group, rows(pushes, cut_off - int(horizon[:-1]) * 3600, arrivals)


def is_orphan(event, sent):
    """A wake-up by a push that nobody reported as sent: it tells that arrivals are reported."""
    woke = event.get("trigger") == "silentPush" and event["stage"] in ("wakeStarted", "wakeFinished", "check", "pushReceived")
    return woke and event.get("push") not in {push["id"] for push in sent}


def state(push, sent, events, cut_off, horizon):
    """Received in time or late; else replaced by a newer one within the horizon; else lost where the device was heard of again."""
    if push["outcome"] == "rejected":
        return "rejected"
    receipt = next((e["at"] for e in events if e["stage"] == "pushReceived" and e["push"] == push["id"]), None)
    if receipt is not None:
        return "delivered" if receipt - push["at"] <= horizon else "late"
    if any(other["outcome"] == "accepted" and 0 < other["at"] - push["at"] <= horizon for other in sent):
        return "coalesced"
    if cut_off - push["at"] < horizon:
        return "pending"
    return "lost" if any(e["at"] > push["at"] for e in events if e["stage"] != "pushSent") else "unreached"


def rows(pushes, last, arrivals):
    """Where no device of the answer reports that a push arrived, nobody knows what arrived, was lost, or was replaced before."""
    accepted = [(push, found) for _, push, found in pushes if found != "rejected"]
    mature = Counter(found for push, found in accepted if push["at"] <= last)
    states = Counter(found for _, found in accepted)
    yield "sent", len(pushes)
    yield "accepted", len(accepted)
    yield "rejected", len(pushes) - len(accepted)
    yield "devices", len({device for device, _, _ in pushes})
    yield "states", {name: states[name] for name in STATES}
    yield "mature", sum(mature.values())
    yield "matureStates", {name: mature[name] for name in STATES}
    for name, of in (("delivered", sum(mature.values())), ("coalesced", sum(mature.values())), ("unreached", sum(mature.values())),
                     ("lost", mature["delivered"] + mature["late"] + mature["lost"])):
        is_known = arrivals or name == "unreached"
        yield f"{name}.count", mature[name] if is_known else 0
        yield f"{name}.of", of if is_known else 0
