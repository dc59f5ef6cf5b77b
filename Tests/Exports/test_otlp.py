"""OTLP, judged by the protocol's own definitions."""
import base64
import copy
import json

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from fleet import APP, FleetTest, instant, run, words
from receiver import Receiver
from service import Service


class Facts(FleetTest):
    def test_each_fact_is_a_log_record(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant())
        fleet.export("otlp", "--send", "--to", receiver.place,
                     environment={"OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20b, x-other = c"})
        names = []
        for request in receiver.requests:
            self.assertEqual((request.path, request.headers["Content-Type"]), ("/v1/logs", "application/json"))
            self.assertEqual((request.headers["x-key"], request.headers["x-other"]), ("a b", "c"))
            # Unknown fields, wrong types and enumerations by name are refused here.
            message = ParseDict(copy.deepcopy(request.json), ExportLogsServiceRequest())
            resource, = message.resource_logs
            attributes = {entry.key: entry.value for entry in resource.resource.attributes}
            self.assertEqual(attributes["service.name"].string_value, APP)
            record, = resource.scope_logs[0].log_records
            self.assertTrue(record.time_unix_nano <= record.observed_time_unix_nano)
            self.assertIn(record.severity_number, (9, 13, 17))
            values = {entry.key: entry.value for entry in record.attributes}
            self.assertRegex(values["rollout.fact"].string_value, "^[0-9a-f]{32}$")
            names.append(record.event_name.removeprefix("rollout."))
        self.assertEqual(set(names), {
            "published", "step", "milestone", "failuresRising", "verdict", "superseded", "figures"})

    def test_a_fact_says_the_same_in_both_encodings(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant(), devices=240)
        for encoding in ("http/json", "http/protobuf"):
            fleet.export("otlp", "--send", "--to", receiver.place, "--protocol", encoding)
            fleet.change("UPDATE export_fact SET outcome = 'waiting'")
        half = len(receiver.requests) // 2
        self.assertGreater(half, 5)
        for text, binary in zip(receiver.requests[:half], receiver.requests[half:], strict=True):
            read = [ParseDict(text.json, ExportLogsServiceRequest()), ExportLogsServiceRequest.FromString(binary.body)]
            for message in read:
                message.resource_logs[0].scope_logs[0].log_records[0].observed_time_unix_nano = 0
            self.assertEqual(*read)

    def test_what_is_not_spoken_is_said(self):
        fleet = self.fleet(instant(), channels=())
        for words, variable in [(["--protocol", "grpc"], ""), ([], "grpc")]:
            result = fleet.export("otlp", "--to", "http://127.0.0.1:1", *words, check=False,
                                  environment={"OTEL_EXPORTER_OTLP_PROTOCOL": variable})
            self.assertEqual(result.returncode, 2)
            self.assertIn("there are http/json and http/protobuf", result.stderr)

    def test_headers_are_withheld_as_they_are_sent(self):
        fleet = self.fleet(instant(), devices=24)
        receiver = Receiver(lambda request: (400, {}, request.headers["Authorization"]))
        self.addCleanup(receiver.close)
        for more in ([], ["--send"]):
            result = fleet.export("otlp", "--to", receiver.place, *more, check=False,
                                  environment={"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Basic%20dXNlcjpwYXNz=="})
            self.assertNotIn("dXNlcjpwYXNz", result.stdout + result.stderr + json.dumps(fleet.told("reason")))
        self.assertEqual(receiver.requests[0].headers["Authorization"], "Basic dXNlcjpwYXNz==")

    def test_only_what_is_about_the_fact_is_refused(self):
        """More waits than the protocol asks for: it would have 500 and 408 given up, and facts lost."""
        fleet = self.fleet(instant(), devices=24)
        for status, outcome in [(503, "waiting"), (429, "waiting"), (500, "waiting"), (501, "waiting"), (505, "waiting"),
                                (408, "waiting"), (400, "refused"), (413, "refused")]:
            with self.subTest(status=status):
                receiver = Receiver(lambda request: (status, {"Retry-After": "90"}, "{}"))
                self.addCleanup(receiver.close)
                fleet.export("otlp", "--send", "--to", receiver.place, "--only", "verdict", "--patience", "0s", check=False)
                self.assertEqual({row["outcome"] for row in fleet.told("target", "outcome")
                                  if row["target"] == f"otlp {receiver.place}"}, {outcome})


