"""Sentry's protocol, judged by programs that we did not write: Bugsink, Sentry's own normaliser, its own SDK."""
import json
import unittest

import sentry_sdk.envelope
import sentry_sdk.transport
from sentry_relay.processing import StoreNormalizer, parse_release

from bugsink import Bugsink
from fleet import APP, FleetTest, instant
from receiver import Receiver

QUOTA = 5


def setUpModule():
    global bugsink
    bugsink = Bugsink(QUOTA)


def tearDownModule():
    bugsink.close()


def complaints(meta, path=""):
    """Where the normaliser changed or removed something."""
    if not isinstance(meta, dict):
        return []
    found = [f"{path}: {meta['']}"] if meta.get("") else []
    return found + [line for name, inner in meta.items() if name for line in complaints(inner, f"{path}.{name}")]


class Accepted(FleetTest):
    """By Bugsink: its 200 proves nothing, so everything is read back."""

    def test_events_tags_breadcrumbs_and_releases_arrive(self):
        project, dsn = bugsink.project("arrive")
        fleet = self.fleet(instant(), channels=("production", "beta"))
        send = lambda: fleet.export("sentry", "--send", environment={"SENTRY_DSN": dsn}).stdout
        self.assertTrue((said := send()).startswith("2 sent, 0 refused, 0 waiting"), said)
        events = {event["tags"]["ota.channel"]: event for event in bugsink.events(project)}
        self.assertEqual(set(events), {"production", "beta"})

        failing = events["production"]
        self.assertEqual(failing["level"], "error")
        self.assertIn("2.0.0 on production: Stop: failing", failing["logentry"]["formatted"])
        tags = {"ota.app": APP, "ota.release": "2.0.0", "ota.channel": "production", "ota.mechanism": "silentPush",
                "ota.stage": "complete", "ota.verdict": "Stop: failing", "release": f"{APP}@2.0.0",
                "environment": "production"}
        self.assertEqual({name: failing["indexed"].get(name) for name in tags}, tags)
        figures = failing["contexts"]["rollout"]
        self.assertEqual((figures["devices"], figures["failed"], figures["percent"]), (300, 25, 100))
        self.assertTrue(figures["adoptionLo"] < figures["adoption"] < figures["adoptionHi"] < 1)
        self.assertTrue(figures["failureRateLo"] < figures["failureRate"] < figures["failureRateHi"])
        crumbs = failing["breadcrumbs"]["values"]
        kinds = [crumb["category"].removeprefix("rollout.") for crumb in crumbs]
        self.assertEqual([kind for kind in kinds if kind != "milestone"],
                         ["published", "step", "step", "failuresRising", "verdict"])
        self.assertIn("milestone", kinds)
        times = [crumb["timestamp"] for crumb in crumbs]
        self.assertEqual(times, sorted(times))
        self.assertEqual(crumbs[0]["message"], "2.0.0 was published on production to 10% of devices.")
        self.assertNotEqual(events["beta"]["level"], "error")
        self.assertNotEqual(events["beta"]["issue"], failing["issue"], "an issue for each channel")
        self.assertEqual(bugsink.releases(project), [f"{APP}@2.0.0"])

        self.assertTrue((said := send()).startswith("0 sent, 0 refused, 0 waiting"), said)
        # The memory of having sent is lost: the same facts go out again, and are known there.
        fleet.change("UPDATE export_fact SET outcome = 'sending'")
        self.assertTrue((said := send()).startswith("2 sent"), said)
        self.assertEqual(len(bugsink.events(project)), 2)

        # Another verdict is news, in the same issue; so is the release that took its place.
        fleet.publish("3.0.0", "production", hours=0.2)
        self.assertTrue((said := send()).startswith("2 sent"), said)
        events = [(event["tags"]["ota.release"], event["tags"]["ota.verdict"], event["issue"])
                  for event in bugsink.events(project) if event["tags"]["ota.channel"] == "production"]
        self.assertEqual({event[:2] for event in events},
                         {("2.0.0", "Stop: failing"), ("2.0.0", "Replaced"), ("3.0.0", "Wait: too early")})
        self.assertEqual(len({event[2] for event in events if event[0] == "2.0.0"}), 1)
        self.assertEqual(set(bugsink.releases(project)), {f"{APP}@2.0.0", f"{APP}@3.0.0"})

    def test_a_full_quota_means_quiet(self):
        project, dsn = bugsink.project("quota")
        channels = [f"channel-{number}" for number in range(QUOTA + 3)]
        fleet = self.fleet(instant(), channels=channels, failing=(), devices=24)
        first = fleet.export("sentry", "--send", "--patience", "0s", environment={"SENTRY_DSN": dsn}, check=False)
        self.assertEqual(first.returncode, 1)
        self.assertIn("why: 429 ", first.stderr)
        arrived = len(bugsink.events(project))
        self.assertTrue(0 < arrived < len(channels))
        self.assertTrue(first.stdout.startswith(f"{arrived} sent, 0 refused, {len(channels) - arrived} waiting"))
        # Until the receiver's time is over nothing is even tried, whoever asks.
        attempts = fleet.told("sum(attempts) AS attempts")
        second = fleet.export("sentry", "--send", "--patience", "0s", environment={"SENTRY_DSN": dsn}, check=False)
        self.assertTrue(second.stdout.startswith(f"0 sent, 0 refused, {len(channels) - arrived} waiting"))
        self.assertEqual(fleet.told("sum(attempts) AS attempts"), attempts)
        self.assertNotIn(dsn.split("//")[1].split("@")[0], first.stdout + first.stderr + second.stdout + second.stderr)


