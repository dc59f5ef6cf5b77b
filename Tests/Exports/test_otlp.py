"""OTLP, judged by the protocol's own definitions."""
import copy

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from fleet import APP, FleetTest, instant
from receiver import Receiver


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
            self.assertRegex(values["uptake.fact"].string_value, "^[0-9a-f]{32}$")
            names.append(record.event_name.removeprefix("uptake.rollout."))
        self.assertEqual(set(names), {
            "published", "step", "milestone", "failuresRising", "verdict", "superseded", "figures"})

    def test_only_what_the_protocol_says_is_sent_again(self):
        fleet = self.fleet(instant(), devices=24)
        for status, outcome in [(503, "waiting"), (429, "waiting"), (500, "refused"), (400, "refused")]:
            with self.subTest(status=status):
                receiver = Receiver(lambda request: (status, {"Retry-After": "90"}, "{}"))
                self.addCleanup(receiver.close)
                fleet.export("otlp", "--send", "--to", receiver.place, "--only", "verdict", "--patience", "0s", check=False)
                self.assertEqual({row["outcome"] for row in fleet.told("target", "outcome")
                                  if row["target"] == f"otlp {receiver.place}"}, {outcome})
