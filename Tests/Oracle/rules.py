"""Who is counted, from when to when: docs/statistics.md, for one release on one channel. Times are whole seconds."""
from delivery import mechanism
from returns import known

DAY, SKEW = 86400, 300
RUNS, WORDS = ("check", "wakeStarted", "confirmed"), ("check", "wakeStarted", "applied", "confirmed", "rolledBack")
SAYS = {"running": ("check", "wakeStarted"), "applied": ("applied", "confirmed")}
OFFERS = ("available", "downloadStarted", "downloadCompleted", "verified", "ready")


class Asked:
    """One question: `published` is (release, time, rollout steps) of every publication, in the order of time."""
    def __init__(self, fleet, release, cut_off, window=28 * DAY, clock="own", emulators=False, estimand="speed", censor="window",
                 attribution="delivered", where=None, by=None):
        self.fleet, self.release, self.cut_off, self.window, self.clock, self.emulators = fleet, release, cut_off, window, clock, emulators
        self.estimand, self.censor, self.attribution, self.where, self.by = estimand, censor, attribution, where or {}, by
        self.time, self.steps = next((time, steps) for name, time, steps in fleet.published if name == release)
        later = [time for _, time, _ in fleet.published if time > self.time]
        self.next = min(later) if estimand == "speed" and later and min(later) <= cut_off else None
        self.newer = newer_than(fleet, self.time)


def newer_than(fleet, time, channel="production"):
    """Releases that were published later. The first event about one that nobody registered stands in for its publication, where nothing spoke of it before."""
    about, spoken = {}, {}
    for event in (event for events in fleet.devices for event in events if event.get("release") and event["at"] <= fleet.now):
        name, at = event["release"], event["at"]
        spoken[name] = min(spoken.get(name, at), at)
        if event["channel"] == channel and event["stage"] not in ("check", "wakeStarted"):
            about[name] = min(about.get(name, at), at)
    registered = {name: at for name, at, _ in fleet.published}
    own = next((name for name, at, _ in fleet.published if at == time), "")
    return {name for name, at in {**about, **registered}.items()
            if at > time and (name in registered or spoken[name] >= time and not lower(name, own))}


def number(label):
    """The parts of a version number such as 2.1.0, v12 or 2.1.0+345; None of a label that is none."""
    whole, plus, build = label.removeprefix("v").partition("+")
    words = whole.split(".") + ([build] if plus else [])
    if len(whole.split(".")) > 4 or not all(word.isascii() and word.isdigit() for word in words):
        return None
    return [int(word) for word in whole.split(".")] + [0] * (4 - len(whole.split("."))) + ([int(build)] if plus else [])


def lower(label, other):
    """Whether it surely is an older release: both are version numbers, and it is the lower one."""
    one, two = number(label), number(other)
    return None not in (one, two) and ("." in label) == ("." in other) and one < two


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


def update(stay, release):
    """(when the device first ran the release, whether that was seen)"""
    applied = next((e["at"] for e in stay if e["stage"] == "applied" and e["release"] == release), None)
    implied = next((e["at"] for e in stay if e["stage"] in RUNS and e.get("release") == release), None)
    if applied is None or (implied is not None and implied < applied - SKEW):
        return implied, False
    return applied, True


def confirmed(stay, release):
    return next((e["at"] for e in stay if e["stage"] == "confirmed" and e.get("release") == release), None)


def eligible(asked, stay, ran):
    """When the device could have the release; of a device whose bucket nobody knows, from the first sign that it may."""
    if not asked.steps:
        return max(asked.time, stay[0]["at"])
    if "bucket" in stay[0]:
        step = next((at for at, percent in asked.steps if percent > stay[0]["bucket"]), None)
    elif asked.clock == "release-age":
        step = asked.time
    else:
        offered = [e["at"] for e in stay if e["stage"] in OFFERS and e["release"] == asked.release]
        step = min(offered + [asked.steps[-1][0]] + ([ran] if ran is not None else []))
    return None if step is None else max(asked.time, stay[0]["at"], step)


