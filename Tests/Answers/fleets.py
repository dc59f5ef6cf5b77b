"""Small fleets that are as odd as clients, clocks and people can make them. The same seed gives the same fleet."""
import random

HOUR, DAY = 3_600_000, 86_400_000
# A Monday morning, far enough back that no event lies ahead of a service's clock.
BASE = 1_740_988_800_000
LABELS = ["1.0", "2.0.0", "2.0.0;touch x;#", "-rf", "--help", "a b", "it's \"2\"", "$(x) `y`", "two\nlines", "x\u202ey", "=1+1", "</title><b>", "ü✓日本", "R" * 128]
PLACES = ["production", "beta", "it's", "a b", "-c", "\u202e", "<i>", "c" * 64]
PLATFORMS = ["ios", "android", "web os", "-p", "'"]
TRIGGERS = ["silentPush", "bgRefresh", "foreground", "location", "unknown"]
WALK = ["check", "available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied", "confirmed"]
ASIDE = ["wakeStarted", "wakeFinished", "pushSent", "pushReceived", "dismissed", "failed", "rolledBack", "crashed"]
ABOUT_A_RELEASE = set(WALK[1:] + ["rolledBack"])
STEPS = [0, 1000, HOUR, DAY, 3 * DAY, 10 * DAY, 60 * DAY]
OFFSETS = [-400 * DAY, -30 * DAY, -DAY, -HOUR, -1, 0, 0, 0, 1, 1000, 60_000, HOUR, 6 * HOUR, DAY, 3 * DAY, 8 * DAY, 29 * DAY, 100 * DAY, 400 * DAY]
REASONS = ["disk full", "hash", "=cmd", "\u202e", "n" * 60, None]
OUTCOMES = ["newData", "noData", "failed", "expired"]