class Understood(FleetTest):
    """What a receiver on loopback got, as Sentry's own code reads it."""

    def sent(self, target, fleet, *more):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        fleet.export(target, "--send", *more, environment={"SENTRY_DSN": receiver.dsn()})
        self.assertTrue(receiver.requests)
        return receiver.requests

    def test_sentrys_normaliser_has_nothing_to_complain_of(self):
        """Even where names are as bad as names can be."""
        names = ["production", "a/b\nc", "latest", "x" * 64, "\u202egnp.exe <script>", "ein Kanal, täglich"]
        requests = self.sent("sentry", self.fleet(instant(), channels=names, failing=names[:3], devices=210))
        self.assertEqual(len(requests), len(names))
        for request in requests:
            self.assertEqual(request.path, "/api/7/envelope/")
            self.assertIn("sentry_key=0123456789abcdef0123456789abcdef", request.headers["X-Sentry-Auth"])
            envelope = sentry_sdk.envelope.Envelope.deserialize(request.body)
            self.assertEqual([item.type for item in envelope.items], ["event"])
            event = envelope.get_event()
            self.assertEqual(envelope.headers["event_id"], event["event_id"])
            with self.subTest(channel=event["tags"]["ota.channel"]):
                self.judge(event)

    def judge(self, event):
        normal = StoreNormalizer(
            project_id=7, key="0" * 32, protocol_version="7", client="uptake/1", client_ip="127.0.0.1",
            is_renormalize=False, remove_other=True, normalize_user_agent=False, max_secs_in_future=60,
            max_secs_in_past=2592000, enable_trimming=True).normalize_event(dict(event))
        self.assertFalse(normal.get("errors"))
        self.assertEqual(complaints(normal.get("_meta")), [])
        for field in ("event_id", "level", "release", "environment", "fingerprint", "platform", "logger"):
            self.assertEqual(normal[field], event[field], field)
        self.assertEqual(dict(normal["tags"]), event["tags"])
        self.assertEqual(len(normal["breadcrumbs"]["values"]), len(event["breadcrumbs"]["values"]))
        self.assertAlmostEqual(normal["timestamp"], event["timestamp"], places=2)
        self.assertEqual(parse_release(event["release"])["package"], APP)

    def test_logs_are_what_its_sdk_sends(self):
        """The keys and types of the container that sentry-sdk makes of a log."""
        fleet = self.fleet(instant(), devices=240)
        requests = self.sent("sentry-logs", fleet)
        self.assertGreaterEqual(len(requests), 5)
        for request in requests:
            item, = sentry_sdk.envelope.Envelope.deserialize(request.body).items
            self.assertEqual(item.headers["content_type"], "application/vnd.sentry.items.log+json")
            container = json.loads(item.payload.get_bytes())
            self.assertEqual((container["version"], len(container["items"])), (2, item.headers["item_count"]))
            for log in container["items"]:
                self.assertEqual(set(log), {"timestamp", "trace_id", "level", "body", "attributes"})
                self.assertIn(log["level"], ("info", "warn", "error"))
                self.assertRegex(log["trace_id"], "^[0-9a-f]{32}$")
                for attribute in log["attributes"].values():
                    self.assertIsInstance(attribute["value"], {"string": str, "double": (float, int)}[attribute["type"]])


