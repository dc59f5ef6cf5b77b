"""What clients mean, in the answers that people act on. The sources of each are named in Tests/IngestTests/Dialects."""

import json
import time
import unittest

from day import JSON
from service import Service, answer

APP = "com.example.demo"


class Meaning(unittest.TestCase):
    def ask(self, service, path, body, headers=JSON):
        body = body if isinstance(body, (bytes, str)) else json.dumps(body)
        status, _, said = service.ask(path, body if isinstance(body, bytes) else body.encode(), headers)
        self.assertLess(status, 300, said)

    def row(self, service, question, release, *words):
        (row,) = answer(service.database, question, release, "--app", APP, *words)["data"]
        return row

    def soon(self, days=0):
        """When attempts of this moment are old enough to count."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 300 + 86400 * days))

    def failures(self, service, release):
        row = self.row(service, "failures", release, "--attempt-age", "1m", "--now", self.soon())
        return row["attempts"], row["failed"], row["rolledBack"]

    def funnel(self, service, release, *words):
        """Devices that had reached each stage."""
        return {stage["stage"]: stage["reached"] for stage in self.row(service, "funnel", release, *words)["stages"]}

    def test_a_healthy_release_is_not_blamed_for_a_checksum(self):
        with Service() as service:
            for number in range(60):
                base = {"app_id": APP, "device_id": f"d{number}", "platform": "android", "version_build": "1.0",
                        "plugin_version": "8.51.14", "is_prod": True, "is_emulator": False}
                reports = [base | {"action": "set", "version_name": "1.1.0"}, base | {"action": "app_launch_ready", "version_name": "1.1.0"}]
                if number < 24:
                    reports += [base | {"action": "download_0", "version_name": "1.2.0"},
                                base | {"action": "checksum_fail", "version_name": "1.1.0"}]
                self.ask(service, "/stats", reports[:2])
                self.ask(service, "/stats", reports[2:])
                self.ask(service, "/stats", [base | {"action": "download_fail", "version_name": "1.1.0"}])
            self.assertEqual(self.failures(service, "1.1.0"), (60, 0, 0))
            self.assertEqual(self.failures(service, "1.2.0"), (24, 24, 0))

    def test_a_patch_that_was_fetched_whole_is_no_failure(self):
        # reactnativecn/react-native-update 10.53.1, src/client.ts: `downloadFallback` and `download_success` with an error.
        def report(number, *types):
            for each in types:
                self.ask(service, "/report/" + APP, {
                    "type": each, "hash": "h2", "packageVersion": "1", "cInfo": {"uuid": f"u{number}", "os": "ios 17"}},
                    JSON | {"X-Uptake-App": APP})

        with Service() as service:
            for number in range(30):
                report(number, "patch_fail", "download_success", "mark_success")
            for number in range(30, 40):
                report(number, "download_success", "patch_fail", "mark_success")
            for number in range(40, 45):
                report(number, "patch_fail")
            self.assertEqual(self.failures(service, "h2"), (45, 5, 0))
            row = self.row(service, "failures", "h2", "--attempt-age", "1m", "--now", self.soon())
            self.assertEqual((row["retried"], row["reasons"][0]["devices"]), (40, 5))

    def test_an_update_that_waits_for_the_restart_does_not_run(self):
        def request(number, version, inner):
            return (f'<request protocol="3.0"><app appid="{APP}" machineid="m{number}" version="{version}">'
                    f"{inner}</app></request>")

        with Service() as service:
            for number in range(20):
                # Says so with every check.
                self.ask(service, "/v1/update", request(number, "1.0.0", '<updatecheck/><event eventtype="3" eventresult="2"/>'))
                for kind in (13, 14):
                    self.ask(service, "/v1/update", request(
                        number, "1.0.0", f'<event eventtype="{kind}" eventresult="1" nextversion="1.1.0"/>'))
                self.ask(service, "/v1/update", request(
                    number, "1.0.0", '<event eventtype="3" eventresult="1" nextversion="1.1.0"/>'))
                if number < 5:
                    self.ask(service, "/v1/update", request(
                        number, "1.1.0", '<event eventtype="3" eventresult="2" previousversion="1.0.0"/>'))
            reached = self.funnel(service, "1.1.0")
            self.assertEqual((reached["ready"], reached["applied"], reached["confirmed"]), (20, 5, 5))
            stored = service.stored("stage, release")
            self.assertEqual([row for row in stored if row in ("applied 1.0.0", "confirmed 1.0.0")], [])

    def test_expo_updates_are_seen_through_sentry(self):
        def event(number, running, crumbs, at):
            return {"event_id": "9ec79c33ec9942ab8353589fcb2e04dc", "timestamp": at, "release": APP + "@1.0+1",
                    "user": {"id": f"i{number}"}, "contexts": {"ota_updates": {
                        "is_enabled": True, "is_embedded_launch": running is None, "update_id": running or "e0"}},
                    "breadcrumbs": [{"category": "expo.updates", "message": message, "timestamp": at - 60,
                                     "data": {"updateId": update} if update else {}} for message, update in crumbs]}

        now = int(time.time())
        with Service() as service:
            for number in range(20):
                self.ask(service, "/api/1/store/", event(number, None, [
                    ("Checking for update", None), ("Update available", "u1"), ("Downloading update", None),
                    ("Update downloaded", "u1"), ("Restarting for update", None)], now - 7200))
                if number < 15:
                    self.ask(service, "/api/1/store/", event(number, "u1", [], now - 3600))
            reached = self.funnel(service, "u1")
            self.assertEqual((reached["available"], reached["downloadStarted"], reached["ready"], reached["applied"]), (20, 20, 20, 15))

    def test_stallion_says_what_broke_at_its_first_launch(self):
        # stallion-tech/react-native-stallion 2.4.0 (b40a879c): StallionEventManager.java, StallionSyncHandler.java.
        def event(number, kind, minute, more=()):
            return {"releaseHash": "h2", "eventType": kind, "eventId": f"{kind}{number}", "projectId": "65f0", "uid": f"d{number}",
                    "eventTimestamp": (now - 300 + 60 * minute) * 1000, "platform": "android", "appVersion": "4.2.0",
                    "sdkVersion": "2.4.0"} | dict(more)

        now = int(time.time())
        with Service() as service:
            key = service.require_key("--for", "stallion:65f0")
            self.assertEqual(key, "")
            for number in range(40):
                self.ask(service, "/api/v1/promoted/get-update-meta", {
                    "appVersion": "4.2.0", "platform": "android", "projectId": "65f0", "appliedBundleHash": ""}, JSON | {"uid": f"d{number}"})
                events = [event(number, "DOWNLOAD_STARTED_PROD", 1), event(number, "DOWNLOAD_COMPLETE_PROD", 2)]
                if number < 30:
                    events.append(event(number, "INSTALLED_PROD", 3))
                if number < 10:
                    events.append(event(number, "AUTO_ROLLED_BACK_PROD", 4, {"meta": "java.lang.Error: boom\n\tat a.b"}.items()))
                self.ask(service, "/api/v1/analytics/log-bulk-events", {"projectId": "65f0", "eventData": events})
                self.ask(service, "/api/v1/analytics/log-bulk-events", {"projectId": "65f0", "eventData": events})
            reached = self.funnel(service, "h2", "--now", self.soon())
            self.assertEqual((reached["downloadStarted"], reached["ready"], reached["applied"]), (40, 40, 30))
            # Ten wait for their next start. Launches of today are too young for a rate of rollbacks.
            self.assertEqual(self.failures(service, "h2"), (40, 10, 0))
            row = self.row(service, "failures", "h2", "--now", self.soon(days=2))
            self.assertEqual((row["attempts"], row["failed"], row["rolledBack"]), (40, 10, 10))
            self.assertEqual([(why["reason"], why["devices"]) for why in row["reasons"]], [("rolledBack", 10)])
            self.assertEqual(set(service.stored("stage, reason")) & {"rolledBack java.lang.Error: boom"}, {"rolledBack java.lang.Error: boom"})
            self.assertEqual(service.stored("stage").count("check"), 40)

    def test_pushes_that_a_gateway_did_not_take_were_not_sent(self):
        with Service() as service:
            self.ask(service, "/v1/push-results", {
                "app": APP, "push": "p", "devices": [f"d{number}" for number in range(20)],
                "response": {"data": [{"status": "ok", "id": str(number)} if number < 12 else {
                    "status": "error", "details": {"error": "DeviceNotRegistered"}} for number in range(20)]}})
            outcomes = service.stored("outcome")
            self.assertEqual((outcomes.count("accepted"), outcomes.count("rejected")), (12, 8))


if __name__ == "__main__":
    unittest.main()
