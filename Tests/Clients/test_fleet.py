"""One day of one fleet, told in every dialect that can carry it: the answers are those of native events.

A dialect cannot say everything. For each, the day is first reduced to what it can say; the reduced day goes to one service
as native events and to another in the dialect, and both must answer alike.
"""

import http.client
import json
import os
import tempfile
import unittest
from datetime import datetime, timezone

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from service import Service, answer, run

JSON = {"Content-Type": "application/json"}
APP = "com.example.shop"
HOUR = 3_600_000
#: Where a client reports two stages at once.
PAIRS = {"ready": ["downloadCompleted", "ready"], "applied": ["applied", "confirmed"]}


def fleet():
    """The day after the bad release came, and the publications."""
    with tempfile.TemporaryDirectory() as directory:
        events, publications = directory + "/events.ndjson", directory + "/publications.json"
        run("simulate", "--scenario", "bad-release", "--devices", "90", "--out", events, "--publications", publications,
            "--quiet")
        with open(events) as lines:
            day = [json.loads(line) for line in lines]
        with open(publications) as file:
            published = json.load(file)
    for event in day:
        event["at"] = milliseconds(event["at"])
        event.setdefault("channel", "production")
    first = min(event["at"] for event in day if event["stage"] == "available" and event["release"] == "2.1.0"
                and event["channel"] == "production")
    day = [event for event in day if first - 2 * HOUR <= event["at"] < first + 22 * HOUR]
    day.sort(key=lambda event: event["at"])
    return day, published, first + 22 * HOUR


def milliseconds(at):
    if isinstance(at, int):
        return at
    return round(datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() * 1000)


def kept(event, *fields, **changes):
    """The event with only these fields, and whatever says what and when."""
    fields = ("device", "app", "stage", "release", "at", "trigger", "platform", "channel") + fields
    return {name: event[name] for name in fields if name in event} | changes


def beside(event):
    """What a client cannot say in its protocol."""
    return {"X-Uptake-Trigger": event.get("trigger", "unknown"), "X-Uptake-App": APP,
            "X-Uptake-Channel": event["channel"]}


class Dialect:
    """What it can say of an event, as native events and as requests; and whether its clients have clocks."""

    name = ""
    stages = ()
    has_clock = True
    #: Under which name the fleet's channels go, where the protocol has its own.
    rename = {}

    def native(self, event):
        return [kept(event)]

    def requests(self, events):
        """(path, headers, body) for each."""
        raise NotImplementedError


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


class Capgo(Dialect):
    name = "capgo"
    actions = {"check": "ping", "available": "get", "downloadStarted": "download_0",
               "downloadCompleted": "download_complete", "ready": "set_next", "applied": "set",
               "confirmed": "app_launch_ready", "rolledBack": "update_fail", "failed": "checksum_fail"}
    stages = tuple(actions)

    def native(self, event):
        reasons = {"failed": "checksum_fail", "rolledBack": "update_fail"}
        more = {"reason": reasons[event["stage"]]} if event["stage"] in reasons else {}
        fields = ["osVersion"] + (["from"] if event["stage"] == "applied" else [])
        return [kept(event, *fields, device=event["device"].lower(), emulator=False, **more)]

    def requests(self, events):
        for begin in range(0, len(events), 200):
            yield "/stats", JSON, json.dumps([self.report(event) for event in events[begin:begin + 200]])

    def report(self, event):
        return {
            "app_id": APP, "device_id": event["device"], "platform": event["platform"],
            "version_os": event["osVersion"], "version_name": event.get("release", "unknown"),
            "old_version_name": event.get("from", ""), "is_prod": True, "is_emulator": False, "defaultChannel": event["channel"],
            "action": self.actions[event["stage"]], "timestamp": event["at"],
            "metadata": {"trigger": event.get("trigger", "unknown")}}


