"""Receivers that take a part, or nothing: what is done about it, and what is said."""
import json
import shlex
import subprocess
import threading
import time

from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse

from fleet import PROGRAM, FleetTest, instant, run
from receiver import Receiver
from service import Service, eventually


def uids(request):
    """The events in a request, by the id that tells them apart."""
    return [value["value"]["stringValue"] for resource in request.json["resourceLogs"] for scope in resource["scopeLogs"]
            for record in scope["logRecords"] for value in record["attributes"] if value["key"] == "log.record.uid"]


class Refusals(FleetTest):
    """Of single events, many in a request: a part that is not taken must not stop the rest."""

    def setUp(self):
        self.one = self.fleet(instant(), devices=24)
        self.answer = lambda uids: 200
        self.taken = []
        self.receiver = Receiver(self.receive)
        self.addCleanup(self.receiver.close)

    def receive(self, request):
        status = self.answer(uids(request))
        if status == 200:
            self.taken += uids(request)
        return status, {}, "" if status == 200 else "no such thing"

    def send(self):
        return self.one.export("events", "--send", "--to", self.receiver.place, check=False)

    def every(self):
        return self.one.count("event")

    def test_what_is_too_large_goes_in_smaller_parts(self):
        self.answer = lambda uids: 413 if len(uids) > 90 else 200
        result = self.send()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.startswith(f"{self.every()} events sent, 0 left:"), result.stdout)
        self.assertEqual((len(self.taken), len(set(self.taken))), (self.every(), self.every()))

    def test_an_event_that_is_never_taken_is_found_and_passed_over(self):
        order = self.every_uid()
        bad = {order[0], order[57], order[58], order[-1]}
        self.answer = lambda uids: 400 if bad & set(uids) else 200
        result = self.send()
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.startswith(f"{self.every() - 4} events sent, 0 left, 4 refused:"), result.stdout)
        self.assertIn("400 no such thing", result.stderr)
        self.assertEqual(sorted(self.taken), sorted(set(order) - bad))
        again = self.send()
        self.assertTrue(again.returncode == 0 and again.stdout.startswith("0 events sent, 0 left:"), again.stdout)

    def every_uid(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        self.one.export("events", "--send", "--to", receiver.place)
        return [uid for request in receiver.requests for uid in uids(request)]

    def test_a_receiver_that_takes_nothing_gets_everything_later(self):
        self.answer = lambda uids: 400
        result = self.send()
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.startswith(f"0 events sent, {self.every()} left:"), result.stdout)
        self.assertIn("it refuses one event after another", result.stderr)
        self.assertLess(len(self.receiver.requests), 50)
        self.answer = lambda uids: 200
        self.assertEqual(self.send().returncode, 0)
        self.assertEqual((len(self.taken), len(set(self.taken))), (self.every(), self.every()))

    def test_a_receiver_in_trouble_gets_everything_later(self):
        """Whatever is wrong there says nothing of the events: none is passed over."""
        for status in 500, 501, 505, 408, 415:
            self.answer = lambda uids: status
            result = self.one.export("events", "--send", "--to", self.receiver.place, "--patience", "0s", check=False)
            self.assertEqual(result.returncode, 1)
            self.assertTrue(result.stdout.startswith(f"0 events sent, {self.every()} left:"), result.stdout)
            time.sleep(2.1)
        self.assertEqual(len(self.receiver.requests), 5)
        self.answer = lambda uids: 200 if len(self.receiver.requests) > 6 else 500
        self.assertEqual(self.send().returncode, 0)
        self.assertEqual((len(self.taken), len(set(self.taken))), (self.every(), self.every()))

    def test_what_is_dropped_of_an_accepted_request_is_told(self):
        partial = ExportLogsServiceResponse(partial_success={"rejected_log_records": 3, "error_message": "too old"})
        for encoding, kind, body in [
                ("http/json", "application/json", MessageToJson(partial)),
                ("http/protobuf", "application/x-protobuf", partial.SerializeToString().decode("latin1"))]:
            receiver = Receiver(lambda request: (200, {"Content-Type": kind}, body))
            self.addCleanup(receiver.close)
            result = self.one.export("events", "--send", "--to", receiver.place, "--protocol", encoding, check=False)
            self.assertEqual(result.returncode, 1)
            self.assertTrue(result.stdout.startswith(f"{self.every() - 3} events sent, 0 left, 3 refused:"), result.stdout)
            self.assertIn("too old", result.stderr)
            self.one.export("otlp", "--send", "--only", "verdict", "--to", receiver.place, "--protocol", encoding, check=False)
            said, = [row for row in self.one.told("target", "outcome", "reason") if row["target"] == f"otlp {receiver.place}"]
            self.assertEqual(said["outcome"], "refused")
            self.assertIn("too old", said["reason"])

    def test_quiet_holds_for_the_next_run_too(self):
        quiet = Receiver(lambda request: (429, {"Retry-After": "600"}, "{}"))
        self.addCleanup(quiet.close)
        for _ in range(2):
            result = self.one.export("events", "--send", "--to", quiet.place, "--patience", "0s", check=False)
            self.assertEqual((result.returncode, len(quiet.requests)), (1, 1), result.stderr)
        self.assertIn("quiet until", result.stderr)