class Events(FleetTest):
    QUESTIONS = [("adoption", "2.0.0"), ("time-to-update", "2.0.0"), ("mechanisms", "2.0.0"), ("failures", "2.0.0"),
                 ("funnel", "2.0.0"), ("reach", "2.0.0"), ("releases",), ("push",), ("wakeups",)]

    def test_a_round_trip_through_our_own_logs_gives_the_same_answers(self):
        """Every event as a log record into another service: asked the same, it answers the same."""
        now = instant()
        fleet, empty = self.fleet(now, channels=("production", "beta"), devices=120, pushes=True), self.fleet(now, channels=())
        service = Service(empty.database)
        self.addCleanup(service.close)
        count = lambda one: one.count("event")
        said = fleet.export("events", "--send", "--to", service.place).stdout
        self.assertTrue(said.startswith(f"{count(fleet)} events sent, 0 left"), said)
        self.assertEqual(count(empty), count(fleet))
        self.assertTrue(fleet.export("events", "--send", "--to", service.place).stdout.startswith("0 events sent"))
        # The place is lost: everything goes again, and is known there.
        fleet.change("UPDATE export_target SET position = 0")
        self.assertTrue(fleet.export("events", "--send", "--to", service.place).stdout.startswith(f"{count(fleet)} events"))
        service.stop()
        self.assertEqual(count(empty), count(fleet))
        for channel in ("production", "beta"):
            empty.publish("1.0.0", channel, hours=90)
            empty.publish("2.0.0", channel, hours=30, rollout="10%@0h,50%@12h,100%@24h")
        for question in self.QUESTIONS:
            with self.subTest(question=question):
                one, other = (json.loads(run(*question, "--db", one.database, "--format", "json", "--now", words(now), check=False).stdout)
                              for one in (fleet, empty))
                self.assertEqual(one["data"], other["data"])
                self.assertTrue(one["data"])
                self.assertEqual(one["query"], other["query"])

    def test_each_event_is_a_record_that_the_protocol_knows(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        fleet = self.fleet(instant(), devices=24)
        printed = fleet.export("events", "--to", receiver.place)
        self.assertIn("nothing was sent", printed.stderr)
        fleet.export("events", "--send", "--to", receiver.place)
        self.assertEqual(json.loads(printed.stdout.split("\n\n")[1]), receiver.requests[0].json)
        records = [record for request in receiver.requests
                   for resource in ParseDict(request.json, ExportLogsServiceRequest()).resource_logs
                   for scope in resource.scope_logs for record in scope.log_records]
        uids = [value.value.string_value for record in records for value in record.attributes if value.key == "log.record.uid"]
        self.assertEqual(len(set(uids)), fleet.count("event"))

    def test_both_encodings_say_the_same_and_come_through(self):
        now = instant()
        fleet, empty = self.fleet(now, devices=24), self.fleet(now, channels=())
        receiver = Receiver()
        self.addCleanup(receiver.close)
        fleet.export("events", "--send", "--to", receiver.place)
        text, = receiver.requests
        wanted = {"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}
        self.forget(fleet)
        fleet.export("events", "--send", "--to", receiver.place, environment=wanted)
        binary = receiver.requests[-1]
        self.assertEqual(binary.headers["Content-Type"], "application/x-protobuf")
        self.assertEqual(ExportLogsServiceRequest.FromString(binary.body), ParseDict(text.json, ExportLogsServiceRequest()))
        self.forget(fleet)
        printed = fleet.export("events", "--to", receiver.place, "--protocol", "http/protobuf").stdout
        self.assertEqual(base64.b64decode(printed.split("\n\n")[1]), binary.body)
        service = Service(empty.database)
        self.addCleanup(service.close)
        fleet.export("events", "--send", "--to", service.place, environment=wanted)
        service.stop()
        self.assertEqual(empty.count("event"), fleet.count("event"))

    def forget(self, fleet):
        fleet.change("UPDATE export_target SET position = 0")