class Limits(FleetTest):
    """Answers that ask for quiet, read as sentry-sdk's own transport reads them."""

    HEADERS = ["60::key", "60:error:organization", "60:default;error:key:quota", "2700:transaction;span:organization",
               "10:log_item:key, 50:error:key, 30::organization", "x:error", "", "70:nonsense:key",
               "60:error:key:reason:namespace:more"]

    def test_headers_are_obeyed_on_any_answer(self):
        fleet = self.fleet(instant(), channels=("one", "two"), failing=(), devices=24)
        for header in self.HEADERS:
            limits = dict(sentry_sdk.transport._parse_rate_limits(header, now=instant()))
            ours = [until for name, until in limits.items() if name in (None, "error", "default")]
            wait = max(((until - instant()).total_seconds() for until in ours), default=0)
            with self.subTest(header=header):
                receiver = Receiver(lambda request: (200, {"X-Sentry-Rate-Limits": header}, "{}"))
                self.addCleanup(receiver.close)
                fleet.export("sentry", "--send", "--patience", "0s", environment={"SENTRY_DSN": receiver.dsn()}, check=False)
                self.assertEqual(len(receiver.requests), 1 if wait > 1 else 2)

    def test_what_is_too_large_is_never_sent_again(self):
        receiver = Receiver(lambda request: (413, {}, '{"detail":"too large"}'))
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant(), devices=24)
        for runs in range(2):
            result = fleet.export("sentry", "--send", environment={"SENTRY_DSN": receiver.dsn()}, check=False)
            self.assertEqual((result.returncode, len(receiver.requests)), (1 - runs, 1))
        self.assertEqual(fleet.told("outcome", "reason"), [{"outcome": "refused", "reason": '413 {"detail":"too large"}'}])


class Releases(FleetTest):
    """The routes for releases and deploys, as Sentry's OpenAPI has them."""

    def test_a_release_then_a_deploy_for_each_step(self):
        receiver = Receiver(lambda request: (208 if request.path.endswith("/releases/") else 201, {}, "{}"))
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant())
        said = fleet.export(
            "sentry-releases", "--send", "--to", receiver.place, "--organization", "acme", "--project", "shop",
            environment={"SENTRY_AUTH_TOKEN": "sntrys_secret"}).stdout
        self.assertTrue(said.startswith("4 sent, 0 refused"), said)
        version = f"{APP}@2.0.0"
        releases = [request for request in receiver.requests if request.path == "/api/0/organizations/acme/releases/"]
        self.assertEqual({request.json["version"] for request in releases}, {f"{APP}@1.0.0", version})
        for request in receiver.requests:
            self.assertEqual(request.headers["Authorization"], "Bearer sntrys_secret")
        deploys = [request for request in receiver.requests if request.path ==
                   "/api/0/organizations/acme/releases/com.example.shop%402.0.0/deploys/"]
        self.assertEqual([request.json["name"] for request in deploys], ["50% of devices", "100% of devices"])
        for request in deploys:
            self.assertEqual(set(request.json), {"environment", "name", "dateStarted", "dateFinished", "projects"})
        self.assertEqual(set(releases[0].json), {"version", "projects", "dateReleased"})


if __name__ == "__main__":
    unittest.main()