class TwoSenders(FleetTest):
    """Runs at the same time tell each fact, and each event, once."""

    def begin(self, fleet, *words):
        return subprocess.Popen(
            [PROGRAM, "export", *words, "--db", fleet.database, "--send"], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={"PATH": "/usr/bin:/bin", "GRAFANA_TOKEN": "t0p-secret"})

    def slow(self, request):
        time.sleep(0.3)
        return 200, {}, "{}"

    def held(self):
        """A receiver that answers nobody until its gate is opened."""
        gate = threading.Event()
        self.addCleanup(gate.set)

        def answer(request):
            gate.wait(60)
            return 200, {}, "{}"

        receiver = Receiver(answer)
        self.addCleanup(receiver.close)
        return receiver, gate

    def test_each_fact_is_told_once(self):
        fleet, receiver = self.fleet(instant(), devices=24), Receiver(self.slow)
        self.addCleanup(receiver.close)
        for words in ["grafana"], ["events"]:
            before = len(receiver.requests)
            runs = [self.begin(fleet, *words, "--to", receiver.place) for _ in range(3)]
            said = [run.communicate(timeout=120) for run in runs]
            self.assertEqual([run.returncode for run in runs], [0, 0, 0], said)
            bodies = [request.body for request in receiver.requests[before:]]
            self.assertGreater(len(bodies), 0)
            self.assertEqual(len(bodies), len(set(bodies)), words)

    def test_who_does_not_wait_is_told_who_sends(self):
        fleet, (receiver, gate) = self.fleet(instant(), devices=24), self.held()
        first = self.begin(fleet, "grafana", "--to", receiver.place)
        self.assertTrue(eventually(lambda: receiver.requests))
        second = self.begin(fleet, "grafana", "--to", receiver.place, "--patience", "0s")
        _, errors = second.communicate(timeout=120)
        gate.set()
        self.assertEqual(second.returncode, 1, errors)
        self.assertIn(f"process {first.pid} is sending to grafana {receiver.place}", errors)
        _, errors = first.communicate(timeout=120)
        self.assertEqual(first.returncode, 0, errors)

    def test_another_place_is_no_concern(self):
        fleet, (one, gate), other = self.fleet(instant(), devices=24), self.held(), Receiver()
        self.addCleanup(other.close)
        first = self.begin(fleet, "grafana", "--to", one.place)
        self.assertTrue(eventually(lambda: one.requests))
        second = self.begin(fleet, "grafana", "--to", other.place, "--patience", "0s")
        self.assertEqual((second.communicate(timeout=120)[1], second.returncode), ("", 0))
        gate.set()
        first.communicate(timeout=120)

    def test_a_service_waits_for_a_command(self):
        fleet, receiver = self.fleet(instant(), devices=24), Receiver(self.slow)
        self.addCleanup(receiver.close)
        service = Service(
            fleet.database, f'[[export]]\ntarget = "grafana"\nevery = "1s"\nto = "{receiver.place}"\n'
            'only = "step, verdict, published"\n', {"GRAFANA_TOKEN": "k"})
        self.addCleanup(service.close)
        first = self.begin(fleet, "grafana", "--to", receiver.place, "--only", "step,verdict,published")
        self.assertEqual((first.communicate(timeout=120)[1], first.returncode), ("", 0))
        time.sleep(2)
        bodies = [request.body for request in receiver.requests]
        self.assertEqual(len(bodies), len(set(bodies)), service.said())
        self.assertNotIn("export_failed", service.said())


