"""What comes by files or is remembered between requests: access logs, answers of push gateways, channels."""

import json
import os
import tempfile
import unittest

from service import Service, answer, run

DAY = 1_750_000_000_000


class Files(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.database = self.directory.name + "/uptake.db"

    def tearDown(self):
        self.directory.cleanup()

    def write(self, lines):
        path = self.directory.name + "/lines.ndjson"
        with open(path, "w") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        return path

    def test_delivery_of_pushes_is_computed(self):
        """Ten sent: two rejected by the gateway, six arrive, two are never heard of."""
        devices = [f"d{number}" for number in range(10)]
        answers = [{"success": True}] * 8 + [{"success": False, "error": {"code": "UNREGISTERED"}}] * 2
        results = self.write([{
            "app": "a", "push": "fix", "release": "2.0.1", "at": DAY, "devices": devices,
            "response": {"responses": answers}}])
        run("import", results, "--db", self.database, "--input-format", "push-results", "--quiet")
        events = [{"app": "a", "device": device, "stage": "pushReceived", "push": "fix", "release": "2.0.1",
                   "at": DAY + 60_000, "appState": "background"} for device in devices[:6]]
        events += [{"app": "a", "device": device, "stage": "check", "at": DAY + 90_000_000} for device in devices]
        run("import", self.write(events), "--db", self.database, "--quiet")
        row, = answer(self.database, "push", "--app", "a", "--now", "2025-06-18T00:00:00Z")["data"]
        self.assertEqual((row["sent"], row["rejected"], row["mature"]), (10, 2, 8))
        self.assertEqual((row["delivered"]["count"], row["delivered"]["of"]), (6, 8))

    def test_a_log_of_node_apn(self):
        """@parse/node-apn 7.1.0, lib/provider.js: what `send` resolves to, logged as it is. It names tokens."""
        failed = [{"device": "t8", "apns-id": "A8", "status": 410, "response": {"reason": "Unregistered", "timestamp": DAY}},
                  {"device": "t9", "error": {"jse_shortmsg": "apn write timeout", "jse_info": {}, "message": "apn write timeout"}}]
        results = self.write([{
            "level": 30, "time": DAY, "app": "a", "push": "fix", "release": "2.0.1", "tokens": {f"t{n}": f"d{n}" for n in range(10)},
            "result": {"sent": [{"device": f"t{n}", "apns-unique-id": f"U{n}", "apns-id": f"A{n}"} for n in range(8)], "failed": failed}}])
        for _ in range(2):
            run("import", results, "--db", self.database, "--input-format", "push-results", "--quiet")
        run("import", self.write([
            {"app": "a", "device": f"d{n}", "stage": "pushReceived", "push": "fix", "at": DAY + 60_000, "appState": "background"}
            for n in range(5)] + [{"app": "a", "device": f"d{n}", "stage": "check", "at": DAY + 90_000_000} for n in range(10)]),
            "--db", self.database, "--quiet")
        row, = answer(self.database, "push", "--app", "a", "--now", "2025-06-18T00:00:00Z")["data"]
        self.assertEqual((row["sent"], row["rejected"], row["delivered"]["count"], row["delivered"]["of"]), (10, 2, 5, 8))

    def test_the_same_results_twice_are_counted_once(self):
        results = self.write([
            {"app": "a", "device": "d1", "at": DAY, "apns": {"status": 200, "apns-id": "A1"}},
            {"app": "a", "device": "d2", "at": DAY, "apns": {"status": 410, "body": {"reason": "Unregistered"}}}])
        for _ in range(2):
            said = json.loads(run("import", results, "--db", self.database, "--input-format", "push-results",
                                  "--quiet", "--format", "json"))
        self.assertEqual((said["data"][0]["accepted"], said["data"][0]["duplicate"]), (0, 2))

    def test_an_access_log_of_expos_checks(self):
        update = "0190c6f4-0000-7000-8000-000000000001"
        lines = [{"time": f"2025-06-15T1{hour}:00:00Z", "request": "/manifest", "http_eas_client_id": "E1",
                  "http_expo_current_update_id": update, "http_expo_platform": "ios",
                  "http_expo_recent_failed_update_ids": '"dead-beef"'} for hour in range(4)]
        log = self.write(lines + [{"time": "2025-06-15T14:00:00Z", "request": "/favicon.ico"}])
        said = json.loads(run("import", log, "--db", self.database, "--format", "expo-log", "--app", "a", "--quiet",
                              "--json"))
        # Four signs of life, and one failure that was repeated three times.
        self.assertEqual((said["data"][0]["accepted"], said["data"][0]["duplicate"]), (5, 3))
        row, = answer(self.database, "reach", update, "--app", "a", "--now", "2025-06-16T00:00:00Z")["data"]
        self.assertEqual(row["windows"][0]["reachable"], 1)


class Remembered(unittest.TestCase):
    def test_shorebirds_channel_is_that_of_the_last_check(self):
        def event(device):
            return json.dumps({"event": {
                "app_id": "sb", "client_id": device, "type": "__patch_install__", "patch_number": 2, "platform": "ios",
                "release_version": "1.0.0+3", "timestamp": 1750000000}}).encode()

        check = json.dumps({"app_id": "sb", "channel": "beta", "release_version": "1.0.0+3", "client_id": "c1"}).encode()
        with Service() as service:
            self.assertEqual(service.ask("/api/v1/patches/check", check)[0], 200)
            for device in ("c1", "c2"):
                self.assertEqual(service.ask("/api/v1/patches/events", event(device))[0], 201)
            rows = service.stored("channel, stage")
            self.assertEqual(
                sorted(rows), ["beta applied", "beta check", "beta confirmed", "stable applied", "stable confirmed"])
            service.restart()
            later = event("c1").replace(b"1750000000", b"1750000500")
            self.assertEqual(service.ask("/api/v1/patches/events", later)[0], 201)
            self.assertEqual(service.stored("channel, stage").count("beta applied"), 2)


if __name__ == "__main__":
    unittest.main()
