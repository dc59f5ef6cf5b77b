"""A day of a simulated fleet, and what a dialect is to a test: how much it can say of an event, and how."""

import json
import tempfile
from datetime import datetime

from service import run

JSON = {"Content-Type": "application/json"}
APP = "com.example.shop"
HOUR = 3_600_000
#: Where a client reports two stages at once.
PAIRS = {"ready": ["downloadCompleted", "ready"], "applied": ["applied", "confirmed"]}


def fleet():
    """The day after the bad release came, and the publications."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        events, publications = directory + "/events.ndjson", directory + "/publications.json"
        run("simulate", "--scenario", "bad-release", "--devices", "90", "--out", events, "--publications", publications,
            "--quiet")
        with open(events) as lines:
            day = [json.loads(line) for line in lines]
        with open(publications) as file:
            published = json.load(file)
    for event in day:
        event["at"] = milliseconds(event["at"])
        event.setdefault("channel", "production")
    first = min(event["at"] for event in day if event["stage"] == "available" and event["release"] == "2.1.0"
                and event["channel"] == "production")
    day = [event for event in day if first - 2 * HOUR <= event["at"] < first + 22 * HOUR]
    day.sort(key=lambda event: event["at"])
    return day, published, first + 22 * HOUR


def milliseconds(at):
    if isinstance(at, int):
        return at
    return round(datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() * 1000)


def kept(event, *fields, **changes):
    """The event with only these fields, and whatever says what and when."""
    fields = ("device", "app", "stage", "release", "at", "trigger", "platform", "channel") + fields
    return {name: event[name] for name in fields if name in event} | changes


def beside(event):
    """What a client cannot say in its protocol."""
    return {"X-Uptake-Trigger": event.get("trigger", "unknown"), "X-Uptake-App": APP,
            "X-Uptake-Channel": event["channel"]}


class Dialect:
    """What it can say of an event, as native events and as requests; and whether its clients have clocks."""

    name = ""
    stages = ()
    has_clock = True
    #: Under which name the fleet's channels go, where the protocol has its own.
    rename = {}

    def native(self, event):
        return [kept(event)]

    def requests(self, events):
        """(path, headers, body) for each."""
        raise NotImplementedError
