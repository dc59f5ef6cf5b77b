"""The day in the dialects of telemetry, which say everything that a native event says."""

import json

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from day import APP, Dialect, kept


class Sentry(Dialect):
    name = "sentry"
    stages = ("check", "available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied", "confirmed",
              "failed", "rolledBack", "crashed", "wakeStarted")

    def native(self, event):
        return [kept(event, "from", "reason", "osVersion")]

    def requests(self, events):
        devices = {}
        for event in events:
            devices.setdefault(event["device"], []).append(event)
        for device, own in devices.items():
            for begin in range(0, len(own), 100):
                payload = json.dumps({
                    "user": {"id": device}, "contexts": {
                        "app": {"app_identifier": APP},
                        "os": {"name": own[0]["platform"], "version": own[0]["osVersion"]}},
                    "breadcrumbs": {"values": [self.crumb(event) for event in own[begin:begin + 100]]}})
                yield "/api/1/envelope/", {}, "{}\n" + json.dumps({"type": "event"}) + "\n" + payload

    def crumb(self, event):
        names = ("stage", "release", "from", "reason", "trigger", "channel")
        data = {name: event[name] for name in names if name in event}
        return {"category": "ota", "timestamp": event["at"] / 1000, "data": data}


class OpenTelemetry(Sentry):
    name = "otlp"

    def requests(self, events):
        for begin in range(0, len(events), 200):
            message = ExportLogsServiceRequest()
            for event in events[begin:begin + 200]:
                logs = message.resource_logs.add()
                self.put(logs.resource.attributes, {
                    "service.name": APP, "app.installation.id": event["device"], "os.name": event["platform"],
                    "os.version": event["osVersion"]})
                record = logs.scope_logs.add().log_records.add(time_unix_nano=event["at"] * 1_000_000)
                self.put(record.attributes, {
                    "ota." + ours: event[field] for field, ours in [
                        ("stage", "stage"), ("release", "release"), ("trigger", "mechanism"), ("from", "from_version"),
                        ("reason", "reason"), ("channel", "channel")] if field in event})
            yield "/v1/logs", {"Content-Type": "application/x-protobuf"}, message.SerializeToString()

    def put(self, attributes, pairs):
        for key, value in pairs.items():
            attributes.add(key=key).value.string_value = value
