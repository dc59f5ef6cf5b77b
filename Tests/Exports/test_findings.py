"""Changes of findings, as the receivers get them: each once, in an issue or message of its own."""
import json
import unittest

import sentry_sdk.envelope
from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from sentry_relay.processing import StoreNormalizer

from bugsink import Bugsink
from fleet import APP, Fleet, instant, run, words
from receiver import Receiver
from test_chats import CHATS, ChatTest, PAGES, RULES, texts
from test_sentry import complaints

NOW = instant("2025-03-12T00:00:00Z")
SENTENCE = "No device on beta was heard of since"


class Silent(Fleet):
    """Beside a channel that speaks one of sixty devices that fell silent two days ago."""

    def __init__(self, now=NOW):
        super().__init__(now, channels=("production", "beta"), failing=(), devices=80)

    def phones(self, channel, fails, devices):
        for number in range(devices):
            for hours in range(150, 60 if channel == "beta" else 0, -6):
                yield self.check(channel, number, hours)

    def check(self, channel, number, hours):
        return json.dumps({"app": APP, "channel": channel, "platform": "ios", "device": f"{channel}-{number}",
                           "at": self.at(hours), "stage": "check", "trigger": "bgRefresh", "release": "1.0.0"}) + "\n"

    def speaks_again(self, hours):
        """Everybody, so many hours after the present of the fleet."""
        lines = [self.check(channel, number, -hours) for channel in ("production", "beta") for number in range(80)]
        run("import", "-", "--db", self.database, "--now", words(instant(self.at(-hours))), input="".join(lines))


class FindingTest(ChatTest):
    def silent(self):
        fleet = Silent()
        self.addCleanup(fleet.close)
        return fleet


class Changes(FindingTest):
    def test_one_message_for_each_change_and_never_the_same_twice(self):
        for chat in CHATS:
            with self.subTest(chat):
                fleet, receiver = self.silent(), self.receiver()
                for hours in (0, 0, 0.2):
                    self.send(fleet, chat, receiver, "--only", "finding", now=instant(fleet.at(-hours)))
                self.assertEqual(len(receiver.requests), 1)
                fleet.speaks_again(0.5)
                # It is not told in the hour after, and told once after it.
                self.send(fleet, chat, receiver, "--only", "finding", now=instant(fleet.at(-0.6)))
                self.assertEqual(len(receiver.requests), 1)
                for hours in (1.5, 1.5, 3):
                    self.send(fleet, chat, receiver, "--only", "finding", now=instant(fleet.at(-hours)))
                self.assertEqual(len(receiver.requests), 2)
                for request in receiver.requests:
                    getattr(RULES, chat)(self, request.json)
                first, last = (" ".join(texts(request.json)).replace("\\", "") for request in receiver.requests)
                for part in ("✗ " + SENTENCE, "Perhaps: ", "Check: ", "channelSilent", "beta", APP, f"{PAGES}/index.html"):
                    self.assertIn(part, first)
                self.assertIn("› No longer found: " + SENTENCE, last)
                words_ = [row["word"] for row in fleet.told("word", "kind") if row["kind"] == "finding"]
                self.assertEqual(words_, ["problem channelSilent channel=beta", "gone channelSilent channel=beta"])

    def test_it_comes_back(self):
        fleet, receiver = self.silent(), self.receiver()
        tell = lambda hours: self.send(fleet, "slack", receiver, "--only", "finding", now=instant(fleet.at(-hours)))
        tell(0)
        fleet.speaks_again(1.5)
        tell(2)
        lines = [fleet.check("production", number, -40) for number in range(80)]
        run("import", "-", "--db", fleet.database, "--now", words(instant(fleet.at(-40))), input="".join(lines))
        tell(40)
        # 2.0.0 that none of them tries to get by then is told as well.
        told = [row for row in fleet.told("word", "id") if "channelSilent" in row["word"]]
        self.assertEqual([row["word"].split()[0] for row in told], ["problem", "gone", "problem"])
        self.assertEqual(len({row["id"] for row in told}), 3)

    def test_channels_and_single_releases_narrow_it(self):
        fleet, receiver = self.silent(), self.receiver()
        self.send(fleet, "slack", receiver, "--only", "finding", "--channel", "production")
        self.send(fleet, "slack", receiver, "--only", "finding", "--release", "2.0.0")
        self.assertEqual(receiver.requests, [])
        self.send(fleet, "slack", receiver, "--only", "finding", "--channel", "beta")
        self.assertEqual(len(receiver.requests), 1)

    def test_too_few_devices_end_nothing(self):
        fleet, receiver = self.silent(), self.receiver()
        self.send(fleet, "slack", receiver, "--only", "finding")
        # Ten days later nobody was heard of within a week.
        self.send(fleet, "slack", receiver, "--only", "finding", now=instant(fleet.at(-240)))
        self.assertEqual(len(receiver.requests), 1)


