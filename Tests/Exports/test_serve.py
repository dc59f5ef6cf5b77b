"""`[[export]]` in the settings of a service."""
import pathlib
import re
import subprocess
import tempfile
import time

from fleet import PROGRAM, FleetTest, instant, run
from receiver import Receiver
from service import Service, eventually


class Entries(FleetTest):
    def start(self, fleet, settings, environment=None):
        service = Service(fleet.database, settings, environment)
        self.addCleanup(service.close)
        return service

    def test_a_change_of_the_verdict_is_told_by_itself(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant())
        secret = pathlib.Path(fleet.folder.name) / "dsn"
        secret.write_text(receiver.dsn() + "\n")
        service = self.start(
            fleet, f'[[export]]\ntarget = "sentry"\nevery = "1s"\nsecret-file = "{secret}"\n'
            f'[[export]]\ntarget = "grafana"\nevery = "1s"\nto = "{receiver.place}"\nsecret-env = "OURS"\nonly = "step, verdict"\n',
            {"OURS": "grafana-secret"})
        self.assertTrue(eventually(lambda: f"chmod o= -- {secret}" in service.said()), "everybody may read it")
        def told(path):
            return [request for request in list(receiver.requests) if request.path == path]
        self.assertTrue(eventually(lambda: len(told("/api/7/envelope/")) >= 1 and len(told("/api/annotations")) >= 3))
        self.assertEqual({request.headers["Authorization"] for request in told("/api/annotations")},
                         {"Bearer grafana-secret"})
        self.assertEqual(sorted(request.json["tags"][1] for request in told("/api/annotations")),
                         ["step", "step", "verdict"])
        fleet.publish("3.0.0", "production", hours=0.1)
        self.assertTrue(eventually(lambda: len(told("/api/7/envelope/")) >= 3), service.said())
        # Counted once the answer of the receiver is stored, a moment after the request is there.
        sent = r'(?m)^uptake_export_facts\{target="sentry http://127.0.0.1:\d+ 7",outcome="sent"\} 3$'
        self.assertTrue(eventually(lambda: re.search(sent, service.ask("/metrics")[1])), service.said())
        status, text = service.ask("/metrics")
        self.assertEqual(status, 200)
        self.assertRegex(text, r'(?m)^uptake_export_failing\{target="grafana [^"]*"\} 0$')
        self.assertEqual(service.stop(), 0)
        said = service.said() + text
        self.assertNotIn("grafana-secret", said)
        self.assertNotIn("0123456789abcdef", said)
        self.assertEqual(len(told("/api/7/envelope/")), 3)

    def test_a_channel_that_nothing_was_ever_on_is_told_once(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant(), devices=24)
        service = self.start(
            fleet, f'[[export]]\ntarget = "rollbar"\nevery = "1s"\nto = "{receiver.place}"\nchannel = "beta, prodction"\n',
            {"ROLLBAR_ACCESS_TOKEN": "k"})
        told = lambda: [line for line in service.said().splitlines() if "export_channel_unknown" in line]
        self.assertTrue(eventually(lambda: [line for line in told() if '"channel":"prodction"' in line]), service.said())
        time.sleep(2.5)
        self.assertEqual(len([line for line in told() if '"channel":"prodction"' in line]), 1, "once a day")
        self.assertIn('"production"', told()[0], "those that there are")
        self.assertEqual(service.stop(), 0)

    def test_trouble_is_seen_and_mends_itself(self):
        state = {"status": 500}
        receiver = Receiver(lambda request: (state["status"], {}, "out of order"))
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant(), devices=24)
        service = self.start(
            fleet, f'[[export]]\ntarget = "rollbar"\nevery = "1s"\nto = "{receiver.place}"\n',
            {"ROLLBAR_ACCESS_TOKEN": "k"})
        failing = lambda: re.search(r'(?m)^uptake_export_failing\{[^}]*\} (\d)$', service.ask("/metrics")[1])
        self.assertTrue(eventually(lambda: failing() and failing()[1] == "1"), service.said())
        self.assertTrue(eventually(lambda: "500 out of order" in service.said()), service.said())
        self.assertEqual(service.ask("/healthz")[0], 200)
        state["status"] = 200
        self.assertTrue(eventually(lambda: failing()[1] == "0" and not fleet_waits(fleet)), service.said())
        self.assertEqual(service.stop(), 0)

    def test_kinds_that_a_receiver_is_never_told_of_are_named(self):
        fleet, hook = self.fleet(instant(), devices=24), {"SLACK_WEBHOOK_URL": "http://127.0.0.1:1/services/T/B/x"}
        says = "Slack is never told of step, milestone; it is told of halted, verdict, finding"
        service = self.start(fleet, '[[export]]\ntarget = "slack"\nonly = "milestone, step"\n', hook)
        self.assertTrue(eventually(lambda: "[[export]] 1: only: " + says in service.said()), service.said())
        self.assertEqual(service.stop(), 0)
        refused = fleet.export("slack", "--only", "step,milestone", environment=hook, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn(says, refused.stderr)
        narrowed = fleet.export("slack", "--only", "step,milestone,verdict", environment=hook)
        self.assertIn("warning: --only: " + says, narrowed.stderr)
        self.assertIn("2.0.0 on production", narrowed.stdout)

    def test_a_wrong_entry_is_told_at_the_start(self):
        fleet = self.fleet(instant(), devices=24)
        for entry, words in [('target = "sentri"', "did you mean sentry?"), ('every = "1s"', "an export needs a target"),
                             ('target = "sentry"', "SENTRY_DSN is not set"), ('target = "grafana"\nonly = "steps"', ""),
                             ('target = "raygun"\nsecret-env = "X"', "project"), ('target = "otlp"\ntoo = 1', "did you mean")]:
            with self.subTest(entry=entry), tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write(f"[[export]]\n{entry}\n")
                file.flush()
                result = run("serve", "--db", fleet.database, "--listen", "127.0.0.1:0", "--config", file.name, check=False,
                             environment={"X": "y", "GRAFANA_TOKEN": "k", "GRAFANA_URL": "http://127.0.0.1:1"})
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(words, result.stderr)


def fleet_waits(fleet):
    return [row for row in fleet.told("outcome") if row["outcome"] != "sent"]