class Shorebird(Dialect):
    name = "shorebird"
    rename = {"production": "stable"}
    types = {"ready": "__patch_download__", "applied": "__patch_install__", "rolledBack": "__patch_install_failure__"}
    stages = tuple(types)

    def patch(self, event):
        return int(event["release"].replace(".", ""))

    def native(self, event):
        more = {"reason": "crash_recovery"} if event["stage"] == "rolledBack" else {}
        return [kept(event, release=f"1.0:{self.patch(event)}", at=event["at"] // 1000 * 1000, channel="stable",
                     appVersion="1.0", stage=stage, **more) for stage in PAIRS.get(event["stage"], [event["stage"]])]

    def requests(self, events):
        for event in events:
            body = {"app_id": APP, "arch": "aarch64", "client_id": event["device"], "type": self.types[event["stage"]],
                    "patch_number": self.patch(event), "platform": event["platform"], "release_version": "1.0",
                    "timestamp": event["at"] // 1000, "message": "crash_recovery: patch failed to boot"}
            yield "/api/v1/patches/events?trigger=" + event.get("trigger", "unknown"), JSON, json.dumps({"event": body})


class CodePush(Dialect):
    name = "codepush"
    has_clock = False
    stages = ("check", "downloadCompleted", "applied", "rolledBack")

    def native(self, event):
        # Only downloads and deployments say that their time is that of their receipt.
        more = {"reason": "time_of_receipt"} if event["stage"] in ("downloadCompleted", "applied") else {}
        stages = PAIRS["applied"] if event["stage"] == "applied" else [event["stage"]]
        return [{name: value for name, value in kept(event, stage=stage, **more).items() if name != "platform"}
                for stage in stages]

    def requests(self, events):
        for event in events:
            headers = JSON | beside(event)
            base = {"deployment_key": "DK", "client_unique_id": event["device"], "label": event["release"]}
            path = "/v0.1/public/codepush/"
            if event["stage"] == "check":
                query = f"deployment_key=DK&app_version=1&label={event['release']}&client_unique_id={event['device']}"
                yield path + "update_check?" + query, headers, None
            elif event["stage"] == "downloadCompleted":
                yield path + "report_status/download", headers, json.dumps(base)
            else:
                status = "DeploymentSucceeded" if event["stage"] == "applied" else "DeploymentFailed"
                yield path + "report_status/deploy", headers, json.dumps(base | {"app_version": "1", "status": status})


class HotUpdater(Dialect):
    name = "hot-updater"
    has_clock = False
    types = {"check": "UNCHANGED", "ready": "UPDATE_DOWNLOADED", "applied": "UPDATE_APPLIED"}
    stages = tuple(types)

    def native(self, event):
        return [kept(event, stage=stage, appVersion="1", **({"from": "store:1"} if stage == "applied" else {}))
                for stage in PAIRS.get(event["stage"], [event["stage"]])]

    def requests(self, events):
        for event in events:
            body = {"type": self.types[event["stage"]], "installId": event["device"], "platform": event["platform"],
                    "appVersion": "1", "channel": event["channel"], "cohort": "7", "fingerprintHash": None,
                    "fromBundleId": None, "toBundleId": event["release"], "updateStrategy": None}
            yield "/events", JSON | beside(event), json.dumps(body)


class ReactNativeUpdate(Dialect):
    name = "react-native-update"
    has_clock = False
    types = {"ready": "download_success", "applied": "mark_success", "rolledBack": "rollback"}
    stages = ("check",) + tuple(types)

    def native(self, event):
        return [kept(event, stage=stage) for stage in PAIRS.get(event["stage"], [event["stage"]])]

    def requests(self, events):
        for event in events:
            headers = JSON | beside(event)
            body = {"hash": event["release"], "packageVersion": "1",
                    "cInfo": {"uuid": event["device"], "os": event["platform"] + " 1"}}
            if event["stage"] == "check":
                yield "/checkUpdate/AK", headers, json.dumps(body)
            else:
                yield "/report/AK", headers, json.dumps(body | {"type": self.types[event["stage"]]})


class Omaha(Dialect):
    name = "omaha"
    has_clock = False
    events = {"downloadStarted": (13, 1), "downloadCompleted": (14, 1), "ready": (800, 1), "failed": (3, 0)}
    stages = ("check",) + tuple(events)

    def native(self, event):
        trigger = event.get("trigger")
        more = {"reason": "error 9"} if event["stage"] == "failed" else {}
        return [kept(event, trigger=trigger if trigger in ("bgRefresh", "foreground") else "unknown", **more)]

    def requests(self, events):
        sources = {"bgRefresh": "scheduler", "foreground": "ondemandupdate"}
        for event in events:
            inner, version = "<updatecheck/>", event.get("release", "")
            if event["stage"] != "check":
                kind, result = self.events[event["stage"]]
                inner = (f'<event eventtype="{kind}" eventresult="{result}" errorcode="9" '
                         f'nextversion="{event["release"]}"/>')
                version = ""
            source = sources.get(event.get("trigger"), "")
            yield "/v1/update", {"Content-Type": "text/xml"}, (
                f'<request protocol="3.0" installsource="{source}"><os platform="{event["platform"]}"/>'
                f'<app appid="{APP}" machineid="{event["device"]}" version="{version}" track="{event["channel"]}">{inner}</app>'
                "</request>")


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
        native = [reduced for event in events for reduced in dialect.native(event)]
        if not dialect.has_clock:
            for event in native:
                del event["at"]
        with Service() as plain, Service() as other:
            for service in (plain, other):
                self.publish(service, dialect)
            lines = [json.dumps(event) for event in native]
            self.send(plain, [
                ("/v1/events", {"Content-Type": "application/x-ndjson"}, "\n".join(lines[begin:begin + 1000]))
                for begin in range(0, len(lines), 1000)])
            self.send(other, dialect.requests(events))
            columns = 'stage, release, trigger, channel, app, platform, "from", reason'
            columns += ", at" if dialect.has_clock else ""
            self.assertEqual(sorted(plain.stored(columns)), sorted(other.stored(columns)))
            expected = self.answers(plain, dialect)
            self.assertEqual(expected, self.answers(other, dialect))
        self.assertGreater(len(native), 30)


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