class Fleet:
    def __init__(self, seed):
        self.random = pick = random.Random(seed)
        self.apps = ["app.one"] if pick.random() < 0.9 else ["app.one", "it's app.two"]
        self.labels = pick.sample(LABELS, pick.choice([0, 1, 2, 2, 2, 3, 4]))
        self.channels = ["production", *pick.sample(PLACES[1:], 2)][:pick.choice([1, 1, 1, 2, 3])]
        self.platforms = pick.sample(PLATFORMS, pick.choice([1, 1, 2, 3]))
        self.published = {label: BASE + pick.choice(OFFSETS[1:-1] if pick.random() < 0.3 else [0, 1, HOUR, DAY, 3 * DAY]) for label in self.labels}
        self.nows = [BASE + offset for offset in [-401 * DAY, -1, 0, 1, HOUR, *[3 * DAY, 9 * DAY, 30 * DAY] * 4, 500 * DAY]]
        self.devices = [f"d{number}" for number in range(pick.choice([0, 1, 2, 3, 5, 8, 12, 20, 40]))]
        self.publications = [self.publication(label) for label in self.labels for _ in range(pick.choice([0, 1, 1, 2, 2]))]
        self.events = [event for device in self.devices for event in self.life(device)]
        pick.shuffle(self.events)
        self.known = sorted({event["release"] for event in self.events if "release" in event} | {made["release"] for made in self.publications})
        self.kept = {name: self.names(name) for name in ["app", "channel", "platform"]}

    def names(self, field):
        """That a question can name: a device was there, and a push that was sent is no sign of one; or a release came there."""
        needs = {"app": lambda event: True, "platform": lambda event: event["stage"] != "pushSent",
                 "channel": lambda event: event["stage"] != "pushSent"}[field]
        return sorted({event[field] for event in self.events if field in event and needs(event)})

    def channel(self):
        return self.random.choice(self.channels if self.random.random() < 0.4 else self.channels[:1])

    def publication(self, label):
        pick = self.random
        at = self.published[label] + pick.choice([0, 0, 0, 1, DAY, -DAY])
        steps = [{"at": at + pick.choice([-HOUR, 0, 0, 1, HOUR, DAY, 3 * DAY, 3 * DAY]), "percent": pick.choice([0, 0, 0.5, 1, 10, 50, 99.9, 100, 100])}
                 for _ in range(pick.choice([0, 0, 0, 0, 1, 2, 4]))]
        steps = list({step["at"]: step for step in steps}.values())
        made = {"release": label, "app": pick.choice(self.apps), "channel": self.channel(), "publishedAt": at, "rollout": steps, "mandatory": pick.random() < 0.2}
        if pick.random() < 0.15:
            made["platform"] = pick.choice(self.platforms)
        return made

    def life(self, device):
        """One device: a way of behaving, for each release that it meets."""
        pick = self.random
        profile = {"device": device, "app": pick.choice(self.apps), "channel": self.channel()}
        for name, values in [("platform", self.platforms), ("appVersion", ["1", "2", "=3", None]), ("osVersion", ["17.1", None]), ("arm", ["push", "hold", None, None]),
                             ("bucket", [0, 1, 50, 99, None, None]), ("emulator", [True, False, None, None, None]), ("network", ["wifi", None])]:
            value = pick.choice(values)
            if value is not None:
                profile[name] = value
        behave = pick.choice([self.updates, self.updates, self.updates, self.fails, self.only_checks, self.only_pushes, self.rolls_back, self.crashes, self.wakes, self.anything])
        skew = pick.choice([0, 0, 0, 0, 1, -HOUR, HOUR, -40 * DAY])
        events = []
        for label in self.labels or [None]:
            start = (self.published[label] if label else BASE) + skew
            if pick.random() < 0.7:
                events += [{**profile, **self.event("check", self.labels[0] if self.labels else None, start + offset)} for offset in pick.sample([-2 * DAY, -HOUR, 0, HOUR, DAY, 4 * DAY], 3)]
                start += pick.choice([0, 1, 1000, HOUR, 6 * HOUR, DAY, 3 * DAY])
            else:
                start += pick.choice(OFFSETS)
            events += [{**profile, **event} for event in behave(label, start)]
        if pick.random() < 0.2 and len(self.channels) > 1:
            for event in events[len(events) // 2:]:
                event["channel"] = self.channels[-1]
        return events

    def event(self, stage, label, at, **fields):
        pick = self.random
        made = {"stage": stage, "at": max(at, 946_684_800_000), "trigger": pick.choice(TRIGGERS), **fields}
        if label and (stage in ABOUT_A_RELEASE or pick.random() < 0.7):
            made["release"] = label
        if pick.random() < 0.1 and self.labels:
            made["from"] = pick.choice(self.labels)
        if pick.random() < 0.1:
            made["durationMs"], made["bytes"] = pick.choice([0, 1, 40_000, 2**40]), pick.choice([0, 2**40])
        return made

    def updates(self, label, at):
        stages = self.random.choice([WALK, WALK[5:7], ["applied"], ["ready"], WALK[:4], ["confirmed"], ["applied", "ready"], ["check", "applied", "check"]])
        for stage in stages if label else ["check"]:
            yield self.event(stage, label, at)
            at += self.random.choice(STEPS)

    def fails(self, label, at):
        for _ in range(self.random.choice([1, 2, 5])):
            yield self.event("failed", label, at, **({"reason": reason} if (reason := self.random.choice(REASONS)) else {}))
            at += self.random.choice(STEPS)

    def only_checks(self, label, at):
        for _ in range(self.random.choice([1, 3, 8])):
            yield self.event("check", label, at)
            at += self.random.choice(STEPS)

    def only_pushes(self, label, at):
        for number in range(self.random.choice([1, 2, 6])):
            push = f"p{number}"
            yield self.event("pushSent", label, at, push=push, outcome=self.random.choice(["accepted", "rejected"]))
            if self.random.random() < 0.5:
                yield self.event("pushReceived", label, at + self.random.choice([-1000, 0, 1000, DAY, 3 * DAY]), push=push, appState=self.random.choice(["background", "inactive", "active"]))
            at += self.random.choice(STEPS)

    def rolls_back(self, label, at):
        if label:
            yield self.event("rolledBack", label, at)
        if label and self.random.random() < 0.5:
            yield self.event("applied", label, at + self.random.choice([-DAY, 0, 1, DAY]))

    def crashes(self, label, at):
        yield self.event("crashed", self.random.choice([label, None]), at)

    def wakes(self, label, at):
        for _ in range(self.random.choice([1, 4])):
            yield self.event("wakeStarted", label, at)
            if self.random.random() < 0.7:
                yield self.event("wakeFinished", label, at + self.random.choice([-1, 0, 1000, 29_999, 31_000, DAY]), outcome=self.random.choice(OUTCOMES))
            at += self.random.choice(STEPS)

    def anything(self, label, at):
        for _ in range(self.random.choice([1, 5, 12])):
            stage = self.random.choice(WALK + ASIDE)
            if label or stage not in ABOUT_A_RELEASE:
                yield self.event(stage, label, at)
            at += self.random.choice([*STEPS, -DAY])