class Understood(FindingTest):
    def sent(self, target, *more, environment):
        fleet, receiver = self.silent(), self.receiver()
        place = [] if target == "sentry" else ["--to", receiver.place]
        secrets = {name: (receiver.dsn() if value is None else value) for name, value in environment.items()}
        fleet.export(target, "--send", *place, *more, "--now", words(NOW), environment=secrets)
        fleet.speaks_again(0.5)
        fleet.export(target, "--send", *place, *more, "--now", fleet.at(-2), environment=secrets)
        return [request for request in receiver.requests if b"inding" in request.body]

    def test_sentrys_normaliser_has_nothing_to_complain_of(self):
        requests = self.sent("sentry", environment={"SENTRY_DSN": None})
        self.assertEqual(len(requests), 2)
        for request, level in zip(requests, ("error", "info")):
            event = sentry_sdk.envelope.Envelope.deserialize(request.body).get_event()
            normal = StoreNormalizer(
                project_id=7, key="0" * 32, protocol_version="7", client="uptake/1", client_ip="127.0.0.1",
                is_renormalize=False, remove_other=True, normalize_user_agent=False, max_secs_in_future=60,
                max_secs_in_past=10**10, enable_trimming=True).normalize_event(dict(event))
            self.assertFalse(normal.get("errors"))
            self.assertEqual(complaints(normal.get("_meta")), [])
            self.assertEqual(event["fingerprint"], ["uptake-finding", APP, "channelSilent channel=beta"])
            self.assertEqual((event["level"], event["environment"], "release" in event), (level, "beta", False))
            self.assertEqual(event["tags"], {"ota.app": APP, "ota.channel": "beta", "ota.finding": "channelSilent"})

    def test_opentelemetry_reads_it(self):
        requests = self.sent("otlp", "--only", "finding", environment={"OTEL_EXPORTER_OTLP_HEADERS": "x-key=1"})
        self.assertEqual(len(requests), 2)
        for request, severity in zip(requests, (17, 9)):
            [resource] = json_format.Parse(request.body, ExportLogsServiceRequest()).resource_logs
            [record] = resource.scope_logs[0].log_records
            self.assertEqual((record.event_name, record.severity_number), ("rollout.finding", severity))
            names = {item.key: item.value.string_value for item in record.attributes}
            self.assertEqual((names["rollout.finding"], names["rollout.channel"]), ("channelSilent", "beta"))
            self.assertNotIn("rollout.release", names)
            self.assertIn(SENTENCE, record.body.string_value)

    def test_others_are_told_in_their_fields(self):
        rows = {"grafana": ([], {"GRAFANA_TOKEN": "t"}), "datadog": ([], {"DD_API_KEY": "t"}),
                "newrelic": (["--account", "1"], {"NEW_RELIC_LICENSE_KEY": "t"}),
                "honeycomb": (["--dataset", "d"], {"HONEYCOMB_API_KEY": "t"})}
        for target, (more, secrets) in rows.items():
            with self.subTest(target):
                requests = self.sent(target, "--only", "finding", *more, environment=secrets)
                self.assertEqual(len(requests), 2)
                for request in requests:
                    text = json.dumps(request.json)
                    self.assertIn(SENTENCE, text)
                    self.assertIn("honeycomb" if target == "honeycomb" else "channelSilent", text + target)
                    for empty in ('"release:"', '"stage:"', 'null', '""'):
                        self.assertNotIn(empty, text)


class Accepted(FindingTest):
    """By Bugsink: an issue of its own, that the end of the finding goes to, too."""

    def test_a_finding_is_one_issue(self):
        bugsink = Bugsink(50)
        self.addCleanup(bugsink.close)
        project, dsn = bugsink.project("findings")
        now = instant()
        fleet = Silent(now)
        self.addCleanup(fleet.close)
        send = lambda: fleet.export("sentry", "--send", "--only", "finding", environment={"SENTRY_DSN": dsn}).stdout
        self.assertTrue((said := send()).startswith("1 sent, 0 refused, 0 waiting"), said)
        self.assertTrue((said := send()).startswith("0 sent"), said)
        [event] = bugsink.events(project)
        self.assertEqual(event["level"], "error")
        self.assertIn(SENTENCE, event["logentry"]["formatted"])
        self.assertEqual({name: event["indexed"].get(name) for name in ("ota.finding", "ota.channel", "environment")},
                         {"ota.finding": "channelSilent", "ota.channel": "beta", "environment": "beta"})


if __name__ == "__main__":
    unittest.main()