class Hints(FleetTest):
    def test_they_say_what_becomes_of_what_was_not_sent(self):
        fleet, state = self.fleet(instant(), devices=24), {"status": 401}
        receiver = Receiver(lambda request: (state["status"], {"Location": "http://127.0.0.1:9/"}, "no"))
        self.addCleanup(receiver.close)
        mended, waits = "must be mended first", "nothing of it is lost"
        for status, says, never in [
                (401, (mended, waits), "refused"), (404, (mended, waits), "refused"), (302, (mended, waits), "refused"),
                (503, (waits,), "mended"), (413, ("refused for good",), "lost")]:
            state["status"] = status
            for words in ["grafana"], *([["events"]] if status < 405 else []):
                result = fleet.export(*words, "--send", "--to", receiver.place, "--patience", "0s", check=False,
                                      environment={"GRAFANA_TOKEN": "t0p-secret"})
                self.assertEqual(result.returncode, 1)
                for said in says if words == ["grafana"] else (mended, "goes on where"):
                    self.assertIn(said, result.stderr, (status, words))
                self.assertNotIn(never, result.stderr, (status, words))


class Pages(FleetTest):
    """A login or a proxy answers 200, too, and has taken nothing."""

    def test_a_web_page_is_no_receiver(self):
        fleet, state = self.fleet(instant(), devices=24), {"body": "<!DOCTYPE html><title>Sign in</title>"}
        receiver = Receiver(lambda request: (200, {"Content-Type": "text/html"}, state["body"]))
        self.addCleanup(receiver.close)
        send = lambda *words: fleet.export(*words, "--send", "--to", receiver.place, "--patience", "0s", check=False,
                                           environment={"GRAFANA_TOKEN": "t0p-secret"})
        for words, name in [["grafana"], "Grafana"], [["events"], "OpenTelemetry"]:
            result = send(*words)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stdout, r"^0 (events sent, \d+ left|sent, 0 refused, \d+ waiting)")
            self.assertIn(f"200 with a web page, which is no answer of {name}", result.stderr)
            self.assertIn("the key or the address must be mended first", result.stderr)
        state["body"] = "ok"
        for words in ["grafana"], ["events"]:
            self.assertEqual((send(*words).returncode, send(*words).returncode), (0, 0), words)


class Doctor(FleetTest):
    def check(self, fleet):
        rows = json.loads(run("doctor", "--db", fleet.database, "--format", "json", check=False).stdout)["data"]
        row, = [row for row in rows if row["check"] == "exports"]
        return row

    def test_it_says_who_takes_nothing_since_when_and_what_to_do(self):
        fleet, state = self.fleet(instant(), devices=24), {"status": 200}
        receiver = Receiver(lambda request: (state["status"], {}, "wrong key"))
        self.addCleanup(receiver.close)
        send = lambda: fleet.export("grafana", "--send", "--to", receiver.place, "--patience", "0s", check=False,
                                    environment={"GRAFANA_TOKEN": "t0p-secret"})
        self.assertEqual(self.check(fleet), {"check": "exports", "verdict": "ok", "fix": None,
                                             "found": "nothing was told to other programs"})
        send()
        self.assertEqual(self.check(fleet)["verdict"], "ok")
        fleet.publish("3.0.0", "production", hours=0.2)
        state["status"] = 401
        send()
        row = self.check(fleet)
        self.assertEqual(row["verdict"], "warn")
        self.assertRegex(row["found"], rf"^grafana {receiver.place} took nothing since \d{{4}}-.*Z, \d+ waiting, "
                                       r"the oldest since .*; the last answer, at .*Z: 401 wrong key$")
        self.assertEqual(row["fix"], "mend its key or its address, then: uptake export grafana "
                                     f"--to {receiver.place} --send --db {fleet.database}")
        self.assertNotIn("t0p-secret", json.dumps(row))
        state["status"] = 200
        send()
        self.assertEqual(self.check(fleet)["verdict"], "ok")

    def test_the_command_that_it_names_sends_what_waits(self):
        for words, more in [(["otlp"], []), (["events"], []), (["honeycomb"], ["--dataset", "two words"])]:
            fleet, state = self.fleet(instant(), devices=24), {"status": 404}
            receiver = Receiver(lambda request: (state["status"], {}, "{}"))
            self.addCleanup(receiver.close)
            keys = {"HONEYCOMB_API_KEY": "k"}
            fleet.export(*words, "--send", "--to", receiver.place, *more, "--patience", "0s", check=False, environment=keys)
            command = shlex.split(self.check(fleet)["fix"].split("then: ")[1])
            state["status"] = 200
            before = len(receiver.requests)
            result = run(*command[1:], environment=keys)
            self.assertIn(f"{receiver.place}", result.stdout)
            self.assertGreater(len(receiver.requests), before, words)
            self.assertEqual(self.check(fleet)["verdict"], "ok", words)
