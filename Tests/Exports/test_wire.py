"""What the other receivers get: as recorded, as printed beforehand, and as the vendors' documentation has it.

RECORD=1 writes the recordings anew and fails.
"""
import os
import pathlib
import re

from fleet import FleetTest, instant
from receiver import Receiver

NOW = instant("2025-03-12T00:00:00Z")
RECORDED = pathlib.Path(__file__).parent / "recorded"

TARGETS = {
    "sentry": [], "sentry-logs": [], "otlp": [], "grafana": [], "datadog": [], "bugsnag": [], "rollbar": [],
    "honeycomb": ["--dataset", "shop"], "newrelic": ["--account", "123"], "raygun": ["--project", "shop"],
    "sentry-releases": ["--organization", "acme", "--project", "shop"],
}
SECRETS = ["SENTRY_AUTH_TOKEN", "OTEL_EXPORTER_OTLP_HEADERS", "GRAFANA_TOKEN", "DD_API_KEY", "NEW_RELIC_LICENSE_KEY",
           "BUGSNAG_API_KEY", "ROLLBAR_ACCESS_TOKEN", "HONEYCOMB_API_KEY", "RAYGUN_TOKEN"]
SECRET = "t0p-secret/+value"


class Wire(FleetTest):
    @classmethod
    def setUpClass(cls):
        from fleet import Fleet
        cls.shared = Fleet(NOW)
        cls.addClassCleanup(cls.shared.close)

    def call(self, target, receiver, *more, **keywords):
        environment = {name: SECRET for name in SECRETS} | {
            "SENTRY_DSN": receiver.dsn(), "OTEL_EXPORTER_OTLP_HEADERS": f"x-key={SECRET}"}
        place = [] if target in ("sentry", "sentry-logs") else ["--to", receiver.place]
        return self.shared.export(target, *place, *TARGETS[target], "--now", "2025-03-12T00:00:00Z", *more,
                                  environment=environment, **keywords)

    def test_what_is_printed_is_what_is_sent_and_as_recorded(self):
        for target in TARGETS:
            with self.subTest(target=target):
                receiver = Receiver(lambda request: (201, {}, SECRET))
                self.addCleanup(receiver.close)
                printed = self.call(target, receiver)
                sent = self.call(target, receiver, "--send")
                again = self.call(target, receiver)
                said = printed.stdout + printed.stderr + sent.stdout + sent.stderr
                self.assertNotIn(SECRET, said)
                self.assertNotIn("0123456789abcdef0123", said)
                self.assertEqual((len(receiver.requests), again.stdout), (printed.stdout.count("\n# ") + 1, ""))
                self.assertEqual(self.steady(self.received(receiver)), self.steady(self.without_titles(printed.stdout)))
                self.compare(target, self.steady(printed.stdout.replace(receiver.place, "https://receiver")
                                                 .replace(receiver.place.split("//")[1], "receiver")))

    def without_titles(self, text):
        return re.sub("(?m)^# .*\n", "", text).rstrip("\n")

    def received(self, receiver):
        """The requests as they came in, in the form in which they are printed."""
        texts = []
        for request in receiver.requests:
            names = [name for name in request.headers if name not in ("Host", "User-Agent", "Content-Length", "Connection")]
            head = [f"{request.method} {receiver.place}{request.path}"] + [f"{name}: {request.headers[name]}" for name in names]
            texts.append("\n".join(head) + "\n\n" + request.body.decode().rstrip("\n"))
        text = "\n\n".join(texts).replace(SECRET, "(withheld)")
        return text.replace("0123456789abcdef0123456789abcdef", "(withheld)")

    def steady(self, text):
        """Without what depends on when it is sent."""
        text = re.sub(r'"sent_at":"[^"]*"', '"sent_at":"…"', text)
        return re.sub(r'"observedTimeUnixNano":"\d+"', '"observedTimeUnixNano":"…"', text)

    def compare(self, target, text):
        file = RECORDED / f"{target}.txt"
        if os.environ.get("RECORD") == "1":
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            self.fail(f"recorded {file.name}; look at it, then run again without RECORD")
        self.assertEqual(file.read_text(), text)

    def test_each_receivers_rules(self):
        """Of those without a client that can be run: path, header of the key, fields that are needed, and all that are known.

        From each vendor's documentation and the source of its tool: bugsnag-cli, rollbar-gem, honeymarker, raygun-cli.
        """
        receivers = {}
        for target in ("bugsnag", "rollbar", "honeycomb", "raygun"):
            receivers[target] = Receiver(lambda request: (202, {}, "{}"))
            self.addCleanup(receivers[target].close)
            self.call(target, receivers[target], "--send")
        rules = {
            "bugsnag": ("/", {"apiKey": str, "appVersion": str, "releaseStage": str, "builderName": str, "metadata": dict},
                        ["appVersionCode", "appBundleVersion", "sourceControl", "autoAssignRelease"]),
            "rollbar": ("/api/1/deploy", {"environment": str, "revision": str, "status": str, "comment": str},
                        ["rollbar_username", "local_username"]),
            "honeycomb": ("/1/markers/shop", {"start_time": int, "message": str, "type": str}, ["end_time", "url"]),
            "raygun": ("/v3/applications/shop/deployments", {"version": str, "comment": str, "deployedAt": str},
                       ["ownerName", "emailAddress", "scmIdentifier", "scmType"]),
        }
        for target, (path, fields, others) in rules.items():
            for request in receivers[target].requests:
                with self.subTest(target=target):
                    self.assertEqual((request.method, request.path), ("POST", path))
                    self.assertEqual(request.headers["Content-Type"], "application/json")
                    for name, kind in fields.items():
                        self.assertIsInstance(request.json[name], kind, name)
                    self.assertEqual(set(request.json) - set(fields) - set(others), set())
        self.assertTrue(all(type(text) is str for request in receivers["bugsnag"].requests
                            for text in request.json["metadata"].values()))
        self.assertLessEqual({request.json["status"] for request in receivers["rollbar"].requests},
                             {"started", "succeeded", "failed", "timed_out"})
        headers = {"rollbar": ("X-Rollbar-Access-Token", SECRET), "honeycomb": ("X-Honeycomb-Team", SECRET),
                   "raygun": ("Authorization", f"Bearer {SECRET}")}
        for target, (name, value) in headers.items():
            self.assertEqual({request.headers[name] for request in receivers[target].requests}, {value}, target)
