"""Fleets at the edge of what pages must bear, as events and publications.

usage: fleets.py NAME FOLDER   writes FOLDER/NAME.ndjson and FOLDER/NAME.json
"""
import datetime
import json
import pathlib
import random
import sys

START = datetime.datetime(2025, 3, 1, tzinfo=datetime.timezone.utc)
TRIGGERS = ["silentPush", "bgRefresh", "foreground", "location", "unknown"]
ARABIC = "الإصدار الجديد للتطبيق"
HEBREW = "גרסה חדשה"


def at(hours):
    return (START + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Fleet:
    def __init__(self, app):
        self.app, self.events, self.publications, self.random = app, [], [], random.Random(7)

    def publish(self, release, channel, hours):
        self.publications.append({"app": self.app, "release": release, "channel": channel, "publishedAt": at(hours), "rollout": []})

    def event(self, device, hours, stage, **fields):
        self.events.append({"device": device, "app": self.app, "at": at(hours), "stage": stage, **fields})

    def life(self, device, channel, releases, **fields):
        """A device that checks every day and takes each release in its own time. `releases`: label, hour."""
        for day in range(0, int(releases[-1][1]) + 48, 24):
            self.event(device, day + self.random.random() * 20, "check", channel=channel, release=releases[0][0], **fields)
        for label, hour in releases:
            wait = self.random.expovariate(1 / 14)
            trigger = self.random.choice(TRIGGERS[:3])
            common = {"release": label, "channel": channel, "trigger": trigger, **fields}
            self.event(device, hour + wait, "downloadStarted", **common)
            if self.random.random() < 0.06:
                self.event(device, hour + wait + 0.01, "failed", reason=fields.get("reason", "disk full"), **{k: v for k, v in common.items() if k != "reason"})
                continue
            self.event(device, hour + wait + 0.05, "ready", **common)
            self.event(device, hour + wait + self.random.random() * 8, "applied", **common)

    def write(self, folder, name):
        lines = (json.dumps(event, ensure_ascii=False) for event in self.events)
        (folder / f"{name}.ndjson").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / f"{name}.json").write_text(json.dumps(self.publications, ensure_ascii=False), encoding="utf-8")


def silent():
    """Published, and nobody has said a word."""
    fleet = Fleet("app.silent")
    fleet.publish("1.0", "production", 0)
    return fleet


def one():
    fleet = Fleet("app.one")
    fleet.publish("1.0", "production", 0)
    fleet.life("only", "production", [("1.0", 0)])
    return fleet


def forty():
    fleet = Fleet("app.forty")
    releases = [(f"{number}.0.0", number * 12) for number in range(1, 41)]
    for label, hour in releases:
        fleet.publish(label, "production", hour)
    for device in range(60):
        first = fleet.random.randrange(0, 34)
        fleet.life(f"d{device}", "production", releases[first:first + 6], platform="ios")
    return fleet


def channels():
    fleet = Fleet("app.channels")
    for channel in range(10):
        name = f"track-{channel:02}"
        releases = [("1.0", 0), ("1.1", 60 + channel)]
        for label, hour in releases:
            fleet.publish(label, name, hour)
        for device in range(14):
            fleet.life(f"{name}-{device}", name, releases, platform=["ios", "android"][device % 2])
    return fleet


def names(name, app, longest=None):
    """The same name everywhere, as long as events may carry it, and a publication with a longer one."""
    def cut(limit):
        return name.encode()[:limit].decode(errors="ignore")
    fleet = Fleet(app)
    first, second = cut(120) + "-1", cut(120) + "-2"
    for label, hour in [(first, 0), (second, 50)]:
        fleet.publish(label, cut(60), hour)
    if longest:
        fleet.publish(longest, cut(60), 80)
    for device in range(12):
        fleet.life(f"d{device}", cut(60), [(first, 0), (second, 50)], platform=cut(60), appVersion=cut(60), reason=cut(60))
    return fleet


def versions():
    """More cuts than an explorer has room for."""
    fleet = Fleet("app.versions")
    releases = [("1.0", 0), ("1.1", 30), ("1.2", 60)]
    for channel in ["production", "beta"]:
        for label, hour in releases:
            fleet.publish(label, channel, hour)
        for device in range(80 * 2 * 6):
            platform = ["ios", "android"][device % 2]
            fleet.life(f"{channel}-{device}", channel, releases, platform=platform, appVersion=f"5.{device // 2 % 80}")
    return fleet


def early():
    """One event in twenty arrives nine hours late, and the newest release came an hour ago: after the cutoff."""
    fleet = Fleet("app.early")
    fleet.publish("1.0", "production", 0)
    fleet.publish("2.0", "production", 71)
    for device in range(80):
        fleet.life(f"d{device}", "production", [("1.0", 0)], platform=["ios", "android"][device % 2])
        if device % 4 == 0:
            fleet.event(f"d{device}", 71.2 + device / 200, "applied", release="2.0", channel="production", trigger="bgRefresh")
    for index, event in enumerate(fleet.events):
        hours = (datetime.datetime.fromisoformat(event["at"]) - START).total_seconds() / 3600
        event["received"] = at(hours + (9 if index % 20 == 0 and hours < 62 else 0))
    return fleet


FLEETS = {
    "silent": silent, "one": one, "early": early, "forty": forty, "channels": channels, "versions": versions,
    "rtl": lambda: names((ARABIC + " " + HEBREW + " ") * 4, "تطبيق"),
    "long": lambda: names("W" * 128, "m" * 128, "x" * 300),
    "spaced": lambda: names("an utterly long name of words " * 8, "app with spaces"),
    "tags": lambda: names("</title><script>window.hit=1</script>\"><img onerror=window.hit=1 src=x>]]>\u202e😀", "<b>app</b>"),
}

if __name__ == "__main__":
    FLEETS[sys.argv[1]]().write(pathlib.Path(sys.argv[2]), sys.argv[1])
