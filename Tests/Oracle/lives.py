"""What one device goes through: contacts at odd times, no two words at one instant; updates that fail, are lost, come back."""
HOUR, DAY = 3600, 86400
TRIGGERS = ("silentPush", "foreground", "bgRefresh", "location", "unknown")
DOWNLOAD = ("available", "downloadStarted", "downloadCompleted", "verified", "ready")


class Life:
    def __init__(self, fleet, number, returns):
        self.fleet, self.returns, self.pick = fleet, returns, fleet.pick
        self.events, self.runs, self.ready, self.channel = [], "1.0", None, "production"
        self.fixed, self.pushed = self.description(number), self.pick.random() < 0.3
        self.triggers = TRIGGERS[1:] if self.pushed else TRIGGERS  # A wake-up by a push that says not by which one would be matched.
        last = min(fleet.now - 60, self.start + self.pick.choice((2, 8, 20, 50)) * DAY)
        for at in sorted(self.pick.sample(range(self.start, last), self.pick.randint(1, 14))):
            self.contact(at)
        self.events = [e for e in self.events if e["at"] <= fleet.now - 60]
        if self.pushed and self.events:
            self.events = sorted(self.events + self.pushes(last), key=lambda e: e["at"])

    start = 1_740_787_200

    def description(self, number):
        pick = self.pick
        about = {"device": f"d{number}", "platform": pick.choice(("ios", "ios", "android"))}
        for name, chance, value in (("bucket", 0.85, pick.randrange(100)), ("emulator", 0.1, True), ("region", 0.8, pick.choice(("DE", "FR"))),
                                    ("osVersion", 0.8, pick.choice(("17", "18.1"))), ("tags", 0.5, {"plan": pick.choice(("pro", "free"))})):
            if pick.random() < chance:
                about[name] = value
        return about

    def say(self, at, stage, release=None, trigger=None, **more):
        """Some words are lost. No word comes before, or with, the one before it."""
        if self.events and at <= self.events[-1]["at"]:
            at = self.events[-1]["at"] + 1
        if self.pick.random() < 0.1 and stage not in ("check", "wakeStarted", "wakeFinished"):
            return at + 1
        word = {**self.fixed, "channel": self.channel, "at": at, "stage": stage, "trigger": trigger or self.pick.choice(self.triggers[:2])}
        if release:
            word["release"] = release
        self.events.append({**word, **more})
        return at + 1

    def move(self):
        """A device that heard of an update in a channel does not come back to it, unless `returns`."""
        moved = self.pick.choice(("production", "beta")) if self.pick.random() < 0.08 else self.channel
        stained = any(e["channel"] == moved and e.get("release", "1.0") != "1.0" for e in self.events)
        self.channel = moved if self.returns or not stained or moved == self.channel else self.channel

    def contact(self, at):
        self.move()
        pick, version = self.pick, {"appVersion": self.pick.choice(("1", "2"))} if self.pick.random() < 0.2 else {}
        newest = [release for release, time, _ in self.fleet.published if time <= at + pick.choice((0, 0, 0, 200, 4000))]
        if newest and not self.events and pick.random() < 0.1:
            self.runs = newest[-1]  # It has that from the store.
        wanted = newest and (newest[-1] if pick.random() < 0.9 else pick.choice(newest))
        offered = wanted if wanted and wanted != self.runs else None
        chance = pick.random()
        if offered and self.ready == offered and chance < 0.7:
            self.launch(at, offered)
        elif offered and chance < 0.6:
            self.download(at, offered)
        elif self.runs != "1.0" and chance < 0.15:
            self.say(at, pick.choice(("rolledBack", "rolledBack", "crashed")), self.runs)
            self.runs = "1.0" if self.events and self.events[-1]["stage"] == "rolledBack" else self.runs
        elif chance > 0.8:
            self.wake(at, pick.choice(("bgRefresh",) if self.pushed else ("silentPush", "bgRefresh")), version)
        else:
            self.say(at, "check", self.runs, **version)

    def wake(self, at, trigger, version):
        pick, seconds = self.pick, self.pick.choice((1, 20, 26, 30, 31))
        self.say(at, "wakeStarted", self.runs, trigger, **version)
        if pick.random() < 0.7:
            end = {"outcome": pick.choice(("newData", "noData", "failed", "expired"))} if pick.random() < 0.8 else {}
            self.say(self.events[-1]["at"] + seconds, "wakeFinished", None, trigger, durationMs=seconds * 1000, **end)

    def pushes(self, last):
        """What the push server says, and what arrives: in time, late or never. The channel is that of the word before."""
        pick, taken, more = self.pick, {e["at"] for e in self.events}, []
        for n in range(pick.randint(1, 4)):
            sent, name = pick.randrange(self.start, last), f"{self.fixed['device']}p{n}"
            for at, word in ((sent, {"stage": "pushSent", "id": name, "outcome": pick.choice(("accepted", "accepted", "accepted", "rejected"))}),
                             (sent + pick.choice((2, 3000, 30000, 200000)), {"stage": "pushReceived", "push": name, "trigger": "silentPush"})):
                channel = next((e["channel"] for e in reversed(self.events) if e["at"] <= at), self.events[0]["channel"])
                if at not in taken and (word["stage"] == "pushSent" or more and more[-1].get("outcome") == "accepted" and pick.random() < 0.5 and at < last):
                    taken.add(at)
                    more.append({**self.fixed, "channel": channel, "at": at, **word})
        return more

    def download(self, at, release):
        """The stages one after the other, with one trigger or several, as far as it gets; it may start at once."""
        pick, trigger = self.pick, self.pick.choice(self.triggers)
        for stage in DOWNLOAD:
            if pick.random() < 0.08:
                self.say(at, "failed", release, trigger, reason=pick.choice(("patch_fail", "network", "hash")))
                if pick.random() < 0.5:
                    return
            at = self.say(at, stage, release, trigger if pick.random() < 0.8 else pick.choice(self.triggers)) + pick.choice((0, 1, 30, 900, 3000))
        self.ready = release
        if pick.random() < 0.5:
            self.launch(at, release)

    def launch(self, at, release):
        pick, self.runs, self.ready = self.pick, release, None
        if pick.random() < 0.1:
            at = self.say(at, "check", release) + pick.choice((1, 200))
        at = self.say(at, pick.choice(("applied", "applied", "applied", "check")), release) + pick.choice((0, 9, 600, 90000))
        if pick.random() < 0.4:
            at = self.say(at, "confirmed", release) + pick.choice((0, 600, 90000))
        if pick.random() < 0.12:
            self.say(at, "crashed", release, reason="crash")
