"""What `uptake wakeups` should answer: executions in the background, what they brought, and whether they overran 30 seconds."""
from collections import Counter, defaultdict

from risk import about

OPTIONS = [{"emulators": True}, {"by": "platform"}, {"by": "region"}]


def answer(fleet, cut_off, emulators=False, by="trigger"):
    groups = defaultdict(list)
    for number, events in enumerate(fleet.known(cut_off)):
        if any(e.get("emulator") for e in events) and not emulators:
            continue
        for wake in wake_ups(events):
            if wake[0]["channel"] == "production" and cut_off - wake[0]["at"] >= 60:
                groups[wake[0]["trigger"] if by == "trigger" else about(events, by)].append((number, wake[0], next((e for e in wake if e["stage"] == "wakeFinished"), None)))
    for group, wakes in groups.items():
        yield group, rows(wakes)


def speaks(event):
    """Whether it says that the app worked in the background."""
    stage, trigger = event["stage"], event["trigger"]
    return trigger != "foreground" and stage in ("wakeStarted", "wakeFinished") or stage == "check" and trigger in ("silentPush", "bgRefresh", "location") \
        or stage == "pushReceived" and trigger == "silentPush"


def wake_ups(events):
    """What is said with one trigger within a minute of the start; a second start is another wake-up, and so is an end at another time than its duration says."""
    wakes, last = [], {}
    for event in (e for e in events if speaks(e)):
        wake = last.get(event["trigger"])
        if wake is None or not belongs(wake, event):
            wake = last[event["trigger"]] = []
            wakes.append(wake)
        wake.append(event)
    return wakes


def belongs(wake, event):
    age, said = event["at"] - wake[0]["at"], {e["stage"] for e in wake}
    if event["stage"] == "wakeFinished":
        return "wakeFinished" not in said and abs(age - event["durationMs"] / 1000) <= 60
    return age <= 60 and not (event["stage"] == "wakeStarted" and "wakeStarted" in said)


def rows(wakes):
    ends = [end for _, _, end in wakes if end]
    outcomes = Counter(end.get("outcome", "unsaid") for end in ends)
    lengths = [end["durationMs"] for end in ends if "durationMs" in end]
    yield "wakeUps", len(wakes)
    yield "devices", len({number for number, _, _ in wakes})
    yield "finished", len(ends)
    yield "outcomes", {name: outcomes[name] for name in ("newData", "noData", "failed", "expired", "unsaid")} | {"unfinished": len(wakes) - len(ends)}
    yield "hourOfDay.started", [sum(wake["at"] // 3600 % 24 == hour for _, wake, _ in wakes) for hour in range(24)]
    over = sum(end.get("outcome") == "expired" or end.get("durationMs", 0) > 30_000 for end in ends)
    # Where none reports its end nobody knows which were killed.
    known = len(wakes) if ends else 0
    for name, count, total in (("atLeast", over, known), ("atMost", over + known - len(ends), known),
                               ("nearBudget", sum(length > 25_000 for length in lengths), len(lengths))):
        yield f"overrun.{name}.count", count
        yield f"overrun.{name}.of", total
    yield "wasted.count", outcomes["noData"]
    yield "wasted.of", len(ends) - outcomes["unsaid"]
