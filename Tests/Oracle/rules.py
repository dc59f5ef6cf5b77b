"""Who is counted, from when to when: docs/statistics.md, for one release on one channel. Times are whole seconds."""
DAY, SKEW = 86400, 300
RUNS, WORDS = ("check", "wakeStarted", "confirmed"), ("check", "wakeStarted", "applied", "confirmed", "rolledBack")


class Asked:
    """One question: `published` is (release, time, rollout steps) of every publication, in the order of time."""
    def __init__(self, fleet, release, cut_off, window=28 * DAY, clock="own", emulators=False):
        self.fleet, self.release, self.cut_off, self.window, self.clock, self.emulators = fleet, release, cut_off, window, clock, emulators
        self.time, self.steps = next((time, steps) for name, time, steps in fleet.published if name == release)
        later = [time for _, time, _ in fleet.published if time > self.time]
        self.next = min(later) if later and min(later) <= cut_off else None
        self.this_or_newer = {name for name, time, _ in fleet.published if time >= self.time}


def spells(events):
    """A stay in a channel: (channel, its events, the instant of the move or None). Who is back within a day counts as back after the visit."""
    stays = []
    for event in events:
        if not stays or stays[-1][0]["channel"] != event["channel"]:
            stays.append([])
        stays[-1].append(event)
    for before, visit, back in list(zip(stays, stays[1:], stays[2:])):
        if before[0]["channel"] == back[0]["channel"] and back[0]["at"] - before[-1]["at"] <= DAY:
            back.insert(0, {**back[0], "at": visit[-1]["at"], "stage": "back", "release": None})
    return [(stay[0]["channel"], stay, stays[i + 1][0]["at"] if i + 1 < len(stays) else None) for i, stay in enumerate(stays)]


def update(asked, stay):
    applied = next((e["at"] for e in stay if e["stage"] == "applied" and e["release"] == asked.release), None)
    implied = next((e["at"] for e in stay if e["stage"] in RUNS and e.get("release") == asked.release), None)
    if applied is None or (implied is not None and implied < applied - SKEW):
        return implied, False
    return applied, True


def eligible(asked, stay):
    step = next((at for at, percent in asked.steps if percent > stay[0]["bucket"]), None) if asked.steps else asked.time
    return None if step is None else max(asked.time, stay[0]["at"], step)


def stretches(contacts):
    """Runs of contacts that are a day or less apart."""
    runs = []
    for at in contacts:
        if runs and at - runs[-1][1] <= DAY:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    return runs


def born_on(asked, stay, seen):
    """The first contact in the channel is that it runs it; it ran it before; or its first word after is the release or a newer one."""
    ran = [e for e in stay if e["stage"] in RUNS + ("applied",) and e.get("release") == asked.release]
    if ran and (ran[0] is stay[0] and ran[0]["stage"] != "applied" or ran[0]["at"] < asked.time - (SKEW if ran[0]["stage"] == "applied" else 0)):
        return True
    if seen:
        return False
    first = next((e for e in stay if e["at"] >= asked.time and e["stage"] in WORDS), None)
    return first is not None and first["stage"] in ("check", "wakeStarted") and first.get("release") in asked.this_or_newer


def place(asked, events, stay, moved):
    """(reason to leave it out, None, None), or (None, its intervals of risk, how it ended)."""
    if any(e.get("emulator") for e in events) and not asked.emulators:
        return "emulator", None, None
    updated, seen = update(asked, stay)
    if updated is not None and seen and updated < asked.time - SKEW:
        return "skew_excluded", None, None
    if updated is not None and seen and events[0]["at"] == updated:
        return "first_seen_at_update", None, None
    if born_on(asked, stay, seen):
        return "born_on", None, None
    start = eligible(asked, stay)
    ends = [(asked.cut_off, "cutOff")] + ([(moved, "switched")] if moved else []) + ([(asked.next, "superseded")] if asked.next else [])
    end, why = min(ends)
    if updated is not None and asked.time <= updated < (start if start is not None else end + 1) and updated <= end:
        return "before_eligibility", None, None
    if start is None or start >= end and not (updated is not None and updated <= end):
        return "not_eligible", None, None
    if updated is not None and updated <= end:
        end, why = max(updated, start), "updated"
    return risk(asked, stay, start, end, why)


def risk(asked, stay, start, end, why):
    origin, intervals = (start if asked.clock == "own" else asked.time), []
    for first, last in stretches([e["at"] for e in stay]):
        entry, leave = max(first, start), min(last + asked.window, end)
        if entry < leave or (entry == leave == end and why == "updated"):
            if intervals and entry <= intervals[-1][1]:
                intervals[-1][1] = max(leave, intervals[-1][1])
            else:
                intervals.append([entry, leave])
    if not intervals:
        return "never_reachable", None, None
    if intervals[-1][1] < end:
        why = "silent"
    made = [(entry - origin, max(leave - origin, entry - origin + 1), False) for entry, leave in intervals]
    if why == "updated":
        made[-1] = (*made[-1][:2], True)
    return None, made, why
