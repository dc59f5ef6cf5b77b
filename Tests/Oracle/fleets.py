"""Small nasty fleets, each from its seed."""
import random
from datetime import datetime, timezone

START, HOUR, DAY = 1_740_787_200, 3600, 86400
VERSIONS = ("1.0", "2.0", "3.0")


def rfc3339(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Fleet:
    def __init__(self, seed, returns=False):
        self.returns = returns
        pick = self.pick = random.Random(f"oracle {seed}")
        self.app, self.now = f"fleet{seed}", START + pick.choice((12, 20, 60)) * DAY
        second = START + 5 * DAY + pick.randrange(DAY)
        self.published = [("2.0", second, self.steps(second))]
        if pick.random() < 0.5:
            third = second + pick.randrange(HOUR, 6 * DAY)
            self.published.append(("3.0", third, []))
        self.devices = [self.device(f"d{n}") for n in range(pick.randint(1, 60))]

    def steps(self, time):
        return [(time, 10), (time + DAY, 50), (time + 2 * DAY, 100)] if self.pick.random() < 0.3 else []

    def device(self, name):
        """Contacts at odd times, no two at one instant; what it runs changes with chance as releases come."""
        pick, events, runs, channel = self.pick, [], "1.0", "production"
        lives = pick.sample(range(START, min(self.now - 2 * DAY, START + pick.choice((2, 8, 20, 50)) * DAY)), pick.randint(1, 14))
        fixed = {"app": self.app, "device": name, "platform": "ios", "bucket": pick.randrange(100)}
        if pick.random() < 0.1:
            fixed["emulator"] = True
        for at in sorted(lives):
            moved = pick.choice(("production", "beta")) if pick.random() < 0.08 else channel
            ran = any(e["channel"] == "production" and e["release"] != "1.0" for e in events)
            channel = moved if self.returns or not ran or moved == "beta" else channel
            newest = [release for release, time, _ in self.published if time <= at + pick.choice((0, 0, 0, 200, 4000))]
            stage, release = "check", runs
            if newest and newest[-1] != runs and pick.random() < 0.5:
                runs = release = newest[-1]
                stage = pick.choice(("applied", "applied", "check", "confirmed"))
            elif runs != "1.0" and pick.random() < 0.15:
                stage, release, runs = "rolledBack", runs, "1.0"
            elif pick.random() < 0.2:
                stage = "wakeStarted"
            events.append({**fixed, "channel": channel, "at": at, "stage": stage, "release": release, "trigger": pick.choice(("silentPush", "foreground", "bgRefresh"))})
        return events

    def known(self, cut_off):
        return [kept for kept in ([e for e in events if e["at"] <= cut_off] for events in self.devices) if kept]

    def lines(self):
        return [{**e, "at": rfc3339(e["at"]), "received": rfc3339(e["at"] + 1)} for events in self.devices for e in events]