def stretches(events, channel):
    """(first, last, release) of words of one kind that name one release, a day or less apart."""
    found, last = [], {}
    for event in events:
        kind = next((kind for kind, stages in SAYS.items() if event["stage"] in stages), None)
        if kind is None or not event.get("release") or event["channel"] != channel:
            continue
        key = (kind, event["release"])
        if key in last and event["at"] - last[key][1] <= DAY:
            last[key][1] = event["at"]
        else:
            last[key] = [event["at"], event["at"], event["release"]]
            found.append(last[key])
    return found


def born_on(asked, stay, seen, came_with_it):
    """Without an update that was seen: it ran the release before; its first contact in the channel is that it runs it; or its first word after is this or a newer one."""
    if seen:
        return False
    ran = next((e for e in stay if e["stage"] in RUNS and e.get("release") == asked.release), None)
    if ran and (ran["at"] < asked.time or ran is stay[0]):
        return True
    if not came_with_it:
        return False
    # Words a day or less apart are kept as one, said at the publication where it lies between them.
    said = [release for first, last, release in stretches(stay, stay[0]["channel"]) if first < asked.time <= last]
    if any(release not in asked.newer | {asked.release} for release in said):
        return False
    first = next((e for e in stay if e["at"] >= asked.time and e["stage"] in WORDS and e.get("release")), None)
    return first is not None and first["stage"] in ("check", "wakeStarted") and first["release"] in asked.newer | {asked.release}


class Place:
    """Where a spell counts: `reason` to leave it out, or `start`, `end`, `why` it ended, and `by` whom it was updated."""
    reason = start = end = why = by = None
    hidden = False  # Nobody knows when the rollout would have let it.
    seen = implied = False  # Whether somebody saw the launch; whether no `applied` tells of it.

    def __init__(self, asked, events, stay, moved, came_with_it=True):
        self.reason = self.judge(asked, events, stay, moved, came_with_it)

    def judge(self, asked, events, stay, moved, came_with_it):
        if any(e.get("emulator") for e in events) and not asked.emulators:
            return "emulator"
        stay = known(asked, stay, [e for e in events if e["at"] < stay[0]["at"] and e["channel"] == stay[0]["channel"]])
        updated, seen = update(stay, asked.release)
        if updated is not None and seen and updated < asked.time - SKEW:
            return "skew_excluded"
        if updated is not None and seen and events[0]["at"] == updated:
            return "first_seen_at_update"
        self.implied = updated is not None and not seen
        self.seen = seen or updated is not None and updated == confirmed(stay, asked.release)
        if born_on(asked, stay, seen, came_with_it):
            return "born_on"
        self.hidden = bool(asked.steps) and "bucket" not in stay[0] and asked.clock == "own"
        self.start, self.by = eligible(asked, stay, updated), updated is not None and mechanism(asked, stay, updated, seen)
        newer = [] if asked.estimand == "speed" else [(at, name) for name in asked.newer if (at := update(stay, name)[0]) is not None]
        return self.ends(asked, stay, moved, updated, min(newer, default=None))

    def ends(self, asked, stay, moved, updated, newer):
        limits = [(asked.cut_off, "cutOff")] + ([(moved, "switched")] if moved else []) + ([(asked.next, "superseded")] if asked.next else [])
        self.end, self.why = min(limits)
        if self.early(asked, updated):
            return "before_eligibility"
        if updated is not None and updated > self.end:
            updated = None
        if newer and newer[0] < asked.time and updated is None:
            return "born_on"
        if newer and self.early(asked, newer[0]):
            return "before_eligibility"
        if self.start is None or self.start >= self.end and updated is None:
            return "not_eligible"
        if newer and newer[0] >= asked.time and (updated is None or newer[0] < updated):
            self.seen = update(stay, newer[1])[1] or newer[0] == confirmed(stay, newer[1])
            updated, self.by = newer[0], "newerRelease" if asked.estimand == "as-happened" else mechanism(asked, stay, newer[0], update(stay, newer[1])[1], newer[1])
        if updated is not None:
            self.end, self.why = max(updated, self.start), "updated"
        return None

    def early(self, asked, at):
        return at is not None and asked.time <= at and (self.start is None or at < self.start)
