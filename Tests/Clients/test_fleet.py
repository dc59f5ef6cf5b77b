"""One day of one fleet, told in every dialect that can carry it: the answers are those of native events.

A dialect cannot say everything. For each, the day is first reduced to what it can say; the reduced day goes to one service
as native events and to another in the dialect, and both must answer alike.
"""

import http.client
import json
import unittest
from datetime import datetime, timezone

from day import APP, JSON, fleet
from dialects_telemetry import OpenTelemetry, Sentry
from dialects_updaters import Capgo, CodePush, HotUpdater, Omaha, ReactNativeUpdate, Shorebird
from service import Service, answer

QUESTIONS = [
    ("time-to-update", "{release}", "--by", "platform"), ("mechanisms", "{release}"), ("failures", "{release}"),
    ("funnel", "{release}"),
]
#: What counts devices, and takes no heed of when.
TIMELESS = {"funnel": ("devices", "stages"), "failures": ("attempts", "failed", "rolledBack", "reasons")}


class SameAnswers(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.day, cls.published, cls.end = fleet()

    def publish(self, service, dialect):
        for row in self.published:
            release = row["release"]
            if dialect.name == "shorebird":
                release = "1.0:" + release.replace(".", "")
            body = {name: row[name] for name in ("app", "publishedAt", "rollout", "mandatory")}
            channel = dialect.rename.get(row["channel"], row["channel"])
            status, _, said = service.ask(
                "/v1/releases/" + release, json.dumps(body | {"channel": channel}).encode(), JSON, "PUT")
            self.assertEqual(status, 200, said)

    def send(self, service, requests):
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        for path, headers, body in requests:
            connection.request("POST" if body is not None else "GET", path, body, headers)
            answered = connection.getresponse()
            said = answered.read()
            self.assertLess(answered.status, 300, (path, said[:300]))
        connection.close()

    def answers(self, service, dialect):
        release = "1.0:210" if dialect.name == "shorebird" else "2.1.0"
        found = {}
        for name, *words in QUESTIONS:
            if not dialect.has_clock and name not in TIMELESS:
                continue
            words = [word.format(release=release) for word in words]
            end = datetime.fromtimestamp(self.end // 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            now = ["--now", end] if dialect.has_clock else []
            data = answer(service.database, name, *words, "--app", APP, *now)["data"]
            found[name] = data if dialect.has_clock else [timeless(row, TIMELESS[name]) for row in data]
        self.assertTrue(found["funnel"])
        return found

    def check(self, dialect):
        events = [event for event in self.day if event["stage"] in dialect.stages and event.get("release")
                  and (not dialect.rename or event["channel"] in dialect.rename)]
        told = [(event, dialect.native(event)) for event in events]
        if not dialect.has_clock:
            told = once([(event, [undated(reduced) for reduced in native]) for event, native in told])
        events, native = [event for event, _ in told], [reduced for _, native in told for reduced in native]
        with Service() as plain, Service() as other:
            for service in (plain, other):
                self.publish(service, dialect)
            lines = [json.dumps(event) for event in native]
            # Without a clock the time is that of receipt: it must follow the order of the day on both sides.
            size = 1000 if dialect.has_clock else 1
            self.send(plain, [
                ("/v1/events", {"Content-Type": "application/x-ndjson"}, "\n".join(lines[begin:begin + size]))
                for begin in range(0, len(lines), size)])
            self.send(other, dialect.requests(events))
            columns = 'stage, release, trigger, channel, app, platform, "from", reason'
            columns += ", at" if dialect.has_clock else ""
            self.assertEqual(sorted(plain.stored(columns)), sorted(other.stored(columns)))
            expected = self.answers(plain, dialect)
            self.assertEqual(expected, self.answers(other, dialect))
        self.assertGreater(len(native), 30)


def undated(event):
    return {name: value for name, value in event.items() if name != "at"}


def once(told):
    """Each saying once: what says the same again without a time is the same event for ten minutes of the service's clock,
    and those may end while one of the two services listens."""
    firsts = {}
    for event, native in told:
        firsts.setdefault(json.dumps(native or event, sort_keys=True), (event, native))
    return list(firsts.values())


def timeless(value, names):
    """The counts in it, without times and curves."""
    if isinstance(value, list):
        return [timeless(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: timeless(item, names) for name, item in value.items()
            if not any(word in name.lower() for word in ("second", "at", "time", "median", "quantile", "curve", "through"))}


for each in (Sentry, OpenTelemetry, Capgo, Shorebird, CodePush, HotUpdater, ReactNativeUpdate, Omaha):
    setattr(SameAnswers, "test_" + each.name.replace("-", "_"), lambda self, each=each: self.check(each()))


if __name__ == "__main__":
    unittest.main()
