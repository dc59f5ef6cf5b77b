"""Small nasty fleets, each from its seed."""
import random
from datetime import datetime, timezone

import lives
import polls

START, HOUR, DAY = 1_740_787_200, 3600, 86400


def rfc3339(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Fleet:
    """`published` is (release, time, rollout steps), oldest first; `devices` is what each device said, in the order of time."""
    def __init__(self, app, now, published, devices, pick):
        self.app, self.now, self.published, self.devices, self.pick = app, now, published, devices, pick

    @classmethod
    def polled(cls, seed):
        """Enough devices that only check, at their own intervals, for times between checks to be estimated."""
        pick = random.Random(f"polled {seed}")
        second = START + 5 * DAY + pick.randrange(DAY)
        published = [("2.0", second, steps(pick, second) if pick.random() < 0.3 else [])]
        if pick.random() < 0.5:
            third = second + pick.randrange(2 * DAY, 6 * DAY)
            published.append(("3.0", third, []))
        young = random.Random(f"young {seed}")
        now = published[-1][1] + young.randrange(6, 40) * HOUR if young.random() < 0.3 else START + pick.choice((12, 20)) * DAY
        fleet = cls(f"fleet{seed}", now, published, [], pick)
        fleet.devices = [events for events in (polls.life(fleet, n) for n in range(pick.randint(60, 160))) if events]
        return fleet

    @classmethod
    def of(cls, seed, returns=False):
        if not returns and random.Random(f"kind {seed}").random() < 0.15:
            return cls.polled(seed)
        pick = random.Random(f"oracle {seed}")
        now, second = START + pick.choice((12, 20, 60)) * DAY, START + 5 * DAY + pick.randrange(DAY)
        published = [("2.0", second, steps(pick, second))]
        if pick.random() < 0.5:
            third = second + pick.randrange(HOUR, pick.choice((1, 2, 6)) * DAY)
            published.append(("3.0", third, steps(pick, third)))
        fleet = cls(f"fleet{seed}", now, published, [], pick)
        fleet.devices = [lives.Life(fleet, n, returns).events for n in range(pick.randint(1, 60))]
        return fleet

    def like(self, app, devices):
        """The same rollout with other devices."""
        return Fleet(app, self.now, self.published, devices, random.Random(app))

    def known(self, cut_off, pushes=False):
        """What was known at the cut-off, of devices of which something was. What the push server says is no sign of life."""
        return [kept for kept in ([e for e in events if e["at"] <= cut_off and (pushes or e["stage"] != "pushSent")] for events in self.devices) if kept]

    def lines(self):
        return [{**e, "app": self.app, "at": rfc3339(e["at"]), "received": rfc3339(e["at"] + 1)} for events in self.devices for e in events]


def steps(pick, time):
    return [(time, 10), (time + DAY, 50), (time + 2 * DAY, 100)] if pick.random() < 0.5 else []
