"""OpenTelemetry's own SDK over OTLP/HTTP protobuf with gzip, and its messages as the judge of the answers."""

import gzip
import time
import unittest

from google.protobuf import json_format
from google.rpc.status_pb2 import Status
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource

from service import Service

RESOURCE = {"service.name": "com.example.app", "service.version": "4.2.0", "os.name": "iOS", "os.version": "17.4",
            "app.installation.id": "install-7"}


def send(service, records, compression=Compression.Gzip, headers=None, resource=RESOURCE):
    exporter = OTLPLogExporter(
        endpoint=service.url + "/v1/logs", compression=compression, headers=headers, timeout=60)
    provider = LoggerProvider(resource=Resource.create(resource), shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    logger = provider.get_logger("updates", "0.1")
    now = time.time_ns()
    for place, (name, attributes) in enumerate(records):
        logger.emit(LogRecord(
            timestamp=now + place * 1_000_000_000, severity_number=SeverityNumber.INFO, event_name=name,
            attributes=attributes))
    provider.shutdown()


LIFE = [
    ("app.update.download.started", {"ota.update_id": "h2", "ota.mechanism": "bgRefresh"}),
    ("app.update.ready", {"ota.update_id": "h2", "ota.mechanism": "bgRefresh", "ota.duration_ms": 4000}),
    ("session.start", {"session.id": "s1"}),
    ("app.update.applied", {"ota.update_id": "h2", "ota.mechanism": "foreground", "ota.from_version": "h1"}),
]
STORED = ["downloadStarted h2 bgRefresh", "ready h2 bgRefresh", "applied h2 foreground"]


def request(*devices):
    """A request of our own making, an `applied` for each device; None is a record without one."""
    message = ExportLogsServiceRequest()
    for device in devices:
        logs = message.resource_logs.add()
        pairs = {"service.name": "a"} | ({"app.installation.id": device} if device else {})
        for key, value in pairs.items():
            logs.resource.attributes.add(key=key).value.string_value = value
        record = logs.scope_logs.add().log_records.add(event_name="ota.applied", time_unix_nano=time.time_ns())
        record.attributes.add(key="ota.release").value.string_value = "h2"
    return message


PROTOBUF = {"Content-Type": "application/x-protobuf"}
JSON = {"Content-Type": "application/json"}


class RealClient(unittest.TestCase):
    def test_log_records_become_events(self):
        for compression in Compression:
            with self.subTest(compression=compression), Service() as service:
                send(service, LIFE, compression)
                self.assertEqual(service.stored(), STORED)
                self.assertEqual(
                    set(service.stored("app, platform, osVersion, appVersion")), {"com.example.app ios 17.4 4.2.0"})
                self.assertEqual(service.stored("durationMs, \"from\"")[1:], ["4000 -", "- h1"])
                self.assertEqual(service.dropped("otlp"), {"other_record": 1})

    def test_keys(self):
        with Service() as service:
            key = service.require_key()
            status, headers, body = service.ask("/v1/logs", request("d").SerializeToString(), PROTOBUF)
            self.assertEqual((status, Status.FromString(body).code), (401, 16))
            send(service, LIFE, headers={"Authorization": "Bearer " + key})
            self.assertEqual(set(service.stored("app")), {"com.example.demo"})


class Judged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def test_all_taken_is_an_empty_message(self):
        body = gzip.compress(request("d1").SerializeToString())
        status, headers, answer = self.service.ask("/v1/logs", body, PROTOBUF | {"Content-Encoding": "gzip"})
        self.assertEqual((status, headers["Content-Type"], answer), (200, "application/x-protobuf", b""))

    def test_zstd_is_read(self):
        # One frame of one block that is stored as it is: RFC 8878, 3.1.1.
        body = b"{\"resourceLogs\":[]}"
        frame = b"\x28\xb5\x2f\xfd\x20" + bytes([len(body), len(body) << 3 & 0xFF | 1, len(body) >> 5, 0]) + body
        for sent, expected in [(frame, 200), (frame[:-1], 400), (body, 400)]:
            status, _, answer = self.service.ask(
                "/v1/logs", sent, {"Content-Type": "application/json", "Content-Encoding": "zstd"})
            self.assertEqual(status, expected, answer)

    def test_part_refused_is_a_partial_success(self):
        status, _, answer = self.service.ask("/v1/logs", request("d1", None, None).SerializeToString(), PROTOBUF)
        partial = ExportLogsServiceResponse.FromString(answer).partial_success
        self.assertEqual((status, partial.rejected_log_records), (200, 2))
        self.assertIn("app.installation.id", partial.error_message)

    def test_json_is_the_same(self):
        text = json_format.MessageToJson(request("d1", None))
        status, headers, answer = self.service.ask("/v1/logs", text.encode(), JSON)
        partial = json_format.Parse(answer, ExportLogsServiceResponse()).partial_success
        self.assertEqual((status, headers["Content-Type"]), (200, "application/json"))
        self.assertEqual(partial.rejected_log_records, 1)
        self.assertEqual(self.service.ask("/v1/logs", b"{}", JSON)[::2], (200, b"{}"))

    def test_what_cannot_be_read_is_a_status_that_is_not_sent_again(self):
        status, headers, answer = self.service.ask("/v1/logs", b"\x0a\xff\xff", PROTOBUF)
        self.assertEqual((status, headers["Content-Type"], Status.FromString(answer).code),
                         (400, "application/x-protobuf", 3))
        status, _, answer = self.service.ask("/v1/logs", b"[", JSON)
        self.assertEqual((status, json_format.Parse(answer, Status()).code), (400, 3))
        bomb = gzip.compress(b"\x00" * (80 << 20))
        status, _, answer = self.service.ask("/v1/logs", bomb, PROTOBUF | {"Content-Encoding": "gzip"})
        self.assertEqual((status, Status.FromString(answer).code), (413, 8))
        self.assertEqual(self.service.ask("/v1/logs", b"x", {"Content-Type": "text/csv"})[0], 415)


if __name__ == "__main__":
    unittest.main()
